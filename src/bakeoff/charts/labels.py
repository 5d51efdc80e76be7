"""Names beside marks, none over another, at every width that a plot may take.

Across, a place is a share of the plot's width plus pixels. So the room between two boxes grows or shrinks
evenly with the width: two that stand apart, in the same order, on the narrowest and on the widest plot
stand apart on all between.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from bakeoff.charts.letters import SIZE, shortened, width
from bakeoff.charts.scale import NARROWEST

Anchor = Literal["start", "middle", "end"]

WIDE = 600.0
"""Pixels: from here on a plot has room for more names (the same number is in charts.css)."""
WIDEST = 1400.0
_LONGEST_NAME = 150.0
_LINE = SIZE + 2


@dataclass(frozen=True, slots=True)
class Box:
    """From `left` to `right` pixels beside the position `at` in per cent; `top` and `bottom` in pixels."""

    at: float
    left: float
    right: float
    top: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Wanted:
    """A name to stand beside the mark at `at` per cent and `y` pixels, whose radius is `r` pixels.

    `up` if it may stand only above or left: beside a point of a front, nothing else is there.
    """

    at: float
    y: float
    name: str
    r: float = 5.0
    up: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """A name with its place: the `anchor` end of its base line is `dx` pixels right of `at` per cent, at `y`.

    `wide` if it has room only on a plot of WIDE pixels or more.
    """

    at: float
    dx: float
    y: float
    anchor: Anchor
    name: str
    wide: bool
    box: Box


def place(wanted: Sequence[Wanted], marks: Iterable[Box], height: float) -> tuple[Label, ...]:
    """The names that have room, the first ones first; none over another, over `marks`, or out of the plot.

    Names longer than 150 pixels are cut.
    """
    occupied = _Occupied(marks)
    placed: dict[int, Label] = {}
    for narrowest, is_wide in ((NARROWEST, False), (WIDE, True)):
        for index, each in enumerate(wanted):
            if index in placed:
                continue
            for label in _places(each, wide=is_wide):
                if _inside(label.box, narrowest, height) and occupied.leaves(label.box, narrowest):
                    placed[index] = label
                    occupied.add(label.box)
                    break
    return tuple(placed[index] for index in sorted(placed))


def apart(one: Box, other: Box, narrowest: float, widest: float = WIDEST) -> bool:
    """Whether two boxes have no point in common at any width of the plot from `narrowest` to `widest`."""
    if one.bottom <= other.top or other.bottom <= one.top:
        return True
    return any(
        all(
            _across(left.at, left.right, at) <= _across(right.at, right.left, at)
            for at in (narrowest, widest)
        )
        for left, right in ((one, other), (other, one))
    )


def _places(wanted: Wanted, *, wide: bool) -> Iterable[Label]:
    name = shortened(wanted.name, _LONGEST_NAME)
    long, off, here = width(name), wanted.r + 3, wanted.y + SIZE / 3
    tries: tuple[tuple[Anchor, float, float], ...] = (
        ("end", -off + 2, wanted.y - off + 1),
        ("end", -off - 1, here),
        ("middle", 0.0, wanted.y - off - 1),
        ("start", off - 2, wanted.y - off + 1),
        ("start", off + 1, here),
        ("start", off - 2, wanted.y + off + SIZE - 4),
        ("end", -off + 2, wanted.y + off + SIZE - 4),
        ("middle", 0.0, wanted.y + off + SIZE - 2),
    )
    for anchor, dx, y in tries[:3] if wanted.up else tries:
        left = dx - {"start": 0.0, "middle": long / 2, "end": long}[anchor]
        box = Box(wanted.at, left, left + long, y - SIZE + 2, y + _LINE - SIZE + 1)
        yield Label(wanted.at, dx, round(y, 1), anchor, name, wide, box)


def _inside(box: Box, narrowest: float, height: float) -> bool:
    ends = [
        (_across(box.at, box.left, at), at - _across(box.at, box.right, at)) for at in (narrowest, WIDEST)
    ]
    return box.top >= 0 and box.bottom <= height and all(min(pair) >= 0 for pair in ends)


def _across(at: float, pixels: float, plot: float) -> float:
    return at * plot / 100 + pixels


class _Occupied:
    """Boxes by their height, so that a new one is compared only with those near it."""

    def __init__(self, boxes: Iterable[Box]) -> None:
        self._boxes = sorted(boxes, key=lambda box: box.top)
        self._tops = [box.top for box in self._boxes]
        self._tallest = max((box.bottom - box.top for box in self._boxes), default=0.0)

    def add(self, box: Box) -> None:
        index = bisect_left(self._tops, box.top)
        self._tops.insert(index, box.top)
        self._boxes.insert(index, box)
        self._tallest = max(self._tallest, box.bottom - box.top)

    def leaves(self, box: Box, narrowest: float) -> bool:
        first = bisect_left(self._tops, box.top - self._tallest)
        last = bisect_left(self._tops, box.bottom)
        return all(apart(box, other, narrowest) for other in self._boxes[first:last])
