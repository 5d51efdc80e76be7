"""Covariance of several models' mean scores on the same items, and what it says of each pair.

Models that find the same items hard have means that move together, so the difference of two means is known
better than either. Only the joint covariance tells by how much: se_jk² = Σ_jj + Σ_kk - 2 Σ_jk.

- Items independent: Σ = cov(scores) / n, the sample covariance with divisor n - 1 (Miller 2024, arXiv
  2411.00640, section 4.2, for a pair).
- Items in groups: CR1, Σ = G/(G-1) Σ_g s_g s_gᵀ / n², with s_g a group's sum of the deviations from the means
  (Liang & Zeger 1986, with the factor of Stata and statsmodels). G* = n² / Σ n_g² is the effective number of
  groups (Carter, Schnepel & Steigerwald 2017): G for groups of one size, and n for items on their own.

Two floors, since a pair that differs must never look certain:

- In groups, no variance of a score or of a difference counts as less than for independent items. Groups that
  balance inside would otherwise give 0, and that can be chance (the same rule as in `clustered`).
- No difference counts as more than G*/2 standard errors. A model right on every item against one wrong on
  every item has differences without any spread, whose sample variance is 0. With Student's t and G* - 1
  degrees of freedom the cap gives p = .030 for 6 items, where the exact sign test gives .031, and .0007 for
  10, where it gives .0020. It binds only where all but about four items agree on the very same difference.

Where a floor binds, variances of pairs are raised one by one and the matrix is brought back to a covariance
by clipping negative eigenvalues, which raises variances and never lowers one. Models with the very same
scores have equal rows, and a pair variance of exactly 0.
"""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import FloatArray, IntArray, as_numbers
from bakeoff.stats.groups import codes

# A pair variance below this share of the largest variance is rounding: the models have the same scores.
_ROUNDING = 1e-12


def mean_covariance(scores: ArrayLike, clusters: Sequence[Hashable] | None = None) -> FloatArray | None:
    """Covariance (models, models) of the models' mean scores; None from one item or one group alone.

    `scores` (models, items) holds each model's score on each item, repeats averaged within the item first, in
    any unit; `clusters[i]` is the group of item i.

    Raises:
        ValueError: scores are not a finite (models, items) array, or not one group for each item.
    """
    # Only different rows are worked on, so that equal ones stay equal to the last bit.
    y, row_of = _distinct(as_numbers(scores, "scores", ndim=2))
    n = y.shape[1]
    group = None if clusters is None else codes(clusters, n, "groups")
    sizes = np.ones(n, np.int64) if group is None else np.bincount(group)
    if len(sizes) < 2:
        return None
    means = y.mean(axis=1)
    deviations = y - means[:, None]
    independent = covariance = deviations @ deviations.T / (n * (n - 1))
    if group is not None:
        by_group = np.argsort(group, kind="stable")
        starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
        sums = np.add.reduceat(deviations[:, by_group], starts, axis=1)
        covariance = len(sizes) / (len(sizes) - 1) * (sums @ sums.T) / n**2
    surest = (np.subtract.outer(means, means) / (_effective(sizes) / 2)) ** 2
    beyond_rounding = 4 * _ROUNDING * np.diag(independent).max() * (1 - np.eye(len(y)))
    of_pairs = np.maximum(np.maximum(_of_pairs(independent), surest), beyond_rounding)
    return floored(covariance, np.diag(independent), of_pairs)[np.ix_(row_of, row_of)]


def degrees_of_freedom(clusters: int | Sequence[Hashable]) -> float:
    """Degrees of freedom for Student's t beside `mean_covariance`: n - 1 for a number n of independent items,
    or G* - 1, at least 1, for the items' groups.

    Raises:
        ValueError: fewer than two items or groups.
    """
    if isinstance(clusters, (int, np.integer)):
        sizes = np.ones(max(0, clusters), np.int64)
    else:
        sizes = np.bincount(codes(clusters, len(clusters), "groups"))
    if len(sizes) < 2:
        raise ValueError(f"a variance needs at least two items or groups, got {len(sizes)}")
    return max(1.0, _effective(sizes) - 1)


def pair_differences(means: ArrayLike, covariance: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Difference (row minus column) and its standard error for each pair of models, both (models, models).

    A standard error of 0 means the very same scores; what is less than a millionth of the largest is 0.

    Raises:
        ValueError: means are not a finite row, covariance is not a finite symmetric matrix of that size with
            variances of pairs at or above 0, or models differ with a standard error of 0.
    """
    mean = as_numbers(means, "means")
    sigma = as_numbers(covariance, "covariance", ndim=2)
    if sigma.shape != (len(mean), len(mean)):
        raise ValueError(f"covariance must be {len(mean)} by {len(mean)} for the means, got {sigma.shape}")
    variance = np.diag(sigma)
    together = np.add.outer(variance, variance)
    of_pairs = _of_pairs(sigma)
    if (variance < 0).any() or (of_pairs < -1e-6 * together).any():
        raise ValueError("covariance is not one: the variance of a score or of a difference is below 0")
    if not np.allclose(sigma, sigma.T, rtol=0, atol=1e-9 * variance.max()):
        raise ValueError("covariance must be symmetric")
    se = np.sqrt(np.where(of_pairs > _ROUNDING * variance.max(), of_pairs, 0.0))
    difference = np.subtract.outer(mean, mean)
    sure = (se == 0) & (np.abs(difference) > 1e-9 * max(1.0, float(np.abs(mean).max())))
    if sure.any():
        j, k = np.argwhere(sure)[0]
        raise ValueError(
            f"models {j} and {k} differ by {difference[j, k]} with a standard error of 0, which no items can "
            "show; `mean_covariance` has a floor"
        )
    return difference, se


def _distinct(rows: FloatArray) -> tuple[FloatArray, list[int]]:
    """The different rows, in an order of their own, and which of them each row is.

    By their bytes: `np.unique` compares rows number by number, which takes longer than all the rest.
    """
    keys = [row.tobytes() for row in rows + 0.0]  # a zero below 0 is a zero
    places = {key: place for place, key in enumerate(sorted(set(keys)))}
    return np.frombuffer(b"".join(places)).reshape(len(places), -1), [places[key] for key in keys]


def _effective(sizes: IntArray) -> float:
    return float(sizes.sum() ** 2 / (sizes**2).sum())


def _of_pairs(covariance: FloatArray) -> FloatArray:
    variance = np.diag(covariance)
    return np.asarray(np.add.outer(variance, variance) - 2 * covariance)


def floored(covariance: FloatArray, variances: FloatArray, of_pairs: FloatArray) -> FloatArray:
    """`covariance` with no variance below `variances` and none of a pair below `of_pairs`."""
    own = np.diag(covariance)
    raised, pairs = np.maximum(own, variances), np.maximum(_of_pairs(covariance), of_pairs)
    # Rounding alone is no reason to leave the plain estimate.
    slack = _ROUNDING * np.add.outer(raised, raised)
    if (raised <= own * (1 + _ROUNDING)).all() and (pairs <= _of_pairs(covariance) + slack).all():
        return covariance
    values, vectors = np.linalg.eigh((np.add.outer(raised, raised) - pairs) / 2)
    return np.asarray((vectors * np.maximum(values, 0)) @ vectors.T)
