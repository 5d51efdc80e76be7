"""A figure about a judge, and how well the items that it was seen on tell it.

Verdicts on one item are about the same question, so a judge that gets it wrong gets several pairs wrong:
every interval here is over items, by Student's t with G* - 1 degrees of freedom for G* effective items.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.interval import Interval, check_level, t_quantile
from bakeoff.stats.mean.clustered import clustered, clustered_difference


@dataclass(frozen=True, slots=True)
class Figure:
    """A value from `n` verdicts, votes or pairs on `items` items.

    `value` is None where there is nothing to tell it from, and `interval` where it is from a single item or
    no item differs from another.
    """

    value: float | None
    interval: Interval | None
    n: int
    items: int

    def found(self, null: float) -> bool:
        """Whether the interval leaves `null` out: there is more to it than chance."""
        return self.interval is not None and not self.interval.low <= null <= self.interval.high


def share(values: FloatArray, items: IntArray, level: float = 0.95) -> Figure:
    """The mean of values in [0, 1], one of each verdict (n,); `items` (n,) are the codes of their items."""
    return _mean(values, items, level, clustered)


def difference(values: FloatArray, items: IntArray, level: float = 0.95) -> Figure:
    """The mean of differences in [-1, 1], one of each verdict (n,)."""
    return _mean(values, items, level, clustered_difference)


def figure(
    sums: FloatArray,
    value_of: Callable[[FloatArray], FloatArray],
    counted: FloatArray,
    level: float = 0.95,
    *,
    lowest: float = -1.0,
) -> Figure:
    """A function of sums over items: `sums` (G, …) of each item, `value_of` a function of their total, which
    also takes G totals at once.

    The standard error is the jackknife's that leaves out one item at a time (Efron & Stein 1981, Ann. Stat.
    9:586), which is nearly right for any smooth function and, if anything, too large. `counted` (G,) is how
    many verdicts each item has in it; items without any are left out. The interval is cut to what can be,
    from `lowest` to 1.

    Raises:
        ValueError: level outside (0, 1).
    """
    check_level(level)
    kept = counted > 0
    sums, counted = sums[kept], counted[kept]
    items, n = len(sums), round(float(counted.sum()))
    total = sums.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(value_of(total)) if items else np.nan
        without = value_of(total - sums)
    if not np.isfinite(value):
        return Figure(None, None, n, items)
    if items < 2 or not np.isfinite(without).all():
        return Figure(value, None, n, items)
    error = float(np.sqrt((items - 1) / items * ((without - without.mean()) ** 2).sum()))
    if error < 1e-12:
        return Figure(value, None, n, items)
    effective = float(counted.sum() ** 2 / (counted**2).sum())
    reach = error * t_quantile(level, max(1.0, effective - 1))
    interval = Interval(max(lowest, value - reach), min(1.0, value + reach), level, "item jackknife")
    return Figure(value, interval, n, items)


def by_item(values: Sequence[FloatArray], items: IntArray, n_items: int) -> FloatArray:
    """Sums (n_items, K) over the rows of each item of K columns (n,)."""
    return np.stack([np.bincount(items, column, n_items) for column in values], axis=1)


def _mean(
    values: FloatArray,
    items: IntArray,
    level: float,
    interval: Callable[[FloatArray, IntArray, float], Interval | None],
) -> Figure:
    if not len(values):
        return Figure(None, None, 0, 0)
    found = interval(values, items, level)
    return Figure(float(values.mean()), found, len(values), len(np.unique(items)))
