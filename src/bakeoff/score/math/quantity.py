"""A plain number with what people write around it: currency, a percent sign, a unit."""

import re
from dataclasses import dataclass
from fractions import Fraction

from bakeoff.score.extract.numeral import NUMERAL, value_of

_UNITS = r"(?:cm|mm|km|kg|mg|ft|in|mi|hr|hrs|lb|lbs|oz|ml|cc|yd|mph|m|s|g)"
_NO_UNITS = r"(?:pi|sqrt|sin|cos|tan|cot|sec|csc|log|ln|exp|mod|times|over|inf|infinity)\b"
_AFTER = re.compile(
    r"(?P<percent>%|\s?percent(?:age)?\b)?"
    rf"(?:\s?{_UNITS}(?:\^?[23])?|\s(?!{_NO_UNITS})[A-Za-z]{{3,20}}(?:\s[A-Za-z]{{2,20}}){{0,2}}(?:\^[23])?)?"
)
# 0.1\overline{6}
_REPEATING = re.compile(
    r"(?P<sign>-?)(?P<whole>\d{0,40})\.(?P<once>\d{0,40})\\overline\{(?P<again>\d{1,40})\}"
)
_CURRENCY = re.compile(r"[€£¥₹]|(?:USD|EUR|GBP)\s")
# In mathematics a comma stands between thousands or between answers, never before decimals.
_LIST_COMMA = re.compile(r",(?!\d{3}(?!\d))")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, exactly; whether it was written with decimals, and whether with a percent sign.

    Units are not judged, so not kept.
    """

    value: Fraction
    decimal: bool = False
    percent: bool = False

    def equals(self, gold: "Quantity", tolerance: Fraction) -> bool:
        """Whether this is `gold`: exactly, or where one was written with decimals, up to `tolerance`.

        `tolerance` is relative to `gold`; a whole target is met by no other whole number. With a percent sign
        on one side alone, 50% may be 50 or 0.5.
        """
        readings = [self.value]
        if self.percent != gold.percent:
            readings.append(self.value / 100 if self.percent else self.value * 100)
        return any(
            abs(value - gold.value) <= (tolerance * abs(gold.value) if self._rounds(value, gold) else 0)
            for value in readings
        )

    def _rounds(self, value: Fraction, gold: "Quantity") -> bool:
        """Whether `value` may be `gold` rounded, or the other way round."""
        return gold.decimal or (self.decimal and not (value.denominator == gold.value.denominator == 1))


def quantity(tidied: str) -> Quantity | None:
    """The one number that a text in the spelling of `tidy` is; None where it is anything else."""
    start = currency.end() if (currency := _CURRENCY.match(tidied)) else 0
    if (repeating := _REPEATING.match(tidied, start)) is not None:
        value, decimal, end = _repeating(repeating), False, repeating.end()
    else:
        number = NUMERAL.match(tidied, start)
        if number is None or _LIST_COMMA.search(number.group()) or (read := value_of(number)) is None:
            return None
        value, decimal, end = read, "." in number.group() or number["e"] is not None, number.end()
    after = _AFTER.fullmatch(tidied, end)
    return None if after is None else Quantity(value, decimal, after["percent"] is not None)


def _repeating(match: re.Match[str]) -> Fraction:
    once, again = match["once"], match["again"]
    shown = Fraction(int((match["whole"] or "0") + once), 10 ** len(once))
    value = shown + Fraction(int(again), 10 ** len(once) * (10 ** len(again) - 1))
    return -value if match["sign"] else value
