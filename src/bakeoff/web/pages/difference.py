"""How two scores differ that were estimated apart from each other."""

from dataclasses import dataclass
from math import sqrt

from bakeoff.board.scores import Value


@dataclass(frozen=True, slots=True)
class Gap:
    """The difference of two scores in their unit, and its limits where both scores have some."""

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def apart(self) -> bool:
        """Whether the limits leave out 0."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


def gap(one: Value, other: Value) -> Gap | None:
    """`one` minus `other`, with the limits of Newcombe (1998, Stat. Med. 17:873, method 10), at the level of
    theirs, for estimates that are independent. Scores on the same items are not: then this is too wide as a
    rule, and a paired comparison of the runs is the sharper one. None where a score is missing.
    """
    if one.value is None or other.value is None:
        return None
    difference = one.value - other.value
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return Gap(difference)
    down = sqrt((one.value - one.low) ** 2 + (other.high - other.value) ** 2)
    up = sqrt((one.high - one.value) ** 2 + (other.value - other.low) ** 2)
    return Gap(difference, difference - down, difference + up)
