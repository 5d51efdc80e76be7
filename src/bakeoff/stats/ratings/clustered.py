"""Intervals for votes that hang together: several by one voter, or on one prompt.

Votes of a cluster are added up before they are squared, S = G/(G-1) Σ_g u_g u_gᵀ with u_g the sum of a
cluster's score vectors (Liang & Zeger 1986). For two keys, S is that of the first plus that of the second
minus that of both together (Cameron, Gelbach & Miller 2011, JBES 29:238).

As with mean scores (`stats.many.covariance`), no variance of a difference of strengths counts as less than
for independent votes: clusters that balance inside would make it small, and that can be chance. The
floor also mends what the subtraction for two keys leaves negative. Student's t has G* - 1 degrees of freedom
with G* = n² / Σ n_g², the smaller of two keys' G*: a few voters who cast most votes are few.
"""

from collections.abc import Hashable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.groups import codes
from bakeoff.stats.many.covariance import floored
from bakeoff.stats.ratings.battles import Battles, pairs_of
from bakeoff.stats.ratings.bradley_terry import half_ties, win_probability
from bakeoff.stats.ratings.fit import Fit, spread
from bakeoff.stats.ratings.newton import centred_inverse
from bakeoff.stats.ratings.sandwich import half_tie_meat

Clusters = Sequence[Sequence[Hashable] | IntArray]
"""One or two keys, each with a cluster for every vote: who voted, on which prompt."""


def clustered(fit: Fit, battles: Battles, clusters: Clusters) -> Fit:
    """`fit`, of `bradley_terry` on the same votes, with the covariance for votes in clusters.

    `clusters` holds one or two keys, each a row (n,) with the cluster of every vote.

    Raises:
        ValueError: no key or more than two, a row of another length, fewer than two clusters among the votes
            of rated models, or a fit of other votes or weights.
    """
    if battles.models != len(fit.strength):
        raise ValueError(f"votes are of {battles.models} models and the fit of {len(fit.strength)}")
    rated = fit.rated
    if not rated.any():
        return fit
    keys = cluster_codes(clusters, battles.between(rated))
    inner = battles.among(rated)
    strength = fit.strength[rated]
    m = len(strength)
    pairs = pairs_of(inner)
    _, gradient, information = half_ties(pairs)(strength)
    if np.abs(gradient).max() > 1e-6 * pairs.battles.sum():
        raise ValueError("the fit is not the one of bradley_terry on these votes with these weights")
    residual = inner.weights * (inner.outcome - _expit(strength[inner.first] - strength[inner.second]))
    meat = cluster_meat(inner, residual, np.empty((len(inner), 0)), keys)
    bread = centred_inverse(information, m)
    independent = bread @ half_tie_meat(pairs, win_probability(strength)) @ bread
    covariance = recentred(at_least(bread @ meat @ bread, independent))
    return replace(fit, covariance=spread(covariance, rated), df=degrees_of_freedom(keys))


def cluster_codes(clusters: Clusters, chosen: NDArray[np.bool_]) -> list[IntArray]:
    """For each key the clusters of the `chosen` votes (n,) as numbers from 0.

    Raises:
        ValueError: as for `clustered`.
    """
    if not 1 <= len(clusters) <= 2:
        raise ValueError(f"votes hang together by one or two keys (voter, prompt), got {len(clusters)}")
    keys = [codes(key, len(chosen), "clusters") for key in clusters]
    if not chosen.all():
        keys = [codes(key[chosen], int(chosen.sum()), "clusters") for key in keys]
    if any(not key.size or key.max() < 1 for key in keys):
        raise ValueError("clusters must be two or more: one says nothing of voters it does not hold")
    return keys


def cluster_meat(
    battles: Battles, residual: FloatArray, features: FloatArray, keys: list[IntArray]
) -> FloatArray:
    """S for one or two keys; the score vector of a vote is `residual` (n,) on the first model, its negative
    on the second, and times `features` (n, K) on the parameters behind the strengths.
    """
    meat = sum(_one_way(battles, residual, features, key) for key in keys)
    if len(keys) == 2:
        both = keys[0] * (int(keys[1].max()) + 1) + keys[1]
        meat = meat - _one_way(battles, residual, features, codes(both, len(both), "clusters"))
    return np.asarray(meat)


def at_least(covariance: FloatArray, independent: FloatArray) -> FloatArray:
    """`covariance` with no variance, and none of a difference, below the one for independent votes."""
    variance = np.diag(independent)
    return floored(covariance, variance, np.add.outer(variance, variance) - 2 * independent)


def recentred(covariance: FloatArray) -> FloatArray:
    """The covariance of the same strengths less their mean; differences keep their variances."""
    rows = covariance - covariance.mean(axis=0)
    return np.asarray(rows - rows.mean(axis=1, keepdims=True))


def degrees_of_freedom(keys: list[IntArray]) -> float:
    """The smallest G* - 1 of the keys, at least 1."""
    sizes = [np.bincount(key).astype(np.float64) for key in keys]
    return max(1.0, min(float(size.sum() ** 2 / (size**2).sum()) for size in sizes) - 1)


def _one_way(battles: Battles, residual: FloatArray, features: FloatArray, key: IntArray) -> FloatArray:
    from scipy.sparse import csr_array

    groups = int(key.max()) + 1
    rows, models = np.concatenate([key, key]), np.concatenate([battles.first, battles.second])
    # Entries of the same place are added up.
    sums = csr_array((np.concatenate([residual, -residual]), (rows, models)), (groups, battles.models))
    beside = np.empty((groups, features.shape[1]))
    for k, column in enumerate(features.T):
        beside[:, k] = np.bincount(key, residual * column, groups)
    cross = sums.T @ beside
    meat = np.block([[(sums.T @ sums).toarray(), cross], [cross.T, beside.T @ beside]])
    return np.asarray(groups / (groups - 1) * meat)


def _expit(z: FloatArray) -> FloatArray:
    from scipy.special import expit

    return np.asarray(expit(z))
