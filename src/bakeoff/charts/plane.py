"""The plane of a chart with two axes: a fixed height in pixels, and any width."""

from dataclasses import dataclass

from bakeoff.charts.letters import width
from bakeoff.charts.scale import Scale, Tick
from bakeoff.charts.units import Unit

HEIGHT = 300


@dataclass(frozen=True, slots=True)
class UpTick:
    """A labelled height: `y` pixels from the top."""

    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Plane:
    """Axes: ticks across in per cent, ticks up in pixels from the top, and the names of both.

    `margin` is the room left of the plot, in pixels: one of the three that charts.css knows.
    """

    height: int
    margin: int
    across: tuple[Tick, ...]
    up: tuple[UpTick, ...]
    x_name: str
    y_name: str


def plane(
    across: tuple[Tick, ...], y: Scale, unit: Unit, x_name: str, y_name: str, height: int = HEIGHT
) -> Plane:
    """The axes of a plot whose y axis is `y` in `unit`."""
    up = tuple(UpTick(down(y, value, height), unit.tick(value)) for value in y.ticks)
    widest = max((width(tick.text) for tick in up), default=0.0) + 10
    margin = next((room for room in (34, 52) if widest <= room), 84)
    return Plane(height, margin, across, up, x_name, f"{unit.axis(y_name)} ↑")


def down(y: Scale, value: float, height: int = HEIGHT) -> float:
    """Pixels from the top of the plot to `value`, to a tenth."""
    return round(height * (1 - y.at(value) / 100), 1)
