"""Curves as positions in a plot: values in, SVG coordinates out."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, log10
from typing import Literal

WIDTH, HEIGHT = 360, 240
"""Of the plot, without room for the labels of the axes."""
Style = Literal["main", "second", "third", "guide"]
"""How a line looks: three that are told apart by colour and by dashes, and one for orientation."""


@dataclass(frozen=True, slots=True)
class Axis:
    """From `low` to `high`, with `ticks` at values and their words; on a logarithmic scale where `log`."""

    name: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    log: bool = False

    def share(self, value: float) -> float:
        """Where `value` lies, from 0 at `low` to 1 at `high`; beyond the ends it is at the end."""
        low, high, here = self.low, self.high, min(max(value, self.low), self.high)
        if self.log:
            low, high, here = log10(low), log10(high), log10(here)
        return (here - low) / (high - low)


@dataclass(frozen=True, slots=True)
class Whisker:
    """A point with the ends of its interval, in SVG coordinates; y grows downwards."""

    x: float
    y: float
    top: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Series:
    """A named line, points with intervals, a band around the line, or several of these."""

    name: str
    style: Style
    path: str = ""
    band: str = ""
    whiskers: tuple[Whisker, ...] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """A plot and, as its text alternative, the table of what it shows. `says` is what to see in it."""

    id: str
    title: str
    says: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def line(x: Axis, y: Axis, points: Sequence[tuple[float, float]], *, steps: bool = False) -> str:
    """A path through points; with `steps` each value of y holds until the next x."""
    found: list[str] = []
    for place, (across, up) in enumerate(points):
        at = f"{_x(x, across):.1f} {_y(y, up):.1f}"
        if steps and place:
            found.append(f"L{_x(x, across):.1f} {_y(y, points[place - 1][1]):.1f}")
        found.append(f"{'L' if place else 'M'}{at}")
    return "".join(found)


def band(x: Axis, y: Axis, points: Sequence[tuple[float, float, float]]) -> str:
    """A closed path between the low and the high y of each (x, low, high)."""
    if len(points) < 2:
        return ""
    there = line(x, y, [(across, high) for across, _, high in points])
    back = line(x, y, [(across, low) for across, low, _ in reversed(points)])
    return f"{there}L{back[1:]}Z"


def whiskers(x: Axis, y: Axis, points: Sequence[tuple[float, float, float, float]]) -> tuple[Whisker, ...]:
    """Of (x, y, low, high)."""
    return tuple(
        Whisker(round(_x(x, across), 1), round(_y(y, up), 1), round(_y(y, high), 1), round(_y(y, low), 1))
        for across, up, low, high in points
    )


def share_axis(name: str) -> Axis:
    """From 0 to 100 %."""
    return Axis(name, 0.0, 1.0, tuple((k / 4, f"{25 * k}") for k in range(5)))


def log_axis(name: str, low: float, high: float) -> Axis:
    """Shares over powers of ten, in per cent."""
    powers = [value for value in (0.0001, 0.001, 0.01, 0.1, 1.0) if low * 0.999 <= value <= high * 1.001]
    return Axis(name, low, high, tuple((value, f"{100 * value:g}") for value in powers), log=True)


def amount_axis(name: str, values: Sequence[float]) -> Axis:
    """From 0 to the highest of the finite values, with round ticks."""
    highest = max((value for value in values if isfinite(value)), default=0.0) or 1.0
    step = 10.0 ** int(log10(highest) // 1)
    step = next(each for each in (step / 5, step / 2, step, 2 * step, 5 * step) if highest / each <= 5)
    count = int(highest / step * 0.9999) + 1
    return Axis(name, 0.0, count * step, tuple((k * step, f"{k * step:,.6g}") for k in range(count + 1)))


def _x(axis: Axis, value: float) -> float:
    return WIDTH * axis.share(value)


def _y(axis: Axis, value: float) -> float:
    return HEIGHT * (1 - axis.share(value))
