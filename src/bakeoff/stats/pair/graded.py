"""Interval for the mean difference of scores that are not all right or wrong: repeats, partial credit.

Tango's interval reads the sums of the positive and negative differences as if each item were wholly won or
lost. Graded differences vary less than that, twice or four times less for the mean of a few repeats, and its
interval is wider than they deserve. Here the same interval is taken on as many right-or-wrong items as the
graded ones are worth:

- Their mean varies by V (independent items: Σ r² / (n(n-1)); groups: CR2, at least that of independent
  items), right-or-wrong ones with the same sums by B = ((Σ d⁺ + Σ d⁻)/n - mean²) / (n-1).
- n_eff = n B / V, as the design effect of Kish (1965) and Korn & Graubard (1998) but with graded items worth
  more than one each. k items that differ by h each count as k won or lost of n/h.
- Student's t with n-1, or G*-1, degrees of freedom stands for z, as in `clustered`.

For right or wrong it is Tango's interval with t, and `clustered_difference` with groups.
"""

from collections.abc import Hashable, Sequence
from math import fsum, sqrt

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import FloatArray, IntArray, as_numbers
from bakeoff.stats.interval import Interval, check_level, t_quantile
from bakeoff.stats.mean.clustered import cluster_se, effective_groups
from bakeoff.stats.pair.paired import tango_limits


def graded_difference(
    differences: ArrayLike, clusters: Sequence[Hashable] | IntArray | None = None, level: float = 0.95
) -> Interval | None:
    """Interval for the mean of paired differences in [-1, 1]; None with one item or one group alone.

    `clusters[i]` is the group of item i. Differences without any spread count as that many right-or-wrong
    items, or groups, so that the interval is never of zero width.

    Raises:
        ValueError: no differences, lengths differ, a difference outside [-1, 1], or level outside (0, 1).
    """
    check_level(level)
    x = as_numbers(differences, "differences")
    outside = x[np.abs(x) > 1]
    if outside.size:
        raise ValueError(f"differences must lie between -1 and 1, got {outside[0]}")
    n = x.size
    if clusters is None:
        error, groups = (_error(x) if n > 1 else None), float(n)
    else:
        error, groups = cluster_se(x, clusters, "cr2"), effective_groups(clusters)
    if error is None:
        return None
    gained, given_up = fsum(x[x > 0].tolist()), -fsum(x[x < 0].tolist())
    mean = (gained - given_up) / n
    whole = ((gained + given_up) / n - mean * mean) / (n - 1)
    # Rounding leaves a trace of spread in equal differences such as 0.1.
    worth = groups if error * error < 1e-24 else n * whole / (error * error)
    scale = worth / n
    low, high = tango_limits(scale * gained, scale * given_up, worth, t_quantile(level, max(1.0, groups - 1)))
    return Interval(low, high, level, "graded-tango" if clusters is None else "clustered-graded-tango")


def _error(x: FloatArray) -> float:
    n, mean = x.size, fsum(x.tolist()) / x.size
    return sqrt(fsum(((x - mean) ** 2).tolist()) / (n - 1) / n)
