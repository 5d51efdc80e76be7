"""How a chart writes the numbers of one unit."""

import math
from dataclasses import dataclass
from decimal import Decimal

MISSING = "–"
"""What a table shows where there is no number."""
_NO_BREAK = "\u00a0"


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: what a value is multiplied by to be read, what stands around the number, and its bounds.

    Call it for a number to read in a sentence or a table (`share(0.612)` is "61.2 %"), `tick` for a round
    value beside an axis ("60"), `axis` for the name of the axis ("score, %").

    Attributes:
        factor: from the field's unit to the one that is read; 100 for shares.
        before: stands before every number, "$" say.
        after: stands after a number, and on an axis after its name.
        signed: a plus before positive numbers.
        decimals: after the point; None for `significant` digits instead.
        significant: digits in all, without closing zeros.
        apart_from: read values that are written only when exact: 99.96 % is not "100.0".
        within: bounds in the field's unit that no scale goes beyond to have air around its values.
    """

    factor: float = 1.0
    before: str = ""
    after: str = ""
    signed: bool = False
    decimals: int | None = None
    significant: int = 4
    apart_from: tuple[float, ...] = ()
    within: tuple[float, float] = (-math.inf, math.inf)

    def __call__(self, value: float | None) -> str:
        """`value` as read, with its unit; a dash where there is none or it is not finite."""
        number = self.bare(value)
        return f"{number}{_NO_BREAK}{self.after}" if self.after and number != MISSING else number

    def bare(self, value: float | None) -> str:
        """`value` as read, without what stands after it: for columns whose head says it (`axis`)."""
        if value is None or not math.isfinite(value):
            return MISSING
        return self._signed(value, self._number(abs(value * self.factor)))

    def between(self, low: float | None, high: float | None) -> str:
        """An interval, `bare`: "58.4 to 63.9"; a dash where an end is missing."""
        if MISSING in (self.bare(low), self.bare(high)):
            return MISSING
        return f"{self.bare(low)} to {self.bare(high)}"

    def tick(self, value: float) -> str:
        """A round `value` with no more digits than it has, and without what stands after it."""
        read = Decimal(f"{abs(value * self.factor):.10g}").normalize()
        return self._signed(value, f"{read:,f}")

    def axis(self, name: str) -> str:
        """The name of an axis in this unit."""
        return f"{name}, {self.after}" if self.after else name

    def _signed(self, value: float, number: str) -> str:
        sign = "−" if value < 0 else "+" if self.signed and value > 0 else ""
        return f"{sign}{self.before}{number}"

    def _number(self, read: float) -> str:
        if self.decimals is None or 0 < read < 10.0**-self.decimals:
            return self._of_digits(read)
        decimals = self.decimals
        while decimals < 8 and read not in self.apart_from and round(read, decimals) in self.apart_from:
            decimals += 1
        return f"{read:,.{decimals}f}"

    def _of_digits(self, read: float) -> str:
        if read == 0:
            return "0"
        decimals = max(0, self.significant - 1 - math.floor(math.log10(read)))
        return f"{Decimal(f'{read:.{decimals}f}').normalize():,f}"


share = Unit(100.0, after="%", decimals=1, apart_from=(0.0, 100.0), significant=2, within=(0.0, 1.0))
"""A share in [0, 1], read in per cent."""
points = Unit(
    100.0, after="points", signed=True, decimals=1, apart_from=(0.0,), significant=2, within=(-1.0, 1.0)
)
"""A difference of two shares, read in percentage points with its sign."""
raw = Unit()
"""A number as it is, with four digits: a rating of 1,432, a loss of 0.4213."""
dollars = Unit(before="$", decimals=2, significant=2, within=(0.0, math.inf))
"""United States dollars."""
seconds = Unit(after="s", significant=3, within=(0.0, math.inf))
"""Seconds."""
