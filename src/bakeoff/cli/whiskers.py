"""Scores with their intervals as lines of characters, on one scale."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters a plot is drawn with."""

    left: str
    line: str
    right: str
    point: str
    chance: str


UNICODE = Glyphs("├", "─", "┤", "●", "┊")
ASCII = Glyphs("|", "-", "|", "o", ":")


@dataclass(frozen=True, slots=True)
class Scale:
    """Shares from `low` to `high` over `width` characters, with a tick at every whole `step`."""

    low: float
    high: float
    step: float
    width: int

    def column(self, value: float) -> int:
        """The character that `value` falls on."""
        return round((value - self.low) / (self.high - self.low) * (self.width - 1))

    def __contains__(self, value: float) -> bool:
        return self.low - 1e-9 <= value <= self.high + 1e-9

    @property
    def ticks(self) -> list[float]:
        """Where the scale is labelled."""
        number = round((self.high - self.low) / self.step)
        return [self.low + i * self.step for i in range(number + 1)]


def scale(values: Sequence[float], chance: float | None, width: int) -> Scale:
    """A scale that holds `values`, and `chance` unless that would make it three times as long."""
    low, high = min(values), max(values)
    if chance is not None and max(high, chance) - min(low, chance) <= 3 * max(high - low, 0.05):
        low, high = min(low, chance), max(high, chance)
    most = max(2, width // 8)
    step = next((step for step in _STEPS if (high - low) / step + 2 <= most), _STEPS[-1])
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return Scale(first * step, max(last, first + 1) * step, step, width)


def whisker(
    value: float, limits: tuple[float, float] | None, on: Scale, glyphs: Glyphs, chance: float | None
) -> str:
    """One line: the interval with its ends, the score on it, and chance behind both."""
    line = [" "] * on.width
    if chance is not None and chance in on:
        line[on.column(chance)] = glyphs.chance
    if limits is not None:
        left, right = map(on.column, limits)
        line[left : right + 1] = glyphs.line * (right + 1 - left)
        line[left], line[right] = glyphs.left, glyphs.right
    line[on.column(value)] = glyphs.point
    return "".join(line).rstrip()


def axis(on: Scale) -> str:
    """The labels of the ticks, in per cent."""
    line = " " * on.width
    for tick in on.ticks:
        text = f"{100 * tick:.0f}"
        start = min(max(0, on.column(tick) - len(text) // 2), on.width - len(text))
        if line[max(0, start - 1) : start + len(text) + 1].isspace():
            line = line[:start] + text + line[start + len(text) :]
    return line.rstrip() + " %"
