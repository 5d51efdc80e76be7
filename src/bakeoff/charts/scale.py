"""Scales: values in, positions out.

A position is a share of the plot's width (or height) in per cent, 0 at the low end and 100 at the high end,
so that a plot stretches to any width and its text keeps its size.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bakeoff.charts.letters import width
from bakeoff.charts.units import Unit

NARROWEST = 200.0
"""Pixels: a plot on a phone of 320 pixels. What fits here fits everywhere."""
_MOST_TICKS = 7
_AIR = 0.05
_PLACE_OF_ZERO = 8.0
_BETWEEN_TICKS = 10.0
_LARGEST = 1e15


@dataclass(frozen=True, slots=True)
class Scale:
    """From `low` to `high`, linear or logarithmic, with round `ticks` inside.

    A logarithmic scale that must hold 0 gives it a place of its own at the low end (`zero`), apart from the
    rest.
    """

    low: float
    high: float
    ticks: tuple[float, ...]
    log: bool = False
    zero: bool = False

    def at(self, value: float) -> float:
        """The position of `value`, to a hundredth; outside 0 to 100 if the scale does not hold it."""
        if not self.log:
            return round(100 * (value - self.low) / (self.high - self.low), 2)
        if value == 0 and self.zero:
            return 0.0
        share = math.log(value / self.low) / math.log(self.high / self.low)
        start = _PLACE_OF_ZERO if self.zero else 0.0
        return round(start + (100 - start) * share, 2)

    def holds(self, value: float) -> bool:
        """Whether `value` lies on the scale."""
        return self.low <= value <= self.high or (self.zero and value == 0)


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled position in per cent; `wide` if its label has room only on a wide plot."""

    at: float
    text: str
    wide: bool = False


def finite(values: Iterable[float | None]) -> list[float]:
    """The values that can be drawn: None, NaN and infinities are left out.

    Raises:
        ValueError: a value beyond 10^15, which no scale here can hold.
    """
    found = [each for each in values if each is not None and math.isfinite(each)]
    if any(abs(each) > _LARGEST for each in found):
        raise ValueError(f"no chart holds {max(found, key=abs):g}: give the values in a larger unit")
    return found


def linear(values: Iterable[float], *, within: tuple[float, float] = (-math.inf, math.inf)) -> Scale:
    """A scale that holds all `values`, with a little air as far as `within` allows; ticks at round values.

    Equal values get a scale around them; no values at all get `within`, or 0 to 1 where that has no ends.
    """
    held = finite(values)
    floor, ceiling = within
    if not held:
        low, high = (end if math.isfinite(end) else other for end, other in ((floor, 0.0), (ceiling, 1.0)))
        return Scale(low, high, round_values(low, high))
    lowest, highest = min(held), max(held)
    size, span = max(abs(lowest), abs(highest)), highest - lowest
    if size < 1 / _LARGEST:
        air = _AIR
    elif span < 1e-9 * size:  # the rounding of floating point
        air = _AIR * size
    else:
        air = _AIR * span
    low = min(lowest, max(floor, lowest - air))
    high = max(highest, min(ceiling, highest + air))
    if low == high:
        low, high = low - air, high + air
    return Scale(low, high, round_values(low, high))


def logarithmic(values: Iterable[float]) -> Scale:
    """A logarithmic scale that holds all `values`, with a little air; ticks at 1, 3 and 10.

    0 has its own place at the low end. Less than three ticks of that kind become round values.

    Raises:
        ValueError: a value below 0, beyond 10^15, or nearer to 0 than 10^-15 and not 0.
    """
    held = finite(values)
    if any(each < 0 for each in held):
        raise ValueError(f"a logarithmic scale holds nothing below 0, got {min(held):g}")
    positive = [each for each in held if each > 0]
    lowest, highest = min(positive, default=1.0), max(positive, default=1.0)
    if lowest < 1 / _LARGEST:
        raise ValueError(f"no logarithmic scale holds {lowest:g}: give the values in a smaller unit")
    air = max((highest / lowest) ** _AIR, 1.05)
    low, high = lowest / air, highest * air
    ticks = _powers(low, high)
    if len(ticks) < 3:
        ticks = round_values(low, high)
    zero = len(positive) < len(held)
    return Scale(low, high, (0.0, *ticks) if zero else ticks, log=True, zero=zero)


def round_values(low: float, high: float, most: int = _MOST_TICKS) -> tuple[float, ...]:
    """Whole multiples of 1, 2 or 5 times a power of ten from `low` to `high`, at most `most` of them."""
    step = _step((high - low) / (most - 1))
    # Multiples are whole numbers, so that 0 is 0 and 0.3 is not 0.30000000000000004.
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    digits = max(0, 1 - math.floor(math.log10(step)))
    return tuple(round(multiple * step, digits) + 0.0 for multiple in range(first, last + 1))


def labelled(scale: Scale, unit: Unit) -> tuple[Tick, ...]:
    """The ticks of a horizontal axis: all on a wide plot, and on a narrow one as many as have room."""
    texts = [unit.tick(value) for value in scale.ticks]
    return thinned(
        [scale.at(value) for value in scale.ticks], texts, first=_roundest(scale.ticks, log=scale.log)
    )


def thinned(places: Sequence[float], texts: Sequence[str], *, first: int = 0) -> tuple[Tick, ...]:
    """Ticks of which every second, third, … stays on the narrowest plot, counted from the tick `first`."""
    boxes = [
        (at * NARROWEST / 100 - width(text) / 2, at * NARROWEST / 100 + width(text) / 2)
        for at, text in zip(places, texts, strict=True)
    ]
    for every in range(1, len(boxes) + 1):
        kept = [box for index, box in enumerate(boxes) if (index - first) % every == 0]
        if all(right + _BETWEEN_TICKS <= left for (_, right), (left, _) in pairwise(kept)):
            break
    return tuple(
        Tick(at, text, wide=(index - first) % every != 0)
        for index, (at, text) in enumerate(zip(places, texts, strict=True))
    )


def _roundest(ticks: Sequence[float], *, log: bool) -> int:
    """The tick that a thinned axis should keep: 0, else a power of ten, else the shortest to write."""
    if 0.0 in ticks:
        return list(ticks).index(0.0)
    tens = [index for index, tick in enumerate(ticks) if log and f"{tick:e}".startswith("1.0")]
    return tens[0] if tens else min(range(len(ticks)), key=lambda index: len(f"{ticks[index]:g}"), default=0)


def _powers(low: float, high: float) -> tuple[float, ...]:
    """1 and 3 times the powers of ten between; where those are many the powers alone, or each second, …"""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    both = [factor * 10.0**power for power in range(first, last + 1) for factor in (1, 3)]
    inside = [float(f"{value:.0e}") for value in both if low <= value <= high]
    if len(inside) <= _MOST_TICKS:
        return tuple(inside)
    powers = range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)
    every = math.ceil(len(powers) / _MOST_TICKS)
    return tuple(float(f"1e{power}") for power in powers if power % every == 0)


def _step(least: float) -> float:
    """The smallest of 1, 2 or 5 times a power of ten that is at least `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))
