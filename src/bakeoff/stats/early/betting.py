"""Betting against a mean: intervals and tests that hold for every distribution, however often one looks.

Whoever doubts that bounded numbers have the mean `null` stakes a share of her capital on each in turn. If
they do, no strategy makes the capital grow on average, so it exceeds 1/α with probability α at most, at any
time at all (Waudby-Smith & Ramdas 2024, JRSS-B 86:1). The strategy here spreads the capital evenly over all
constant stakes (the universal portfolio: Cover 1991; Orabona & Jun 2021, arXiv 2110.14099). For differences
of -1, 0 and 1 and a null of 0 it is `eprocess.mcnemar_e`. The capital at the end depends on the numbers,
not on their order.
"""

from collections.abc import Callable
from functools import cache
from math import fsum, isfinite, log

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import FloatArray, as_numbers
from bakeoff.stats.interval import Interval, check_level

_STAKES = 256
"""Stakes on a side. A mixture of finitely many is as valid as one of all of them."""


def betting_interval(
    values: ArrayLike, *, lowest: float = 0.0, highest: float = 1.0, level: float = 0.95
) -> Interval:
    """Interval for the mean of independent numbers in [lowest, highest], whatever their distribution.

    Covers at least `level` for every n, and for all n at once: one may look after each item (a confidence
    sequence). The price is width, 1.5 to 1.9 times a t-interval's. Never has zero width.

    Raises:
        ValueError: no values, one outside [lowest, highest] or not a number, lowest not below highest, or
            level outside (0, 1).
    """
    check_level(level)
    if not lowest < highest:
        raise ValueError(f"lowest must be below highest, got {lowest} and {highest}")
    given = as_numbers(values, "values")
    outside = given[(given < lowest) | (given > highest)]
    if outside.size:
        raise ValueError(f"values must lie between {lowest} and {highest}, got {outside[0]}")
    span = highest - lowest
    share, counts = np.unique((given - lowest) / span, return_counts=True)
    low, high = _limits(share, np.ones_like(share), counts.astype(np.float64), 1, level)
    return Interval(lowest + low * span, lowest + high * span, level, "betting")


def betting_difference(
    totals: ArrayLike, sizes: ArrayLike, largest: int | None = None, *, level: float = 0.95
) -> Interval:
    """Interval for the mean paired difference of items in [-1, 1] that come in groups, at any time.

    `totals[g]` is the sum of the differences of group g and `sizes[g]` the number of its items, 1 for an item
    by itself. `largest`, the size no group can exceed, is fixed before looking; by default the largest here.
    Holds for independent groups, whatever happens inside them. Agrees with `Bets`: 0 lies outside exactly if
    `Bets(0, largest)` has reached 1 / (1 - level).

    Raises:
        ValueError: nothing, lengths differ, a size that is not 1 to `largest`, a total beyond its size, or
        level
            outside (0, 1).
    """
    check_level(level)
    total, size = as_numbers(totals, "totals"), as_numbers(sizes, "sizes")
    if total.shape != size.shape:
        raise ValueError(f"each total needs its size, got {total.size} totals and {size.size} sizes")
    most = int(size.max()) if largest is None else largest
    for each, items in zip(total, size, strict=True):
        _check_unit(float(each), float(items), most)
    units, counts = np.unique(np.stack([total, size]), axis=1, return_counts=True)
    low, high = _limits((units[0] + units[1]) / 2, units[1], counts.astype(np.float64), most, level)
    return Interval(2 * low - 1, 2 * high - 1, level, "betting")


class Bets:
    """The capital against one value of a mean difference, while units of items arrive one by one.

    A unit is an item or a group of items, at most `largest` of them, fixed beforehand. Differences lie in
    [-1, 1]; the null says that their mean over all items is `null`.
    """

    def __init__(self, null: float = 0.0, largest: int = 1) -> None:
        if not -1 < null < 1:
            raise ValueError(f"the mean difference to test lies inside (-1, 1), got {null}")
        if largest < 1:
            raise ValueError(f"a unit has at least one item, got largest={largest}")
        self._null, self._largest = null, largest
        self._above, self._below = np.zeros(_STAKES), np.zeros(_STAKES)

    def add(self, total: float, size: int = 1) -> None:
        """Take in a unit of `size` items whose differences add up to `total`.

        Raises:
            ValueError: size outside [1, largest], or total outside [-size, size].
        """
        _check_unit(total, size, self._largest)
        excess = (total - size * self._null) / self._largest
        stakes, _ = _stakes()
        # Rounding must not lose more than all of the stake.
        self._above += np.log1p(stakes * max(-1.0, excess / (1 + self._null)))
        self._below += np.log1p(stakes * max(-1.0, -excess / (1 - self._null)))

    @property
    def log_above(self) -> float:
        """Log of the e-value that the mean is at most `null`: large if it is above."""
        return _log_mean(self._above)

    @property
    def log_below(self) -> float:
        """Log of the e-value that the mean is at least `null`: large if it is below."""
        return _log_mean(self._below)

    @property
    def log_either(self) -> float:
        """Log of the e-value that the mean is `null`."""
        return float(np.logaddexp(self.log_above, self.log_below) - log(2))


def _limits(
    total: FloatArray, size: FloatArray, times: FloatArray, largest: int, level: float
) -> tuple[float, float]:
    """Both limits for the mean of numbers in [0, 1], given as the `total` of units of `size` of them."""
    mean = min(1.0, max(0.0, fsum(total * times) / fsum(size * times)))
    enough = log(1 / (1 - level))

    def lead(null: float) -> float:
        return _log_capital(total, size, times, largest, null) - enough

    # The capital is a convex function of the null: at most 1 at the mean itself, and beyond all bounds at 0
    # and at 1, unless every number lies there.
    return 0.0 if mean == 0 else _crossing(lead, 0.0, mean), 1.0 if mean == 1 else _crossing(lead, 1.0, mean)


def _log_capital(total: FloatArray, size: FloatArray, times: FloatArray, largest: int, null: float) -> float:
    """The log of the capital against a mean `null` inside (0, 1) of numbers in [0, 1]."""
    stakes, _ = _stakes()
    excess = (total - size * null) / largest
    sides = [
        _log_mean(times @ np.log1p(np.outer(np.maximum(-1.0, gain), stakes)))
        for gain in (excess / null, -excess / (1 - null))
    ]
    return float(np.logaddexp(sides[0], sides[1]) - log(2))


def _check_unit(total: float, size: float, largest: int) -> None:
    if not 1 <= size <= largest:
        raise ValueError(f"a unit has 1 to {largest} items, got {size:g}")
    if not abs(total) <= size + 1e-9:
        raise ValueError(f"{size:g} differences in [-1, 1] cannot add up to {total}")


@cache
def _stakes() -> tuple[FloatArray, FloatArray]:
    """Gauss–Legendre nodes inside (0, 1) and their weights, which add up to 1."""
    nodes, weights = np.polynomial.legendre.leggauss(_STAKES)
    return (nodes + 1) / 2, weights / weights.sum()


def _log_mean(logs: FloatArray) -> float:
    _, weights = _stakes()
    peak = float(logs.max())
    return peak + log(float(weights @ np.exp(logs - peak))) if isfinite(peak) else peak


def _crossing(lead: Callable[[float], float], outside: float, inside: float) -> float:
    """Where `lead` falls to 0 on the way from `outside` to `inside`, itself still outside."""
    while abs(outside - inside) > 1e-10 and outside != (middle := (outside + inside) / 2) != inside:
        if lead(middle) >= 0:
            outside = middle
        else:
            inside = middle
    return outside
