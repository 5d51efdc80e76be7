"""A drawing in each row of a table, all on one scale: what forest plots and rank ranges have in common."""

from dataclasses import dataclass
from typing import Literal

from bakeoff.charts.letters import width
from bakeoff.charts.scale import NARROWEST, Tick

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Place:
    """A point and the ends of its interval in per cent; the ends are None where there is no interval."""

    at: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Word:
    """A word above the scale: its `anchor` end stands `dx` pixels right of `at` per cent."""

    at: float
    text: str
    anchor: Anchor
    dx: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its name, page and key, the number as read, what stands under the name, and its drawing if
    any."""

    name: str
    href: str | None
    key: str
    value: str
    note: str
    place: Place | None


@dataclass(frozen=True, slots=True)
class Axis:
    """The scale over all rows: ticks, vertical lines at values, words over it."""

    ticks: tuple[Tick, ...]
    lines: tuple[float, ...]
    words: tuple[Word, ...]


def beside(at: float, left: str, right: str) -> tuple[Word, ...]:
    """A word on either side of a line at `at`, where it has room on the narrowest plot."""
    here = at * NARROWEST / 100
    words = ((Word(at, left, "end", -8), here), (Word(at, right, "start", 8), NARROWEST - here))
    return tuple(word for word, room in words if width(word.text) + 8 <= room)


def over(at: float, text: str) -> Word:
    """A word at a line, turned inwards near the ends of the scale."""
    half = 50 * width(text) / NARROWEST
    return Word(at, text, "start" if at < half else "end" if at > 100 - half else "middle")
