"""The mean of scores in [0, 1] that are not all 0 or 1: partial credit, or repeats within the item."""

from math import fsum, sqrt

from numpy.typing import ArrayLike

from bakeoff.stats.arrays import as_numbers
from bakeoff.stats.interval import Interval, check_level, t_quantile
from bakeoff.stats.mean.proportion import wilson

_ENOUGH = 100


def bounded_mean(values: ArrayLike, level: float = 0.95) -> Interval:
    """Interval for the mean of independent scores in [0, 1]. The one to show beside partial scores.

    Student's t on the items (Miller 2024, arXiv 2411.00640, with t for z) from 100 items on, if the
    interval would stay inside [0, 1] at twice its width. Else Wilson's, as if every score were a yes or no
    with the same mean: scores in [0, 1] never vary more, so it is, if anything, too wide, and never of zero
    width. Where the coverage has to be guaranteed, take `betting_interval`.

    Raises:
        ValueError: no values, one outside [0, 1] or not a number, or level outside (0, 1).
    """
    check_level(level)
    x = as_numbers(values, "values")
    outside = x[(x < 0) | (x > 1)]
    if outside.size:
        raise ValueError(f"scores must lie between 0 and 1, got {outside[0]}")
    n, mean = x.size, fsum(x) / x.size
    if n >= _ENOUGH:
        spread = fsum((x - mean) ** 2)
        half = t_quantile(level, n - 1) * sqrt(spread / (n - 1) / n)
        if spread > 1e-18 and 2 * half < min(mean, 1 - mean):
            return Interval(mean - half, mean + half, level, "t")
    return wilson(min(float(n), max(0.0, fsum(x))), n, level)
