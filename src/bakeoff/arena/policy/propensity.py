"""Whether pairs were shown about as often as the sampler says: a probability that is stated can be false."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log

from bakeoff.arena.policy.sampling import Pair

LEVEL = 1e-6
"""The probability that any pair of a day is reported though the sampler does what it says."""


@dataclass(frozen=True, slots=True)
class Overshown:
    """A pair that was `shown` so many times of the `total` of a day (days since 1970), though by the mean
    `propensity` that was stated it was to be shown about `propensity` x `total` times, or fewer. `bound` is
    an upper bound of the probability of that, corrected (Bonferroni) for all pairs of the day's models.
    """

    day: int
    first: str
    second: str
    shown: int
    total: int
    propensity: float
    bound: float


def overshown(day: int, pairs: Sequence[Pair]) -> Iterator[Overshown]:
    """The pairs of a day that were shown more often than their propensity allows.

    A pair whose propensity p changes in the day is expected N times the plain mean of p; what is known is its
    mean over the times that it was shown, which is no lower on average. So too many is told, and too few is
    not.
    """
    total = sum(each.shown for each in pairs)
    models = {name for each in pairs for name in (each.first, each.second)}
    possible = len(models) * (len(models) - 1) // 2
    for each in pairs:
        if each.shown:
            mean = each.propensity / each.shown
            bound = possible * tail(each.shown, total, mean)
            if bound < LEVEL:
                yield Overshown(day, each.first, each.second, each.shown, total, mean, bound)


def tail(k: int, n: int, p: float) -> float:
    """An upper bound of the probability of k or more of n, each with probability p: exp(-n KL(k/n, p)), by
    Chernoff; 1 up to the mean. A p of 0 allows none, and p of 1 all.
    """
    share = k / n
    if share <= p:
        return 1.0
    if p <= 0:
        return 0.0
    rest = 0.0 if k == n else (1 - share) * log((1 - share) / (1 - p))
    return exp(-n * (share * log(share / p) + rest))
