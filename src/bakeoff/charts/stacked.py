"""Shares of a whole side by side in a bar, one bar a row: what became of the answers."""

from dataclasses import dataclass

from markupsafe import Markup

from bakeoff.charts.figure import Link, Table, drawn, figure
from bakeoff.charts.units import share

STYLES = 7
"""Fillings told apart by pattern and by colour; more parts than these repeat them."""
_ROOM_FOR_A_NUMBER = 0.17
"""A share of the narrowest plot."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A name and its shares in [0, 1], one for each part; None is unknown and takes no place."""

    name: str
    shares: tuple[float | None, ...]
    href: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Stacked:
    """Bars of the same `parts`. Shares of a bar need not reach 1: what is left stays empty."""

    title: str
    parts: tuple[str, ...]
    bars: tuple[Bar, ...]
    of: str = "name"
    says: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a bar: from `at` per cent, `width` per cent wide; `text` where it has room for its number."""

    part: int
    at: float
    width: float
    text: str
    title: str


@dataclass(frozen=True, slots=True)
class Layout:
    """Stacked bars in their places: the segments of each, and the same in words."""

    rows: tuple[tuple[Segment, ...], ...]
    words: tuple[str, ...]


def stacked(data: Stacked, key: str, table: bool | str = True) -> Markup:
    """The figure, or a sentence where no bar has a share.

    Raises:
        ValueError: a share outside [0, 1], shares of more than 1 together, not one for each part, or a
            `key` that is no name for ids.
    """
    view = layout(data)
    frame = figure(key, data.title, data.says, "", _table(data), table)
    return drawn("stacked.svg.j2", f=frame, view=view, data=data)


def layout(data: Stacked) -> Layout:
    """Where everything goes."""
    return Layout(
        tuple(_segments(bar, data.parts) for bar in data.bars),
        tuple(_words(bar, data.parts) for bar in data.bars),
    )


def _segments(bar: Bar, parts: tuple[str, ...]) -> tuple[Segment, ...]:
    if len(bar.shares) != len(parts):
        raise ValueError(f"{bar.name!r} has {len(bar.shares)} shares for {len(parts)} parts")
    known = [each for each in bar.shares if each is not None]
    if not all(0 <= each <= 1 for each in known) or sum(known) > 1 + 1e-6:
        raise ValueError(
            f"the shares of {bar.name!r} must lie in [0, 1] and make no more than 1, got {bar.shares}"
        )
    found, start = [], 0.0
    for part, each in enumerate(bar.shares):
        if each:
            text = share.tick(round(each, 2)) if each >= _ROOM_FOR_A_NUMBER else ""
            at, end = round(100 * start, 2), min(100.0, round(100 * (start + each), 2))
            found.append(
                Segment(part, at, round(end - at, 2), text, f"{bar.name}: {parts[part]} {share(each)}")
            )
            start += each
    return tuple(found)


def _words(bar: Bar, parts: tuple[str, ...]) -> str:
    return ", ".join(f"{name} {share(each)}" for name, each in zip(parts, bar.shares, strict=True))


def _table(data: Stacked) -> Table:
    rows: tuple[tuple[Link | str, ...], ...] = tuple(
        (Link(bar.name, bar.href), *map(share.bare, bar.shares)) for bar in data.bars
    )
    return Table((data.of, *map(share.axis, data.parts)), rows)
