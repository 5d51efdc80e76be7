"""How the page writes numbers: per cent and points with one decimal, a real minus sign, thousands apart."""

import math

from bakeoff.stats import Interval

NOT_ESTIMABLE = "not estimable"


def percent(share: float | None) -> str:
    """A share as per cent with one decimal, and with more where one would claim all or none.

    0.6123 is "61.2", 0.9996 is "99.96" and not "100.0".
    """
    if share is None or math.isnan(share):
        return NOT_ESTIMABLE
    return _decimal(100 * share, apart_from=(0.0, 100.0))


def points(difference: float | None) -> str:
    """A difference of shares in percentage points with its sign; with more decimals where one would hide it.

    -0.042 is "−4.2" and -0.0004 is "−0.04"; only 0 is "0.0".
    """
    if difference is None or math.isnan(difference):
        return NOT_ESTIMABLE
    text = _decimal(100 * difference, apart_from=(0.0,))
    return f"+{text}" if difference > 0 else text


def size(difference: float) -> str:
    """A difference in percentage points without its sign."""
    return points(abs(difference)).removeprefix("+")


def percent_range(interval: Interval | None) -> str:
    """The ends of an interval of a share."""
    return f"[{percent(interval.low)},\u00a0{percent(interval.high)}]" if interval else NOT_ESTIMABLE


def points_range(interval: Interval | None) -> str:
    """The ends of an interval of a difference."""
    return f"[{points(interval.low)},\u00a0{points(interval.high)}]" if interval else NOT_ESTIMABLE


def probability(p: float | None) -> str:
    """A p-value with three decimals, never 0."""
    if p is None or math.isnan(p):
        return NOT_ESTIMABLE
    return "<\u00a00.001" if p < 0.001 else f"{p:.3f}"


def number(value: float) -> str:
    """A tick or a level as short as it goes: "−2.5", "40", "99.9"."""
    return f"{round(value, 6):,g}".replace("-", "−")


def signed(value: float) -> str:
    """A tick of a difference: "−5", "0", "+5"."""
    return f"+{number(value)}" if value > 0 else number(value)


def count(many: int, noun: str, nouns: str = "") -> str:
    """`1 item`, `1,234 items`."""
    return f"{many:,} {noun if many == 1 else nouns or noun + 's'}"


def about(many: int) -> str:
    """A count that is known roughly, to two digits: 1,234 is "1,200"."""
    return f"{round(many, 2 - len(str(many))) if many >= 100 else many:,}"


def seconds(value: float) -> str:
    """A duration in the unit that reads best."""
    return f"{1000 * value:.0f} ms" if value < 1 else f"{value:,.1f} s"


def dollars(value: float) -> str:
    """US dollars to the cent; below ten cents with two digits that count."""
    return f"${value:,.2f}" if value >= 0.1 or value == 0 else f"${value:.2g}"


def letters(index: int) -> str:
    """a, b, … z, aa, ab, …: what a group is called."""
    above, rest = divmod(index, 26)
    return (letters(above - 1) if above else "") + chr(ord("a") + rest)


def _decimal(value: float, *, apart_from: tuple[float, ...]) -> str:
    digits = 1
    while digits < 6 and any(value != each and round(value, digits) == each for each in apart_from):
        digits += 1
    text = f"{round(value, digits):,.{digits}f}"
    return text.replace("-", "−") if round(value, digits) else text.replace("-", "")
