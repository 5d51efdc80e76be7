"""A quantile of what was measured, and what its sample can bear: latencies, say."""

from collections.abc import Callable
from math import inf

from numpy.typing import ArrayLike

from bakeoff.stats.arrays import as_numbers
from bakeoff.stats.interval import Interval, check_level


def quantile_interval(values: ArrayLike, q: float, level: float = 0.95) -> Interval:
    """Interval for the `q` quantile of independent values, from their order (David & Nagaraja 2003, 7.1).

    The number of values at or below the true quantile is Bin(n, q), whatever their distribution (at least
    so, with ties). Each end is the order statistic that leaves at most (1-level)/2 to its side, so that it
    covers at least `level`. An end is infinite where n is too small for one: an upper end of the 95th
    percentile at level 0.9 needs 59 values.

    Raises:
        ValueError: no values, one that is not finite, or q or level outside (0, 1).
    """
    check_level(level)
    _check_share(q)
    ordered = sorted(as_numbers(values, "values").tolist())
    n, tail = len(ordered), (1 - level) / 2
    # The low end is X(l) for the largest l with P(Bin <= l-1) <= tail, the high end X(u) for the smallest u
    # with P(Bin <= u-1) >= 1 - tail.
    low = _first(n, lambda k: _at_most(k, n, q) > tail)
    high = _first(n, lambda k: _more_than(k, n, q) <= tail)
    return Interval(
        ordered[low - 1] if low > 0 else -inf,
        ordered[high] if high < n else inf,
        level,
        "order statistics",
    )


def quantile_exceeds(values: ArrayLike, q: float, ceiling: float) -> float:
    """The one-sided p against "the `q` quantile is at most `ceiling`": P(Bin(n, q) <= values within it).

    At most α exactly where the low end of `quantile_interval` at level 1 - 2α lies above `ceiling`.

    Raises:
        ValueError: no values, one that is not finite, or q outside (0, 1).
    """
    _check_share(q)
    numbers = as_numbers(values, "values")
    return _at_most(int((numbers <= ceiling).sum()), numbers.size, q)


def _at_most(k: int, n: int, q: float) -> float:
    """P(Bin(n, q) <= k)."""
    from scipy.special import bdtr

    return float(bdtr(k, n, q))


def _more_than(k: int, n: int, q: float) -> float:
    """P(Bin(n, q) > k)."""
    from scipy.special import bdtrc

    return float(bdtrc(k, n, q))


def _first(n: int, holds: Callable[[int], bool]) -> int:
    """The smallest k of 0 to n from which on `holds(k)`; n if it never does."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def _check_share(q: float) -> None:
    if not 0 < q < 1:
        raise ValueError(f"a quantile lies between 0 and 1 (0.95, say), got {q}")
