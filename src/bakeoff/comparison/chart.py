"""Where the marks of a plot go: values in, positions out.

A position is a share of the plot's width in per cent, 0 the left edge and 100 the right one, so that a plot
stretches to any width without distorting its marks.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from bakeoff.stats import Interval

Anchor = Literal["start", "middle", "end"]
Strip = Literal["", "only", "first", "inner", "last"]

_MOST_TICKS = 5
_CHANCE_MAY_STRETCH = 3.0
_ROOM_FOR_A_WORD = 22.0


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled value of a scale."""

    value: float
    at: float


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear scale from `low` at 0 to `high` at 100, with two to five round ticks inside."""

    low: float
    high: float
    ticks: tuple[Tick, ...]

    def at(self, value: float) -> float:
        """The position of `value`, to a hundredth."""
        return _position(value, self.low, self.high)

    def holds(self, value: float) -> bool:
        """Whether `value` lies on the scale."""
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Whisker:
    """A point and the ends of its interval; the ends are None where there is no interval."""

    at: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Label:
    """A word at a position, and which end of it stands there."""

    at: float
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a stacked bar."""

    name: str
    at: float
    width: float


def scale(values: Iterable[float], *, within: tuple[float, float]) -> Scale:
    """A scale that holds all `values`, with a little air as far as `within` allows.

    Equal values get a scale around them; no values at all get the whole of `within`.
    """
    floor, ceiling = within
    held = list(values)
    if not held:
        return Scale(floor, ceiling, _ticks(floor, ceiling))
    lowest, highest = min(held), max(held)
    air = 0.05 * (highest - lowest) or 0.05 * (ceiling - floor)
    low = min(lowest, max(floor, lowest - air))
    high = max(highest, min(ceiling, highest + air))
    return Scale(low, high, _ticks(low, high))


def score_scale(values: Sequence[float], chance: float | None) -> Scale:
    """A scale for shares in [0, 1].

    Chance is on it unless that would make it three times as long: the scores would be hard to tell apart.
    """
    plain = scale(values, within=(0.0, 1.0))
    if chance is None:
        return plain
    stretched = scale([*values, chance], within=(0.0, 1.0))
    wide = stretched.high - stretched.low > _CHANCE_MAY_STRETCH * (plain.high - plain.low)
    return plain if wide else stretched


def difference_scale(values: Sequence[float], margin: float | None) -> Scale:
    """A scale for differences in [-1, 1] that holds 0 and, where there is one, the margin on both sides."""
    return scale([*values, 0.0, *((-margin, margin) if margin else ())], within=(-1.0, 1.0))


def whisker(on: Scale, value: float, interval: Interval | None) -> Whisker:
    """The marks of an estimate on a scale."""
    if interval is None:
        return Whisker(on.at(value), None, None)
    return Whisker(on.at(value), on.at(interval.low), on.at(interval.high))


def label(on: Scale, value: float) -> Label:
    """A word about `value`, turned inwards near the edges; at the edge where the scale does not hold it."""
    at = on.at(min(max(value, on.low), on.high))
    if at < _ROOM_FOR_A_WORD:
        return Label(at, "start")
    return Label(at, "end" if at > 100 - _ROOM_FOR_A_WORD else "middle")


def sides(on: Scale, value: float) -> tuple[bool, bool]:
    """Whether there is room for a word to the left and to the right of `value`."""
    at = on.at(value)
    return at > 2 * _ROOM_FOR_A_WORD, at < 100 - 2 * _ROOM_FOR_A_WORD


def segments(parts: Sequence[tuple[str, float | None]]) -> tuple[Segment, ...]:
    """Shares in [0, 1] side by side, in their order; unknown and empty ones take no place."""
    found: list[Segment] = []
    start = 0.0
    for name, share in parts:
        if share is not None and share > 0:
            found.append(Segment(name, _position(start, 0, 1), _position(share, 0, 1)))
            start += share
    return tuple(found)


def strips(rows: Sequence[str], members: Iterable[str]) -> tuple[Strip, ...]:
    """A vertical bar beside the rows that are members, in pieces: one for each row, "" beside the others."""
    inside = set(members)
    held = [False, *(row in inside for row in rows), False]
    names: dict[tuple[bool, bool], Strip] = {
        (False, False): "only",
        (False, True): "first",
        (True, True): "inner",
        (True, False): "last",
    }
    return tuple(
        names[before, after] if here else ""
        for before, here, after in zip(held, held[1:-1], held[2:], strict=False)
    )


def _position(value: float, low: float, high: float) -> float:
    return round(100 * (value - low) / (high - low), 2)


def _ticks(low: float, high: float) -> tuple[Tick, ...]:
    step = _step((high - low) / (_MOST_TICKS - 1))
    # Whole multiples of the step, so that 0 is 0 and 0.3 is not 0.30000000000000004.
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    digits = max(0, 1 - math.floor(math.log10(step)))
    values = [round(multiple * step, digits) for multiple in range(first, last + 1)]
    return tuple(Tick(value, _position(value, low, high)) for value in values)


def _step(least: float) -> float:
    """The smallest of 1, 2, 2.5 or 5 times a power of ten that is at least `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= least * (1 - 1e-9))
