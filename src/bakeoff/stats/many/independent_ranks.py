"""Ranks of many models whose scores share no items: from estimates and standard errors alone.

A board of thousands has no covariance of all its rows, and where scores were made elsewhere no items
either. All pairs are compared by Tukey's range test for independent estimates with unequal variances
(Tukey-Kramer, which Hayter 1984, Ann. Statist. 12:61, proved to be conservative), and a model's set is
[1 + those shown better, models - those shown worse], as in `ranks`. Where models were asked the same items
these sets are wider than need be, and `rank_sets` the better choice.
"""

from functools import lru_cache
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import as_numbers
from bakeoff.stats.bisection import falls_to
from bakeoff.stats.interval import check_level
from bakeoff.stats.many.ranks import RankSet

_AT_ONCE = 256
"""Models whose differences to all others are held at a time."""


def independent_rank_sets(
    means: ArrayLike, standard_errors: ArrayLike, *, level: float = 0.95
) -> tuple[RankSet, ...]:
    """A set of ranks for each model; together they hold with probability `level` at least.

    `means` (models,), higher is better, are normal around the true scores with those `standard_errors`
    (models,), independently. Time grows with the square of the models, memory with their number.

    Raises:
        ValueError: no finite means, not as many errors, an error below 0, or level outside (0, 1).
    """
    check_level(level)
    mean, error = as_numbers(means, "means"), as_numbers(standard_errors, "standard_errors")
    if len(mean) != len(error):
        raise ValueError(f"each mean needs its standard error, got {len(mean)} and {len(error)}")
    if (error < 0).any():
        raise ValueError(f"a standard error is at least 0, got {error.min()}")
    models = len(mean)
    critical = range_critical(models, level) / sqrt(2) if models > 1 else 0.0
    found = []
    for start in range(0, models, _AT_ONCE):
        rows = slice(start, start + _AT_ONCE)
        ahead = mean[None, :] - mean[rows, None]
        margin = critical * np.sqrt(error[rows, None] ** 2 + error[None, :] ** 2)
        above, below = (ahead > margin).sum(axis=1), (-ahead > margin).sum(axis=1)
        found += [RankSet(1 + int(a), models - int(b)) for a, b in zip(above, below, strict=True)]
    return tuple(found)


@lru_cache(maxsize=256)
def range_critical(models: int, level: float = 0.95) -> float:
    """The quantile of the range of `models` independent standard normals: Tukey's studentized range without
    degrees of freedom. P(range <= q) = k ∫ φ(z) (Φ(z) - Φ(z - q))^(k - 1) dz.

    Raises:
        ValueError: fewer than two models, or level outside (0, 1).
    """
    check_level(level)
    if models < 2:
        raise ValueError(f"a range needs at least two models, got {models}")
    from scipy.special import ndtr

    z = np.linspace(-9.0, 9.0, 7201)
    density = np.exp(-0.5 * z * z) / sqrt(2 * np.pi)

    def beyond(q: float) -> float:
        inside = models * density * (ndtr(z) - ndtr(z - q)) ** (models - 1)
        return 1 - float(np.trapezoid(inside, z))

    return falls_to(beyond, 1 - level, 0.0, 20.0)
