"""Ratings at equal style: strengths beside what length or lists are worth to voters.

ln odds of `first` = r_i - r_j + x·γ with covariates x of the vote, most often a difference of the two
answers' lengths or markup (Li, Angelopoulos & Chiang 2024, "Does style matter?"). Strengths and coefficients
are fitted together, without a penalty. A penalty of fixed size against the mean log-likelihood would shrink
the coefficients, and leave style in the strengths, however many votes there are.

A coefficient is the log-odds for one unit of its covariate: `relative_difference` gives the units of
published boards. A column of ones is what being shown first is worth.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import FloatArray, IntArray, as_numbers
from bakeoff.stats.ratings.battles import Battles, pairs_of
from bakeoff.stats.ratings.bradley_terry import bradley_terry
from bakeoff.stats.ratings.clustered import (
    Clusters,
    at_least,
    cluster_codes,
    cluster_meat,
    degrees_of_freedom,
    recentred,
)
from bakeoff.stats.ratings.fit import Fit, spread
from bakeoff.stats.ratings.newton import centred_inverse, newton
from bakeoff.stats.ratings.sandwich import laplacian, one_more_vote

_CHUNK = 1 << 17  # votes worked on at once: their arrays stay in the cache


@dataclass(frozen=True, slots=True, eq=False)
class StyleFit:
    """Strengths at equal style, and what style is worth.

    `fit` holds the strengths; `coefficient` (K,) is in natural log-odds for one unit of each covariate and
    `coefficient_covariance` (K, K) its covariance.
    """

    fit: Fit
    coefficient: FloatArray
    coefficient_covariance: FloatArray


def style_controlled(battles: Battles, features: ArrayLike, clusters: Clusters = ()) -> StyleFit:
    """The most likely strengths and coefficients, ties as half, with the sandwich covariance of independent
    votes or, with `clusters` as for `clustered`, of votes that hang together.

    `features` (n, K) are the covariates of each vote, `first`'s side minus `second`'s, used as they are.
    Standing is as for `bradley_terry`, and as there each model counts one vote more for its variance.

    Raises:
        ValueError: features that are not a finite row for every vote, no two models that can be rated, a
            covariate that says nothing beyond who answered and the other covariates, or one that tells wins
            from losses without any error; clusters as for `clustered`.
    """
    x = as_numbers(features, "features", ndim=2)
    if len(x) != len(battles):
        raise ValueError(f"each vote needs its features, got {len(battles)} votes and {len(x)} rows")
    plain = bradley_terry(pairs_of(battles))
    rated = plain.rated
    if not rated.any():
        raise ValueError("no two models have scored against each other, so there is none to rate")
    kept = battles.between(rated)
    inner = battles.among(rated)
    x = x if kept.all() else x[kept]
    keys = cluster_codes(clusters, kept) if clusters else []
    m = inner.models
    votes = _Votes(inner, x)
    start = np.append(plain.strength[rated], np.zeros(x.shape[1]))
    _check_told_apart(votes.likelihood(start)[2], m)
    found, value, information, steps = newton(votes.likelihood, start, m)
    bread = centred_inverse(information, m)
    independent = bread @ votes.meat(found) @ bread
    by_strength, by_coefficient = independent[:m, :m], independent[m:, m:]
    if keys:
        together = bread @ cluster_meat(inner, votes.residual(found), x, keys) @ bread
        by_strength = recentred(at_least(together[:m, :m], by_strength))
        by_coefficient = at_least(together[m:, m:], by_coefficient)
    fit = Fit(
        spread(found[:m], rated),
        spread(by_strength, rated),
        plain.standing,
        value,
        steps,
        degrees_of_freedom(keys) if keys else inf,
    )
    return StyleFit(fit, found[m:], by_coefficient)


def relative_difference(first: ArrayLike, second: ArrayLike) -> FloatArray:
    """Covariates (n, K) from what was counted in both answers, tokens or headers, both (n, K) and at least 0.

    (a - b) / (a + b), 0 where both are 0, over its root mean square. The mean is not taken off: it is 0 but
    for chance where sides are drawn at random, and answers that change sides only change the sign.

    Raises:
        ValueError: counts that are not finite, below 0 or of different shapes, or a covariate that is 0 in
            every vote.
    """
    a, b = as_numbers(first, "first", ndim=2), as_numbers(second, "second", ndim=2)
    if a.shape != b.shape:
        raise ValueError(f"both answers must be counted alike, got shapes {a.shape} and {b.shape}")
    if min(a.min(), b.min()) < 0:
        raise ValueError(f"counts must be at least 0, got {min(a.min(), b.min())}")
    total = a + b
    relative = np.divide(a - b, total, out=np.zeros_like(a), where=total > 0)
    size = np.sqrt((relative**2).mean(axis=0))
    if not size.all():
        raise ValueError(f"covariate {int(size.argmin())} is the same for both answers in every vote")
    return np.asarray(relative / size)


class _Votes:
    """Sums over votes, by parts that fit the cache."""

    def __init__(self, battles: Battles, features: FloatArray) -> None:
        self.battles, self.features = battles, features
        self.pair = battles.first.astype(np.int64) * battles.models + battles.second
        self.extra = one_more_vote(pairs_of(battles))

    def likelihood(self, parameters: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        m, k = self.battles.models, self.features.shape[1]
        value, by_pair, by_feature = 0.0, np.zeros(m * m), np.zeros(k)
        sums = _Sums(m, k)
        for part in self.parts():
            z, x, weight = self.logit(part, parameters), self.features[part], self.weight(part)
            # Of both signs of z, without overflow.
            small = np.exp(-np.abs(z))
            p = np.where(z > 0, 1.0, small) / (1 + small)
            residual = weight * (self.battles.outcome[part] - p)
            value += float((weight * ((self.battles.outcome[part] - (z > 0)) * z - np.log1p(small))).sum())
            by_pair += np.bincount(self.pair[part], residual, m * m)
            by_feature += residual @ x
            sums.add(self.pair[part], x, weight * p * (1 - p))
        net = by_pair.reshape(m, m)
        return value, np.append(net.sum(axis=1) - net.sum(axis=0), by_feature), sums.matrix()

    def meat(self, parameters: FloatArray) -> FloatArray:
        m, k = self.battles.models, self.features.shape[1]
        sums, squares = _Sums(m, k), self.residual(parameters) ** 2
        for part in self.parts():
            sums.add(self.pair[part], self.features[part], squares[part])
        meat = sums.matrix()
        surprise = np.cosh(np.subtract.outer(parameters[:m], parameters[:m]) / 2) ** -2 / 4  # p (1 - p)
        meat[:m, :m] += laplacian(self.extra * surprise)
        return meat

    def residual(self, parameters: FloatArray) -> FloatArray:
        from scipy.special import expit

        parts = [
            self.weight(part) * (self.battles.outcome[part] - expit(self.logit(part, parameters)))
            for part in self.parts()
        ]
        return np.concatenate(parts)

    def logit(self, part: slice, parameters: FloatArray) -> FloatArray:
        m = self.battles.models
        difference = np.subtract.outer(parameters[:m], parameters[:m]).ravel()
        return np.asarray(difference[self.pair[part]] + self.features[part] @ parameters[m:])

    def weight(self, part: slice) -> FloatArray | float:
        return 1.0 if self.battles.weight is None else self.battles.weight[part]

    def parts(self) -> Iterator[slice]:
        return (slice(start, start + _CHUNK) for start in range(0, len(self.battles), _CHUNK))


class _Sums:
    """Σ v (d, x)(d, x)ᵀ over votes, with d = e_first - e_second."""

    def __init__(self, models: int, features: int) -> None:
        self.models = models
        self.pairs = np.zeros((1 + features, models * models))
        self.features = np.zeros((features, features))

    def add(self, pair: IntArray, x: FloatArray, value: FloatArray) -> None:
        self.pairs[0] += np.bincount(pair, value, self.pairs.shape[1])
        scaled = x * value[:, None]
        for k in range(len(self.features)):
            self.pairs[1 + k] += np.bincount(pair, scaled[:, k], self.pairs.shape[1])
        self.features += scaled.T @ x

    def matrix(self) -> FloatArray:
        both, *crossed = self.pairs.reshape(-1, self.models, self.models)
        cross = np.array([each.sum(axis=1) - each.sum(axis=0) for each in crossed])
        cross = cross.reshape(len(crossed), self.models)
        return np.block([[laplacian(both + both.T), cross.T], [cross, self.features]])


def _check_told_apart(information: FloatArray, models: int) -> None:
    """Refuse covariates that follow from who answered, or from one another."""
    cross, own = information[:models, models:], information[models:, models:]
    beyond = own - cross.T @ centred_inverse(information[:models, :models], models) @ cross
    size = np.sqrt(np.diag(own))
    if not size.all():
        raise ValueError(f"covariate {int(size.argmin())} is 0 in every vote")
    values, vectors = np.linalg.eigh(beyond / np.outer(size, size))
    if values[0] < 1e-9:
        raise ValueError(
            f"covariate {int(np.abs(vectors[:, 0]).argmax())} says nothing beyond who answered and the other "
            "covariates, so what it is worth cannot be known"
        )
