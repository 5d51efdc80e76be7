"""A number and what it can bear."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from bakeoff.stats import Interval, clustered, wilson


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value over `n` items with its interval.

    `value` and `interval` are None where there is nothing to say, and `note` then says why. `clusters` counts
    the groups of the items, where they have any.
    """

    value: float | None
    interval: Interval | None
    n: int
    clusters: int | None = None
    note: str = ""


def estimate(values: Sequence[float], clusters: Sequence[Hashable] | None, level: float = 0.95) -> Estimate:
    """The mean of scores in [0, 1], one per item, with the interval that suits them.

    `clusters` holds the group of each item, None where none has one: then Wilson's interval for right or
    wrong, `bounded_mean` for partial scores; else the clustered one.
    """
    n = len(values)
    if n == 0:
        return Estimate(None, None, 0, note="no item has a score")
    mean = sum(values) / n
    if clusters is not None:
        interval = clustered(values, clusters, level)
        note = "" if interval else "not estimable: all items are in one group"
        return Estimate(mean, interval, n, len(set(clusters)), note)
    if all(value in (0.0, 1.0) for value in values):
        return Estimate(mean, wilson(sum(values), n, level), n)
    from bakeoff.stats.mean.bounded import bounded_mean

    return Estimate(mean, bounded_mean(values, level), n)
