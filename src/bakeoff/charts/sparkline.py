"""A line of values in the height of a line of text."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup, escape

from bakeoff.charts.scale import finite
from bakeoff.charts.units import Unit, raw
from bakeoff.visible import visible

WIDTH, HEIGHT = 100, 20
_AIR = 3


def sparkline(values: Sequence[float | None], name: str, unit: Unit = raw) -> Markup:
    """Values at equal distances, a gap where one is missing (None or not finite), and a dot at the last.

    Its text alternative says how many there are, the first, the last, and the ends between which they lie.
    Without any value it is that sentence.

    Raises:
        ValueError: a value at or beyond 10^15.
    """
    spots = layout(values)
    if not spots:
        return escape(f"{visible(name)}: no values")
    known = finite(values)
    said = (
        f"{visible(name)}: {len(known):,} values, from {unit(known[0])} to {unit(known[-1])}, "
        f"lowest {unit(min(known))}, highest {unit(max(known))}"
    )
    return Markup(
        '<svg class="spark" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img" aria-label="{}">'
        '<path d="{}"/><path class="last" d="{}"/></svg>'
    ).format(
        WIDTH, HEIGHT, said, "".join(map(_drawn, spots)), _drawn(Spot(spots[-1].x, spots[-1].y, "alone"))
    )


@dataclass(frozen=True, slots=True)
class Spot:
    """A value in the drawing: `joined` to the one before, the `first` of a line, or `alone` between gaps."""

    x: float
    y: float
    kind: Literal["joined", "first", "alone"]


def layout(values: Sequence[float | None]) -> list[Spot]:
    """Each value that is there in its place; a line ends where one is missing."""
    known = finite(values)
    if not known:
        return []
    low, high = min(known), max(known)
    there = [False, *(value is not None and math.isfinite(value) for value in values), False]
    return [
        Spot(
            round(_AIR + (WIDTH - 2 * _AIR) * (index / (len(values) - 1) if len(values) > 1 else 0.5), 1),
            round(
                HEIGHT - _AIR - (HEIGHT - 2 * _AIR) * ((value - low) / (high - low) if high > low else 0.5), 1
            ),
            "joined" if there[index] else "first" if there[index + 2] else "alone",
        )
        for index, value in enumerate(values)
        if value is not None and there[index + 1]
    ]


def _drawn(spot: Spot) -> str:
    """A line of no length is a dot, as its caps are round."""
    return (
        f"{'L' if spot.kind == 'joined' else 'M'}{spot.x:g} {spot.y:g}{'h0' if spot.kind == 'alone' else ''}"
    )
