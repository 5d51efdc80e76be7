"""What it is worth to test many variants and to show the best: the haircut that takes it back."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import fsum
from statistics import NormalDist

from bakeoff.arena.policy.history import History

_NORMAL = NormalDist()
_STEP, _STEPS = 1 / 64, 640
"""From -10 to 10: beyond lies nothing of the largest of fewer than 10^20."""


@dataclass(frozen=True, slots=True)
class BestOf:
    """From how many variants of its family one was chosen, itself included, and how many private variants of
    its provider, whatever their family, were tested up to then: a family in two names is still one provider.
    """

    name: str
    tested: int
    of_provider: int


@cache
def expected_maximum(k: int) -> float:
    """The mean of the largest of k independent standard normals: 0 for one, 1.54 for ten.

    The integral of x k φ(x) Φ(x)^(k-1) by the trapezoid rule, which for so smooth a curve is exact to the
    last digits.

    Raises:
        ValueError: k < 1.
    """
    if k < 1:
        raise ValueError(f"a largest is of one or more, got k={k}")
    places = (number * _STEP for number in range(-_STEPS, _STEPS + 1))
    return fsum(_STEP * k * x * _NORMAL.pdf(x) * _NORMAL.cdf(x) ** (k - 1) for x in places)


def haircut(se: float, k: int) -> float:
    """By how much the best of k equal variants is expected to look better than it is: se · E[max of k
    normals], in the unit of `se`, the standard error that its score had when it was chosen.

    Raises:
        ValueError: k < 1, or se is not a number of 0 or above.
    """
    if not 0 <= se < float("inf"):
        raise ValueError(f"a standard error is 0 or above, got {se}")
    return se * expected_maximum(k)


def best_of(there: Mapping[str, History], name: str) -> BestOf:
    """From how many a variant was chosen at its release, or would be now if it has none.

    All of its family count that could be shown by then and had not been released before, those withdrawn too,
    for good: else one release of anything would wipe out the count.

    Raises:
        KeyError: there is no such variant.
    """
    chosen = there[name]
    until = chosen.released.entry if chosen.released else float("inf")
    tested = [each for each in there.values() if each.tested and each.tested.entry <= until]
    candidates = {
        each.name
        for each in tested
        if (each.provider, each.family) == (chosen.provider, chosen.family)
        and not (each.released and each.released.entry < until)
    }
    of_provider = [each for each in tested if (each.provider, each.access) == (chosen.provider, "private")]
    return BestOf(name, len(candidates | {name}), len(of_provider))
