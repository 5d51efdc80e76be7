"""Agreement between raters beyond chance: (observed - chance) / (1 - chance), where all may stand in for each
other.

The coefficients differ in what chance would do: `fleiss` draws from the shares of the categories, `bennett`
from all categories alike, `gwet` lets only hard items be rated at random. Where one category holds nearly
all items, kappas fall towards 0 however well raters agree (Feinstein & Cicchetti 1990, J. Clin. Epidemiol.
43:543); so show `observed` and `shares` beside any of them. Raters with habits of their own: `kappa`.
"""

from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.agreement.ratings import as_counts
from bakeoff.stats.arrays import FloatArray, IntArray, as_numbers
from bakeoff.stats.interval import Interval, check_level, t_quantile
from bakeoff.stats.mean.proportion import wilson_limits


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far raters agree.

    `value` is the coefficient, at most 1 and 0 where raters agree as often as by chance; None where chance
    alone would always agree (all ratings are of one category). `observed` is the share of pairs of ratings
    that agree, or their mean weight, and `chance` what it would be by chance. `error` is the standard error
    of the value, None for a single item or without a value. `shares` are those of the categories among all
    ratings, and `items` counts those with two ratings or more.
    """

    value: float | None
    observed: float
    chance: float
    error: float | None
    interval: Interval | None
    shares: tuple[float, ...]
    items: int


def distance_weights(categories: ArrayLike, kind: Literal["linear", "quadratic"] = "quadratic") -> FloatArray:
    """Partial agreement of ordered categories: 1 - (distance / range) or its square, shape (q, q).

    `categories` are their numbers on the scale, in the order of the columns of the counts.

    Raises:
        ValueError: fewer than two categories, two alike, one that is not finite, or an unknown kind.
    """
    scale = as_numbers(categories, "categories")
    if len(np.unique(scale)) != len(scale) or len(scale) < 2:
        raise ValueError(f"weights need two categories or more, all different, got {scale.tolist()}")
    if kind not in ("linear", "quadratic"):
        raise ValueError(f"weights are linear or quadratic, got {kind!r}")
    distance = np.abs(scale[:, None] - scale) / (scale.max() - scale.min())
    weights: FloatArray = 1 - (distance if kind == "linear" else distance**2)
    return weights


def gwet(counts: ArrayLike, weights: ArrayLike | None = None, *, level: float = 0.95) -> Agreement | None:
    """Gwet's AC1, or AC2 with `weights` (Gwet 2008, Br. J. Math. Stat. Psychol. 61:29; 2014, 4th edition).

    `counts` (items, categories) are those of `rating_counts`; items may have different numbers of ratings.
    An item with one rating tells of the categories only; None if no item has two. The standard error is that
    over items, the raters taken as fixed; the interval is that of `agreement_interval`.

    Raises:
        ValueError: counts are not whole, negative, or of fewer than two categories; weights are not a
            symmetric (q, q) array in [0, 1] with 1 on the diagonal; or level outside (0, 1).
    """
    rated, weight = _rated(counts, weights)
    q = rated.shape[1]
    given = rated / rated.sum(axis=1, keepdims=True)
    shares = given.mean(axis=0)
    scale = weight.sum() / (q * (q - 1))
    return _coefficient(rated, weight, scale * shares @ (1 - shares), scale * given @ (1 - shares), level)


def fleiss(counts: ArrayLike, weights: ArrayLike | None = None, *, level: float = 0.95) -> Agreement | None:
    """Fleiss' kappa (1971, Psychol. Bull. 76:378); of two raters Scott's pi (1955). Otherwise as `gwet`.

    Raises:
        ValueError: as for `gwet`.
    """
    rated, weight = _rated(counts, weights)
    given = rated / rated.sum(axis=1, keepdims=True)
    shares = given.mean(axis=0)
    return _coefficient(rated, weight, shares @ weight @ shares, given @ weight @ shares, level)


def bennett(counts: ArrayLike, weights: ArrayLike | None = None, *, level: float = 0.95) -> Agreement | None:
    """Chance is 1 / q for q categories: Bennett, Alpert & Goldstein's S (1954), Brennan & Prediger's
    coefficient (1981), for many raters Randolph's free-marginal kappa (2005), for two categories PABAK
    (Byrt, Bishop & Carlin 1993). Otherwise as `gwet`.

    Raises:
        ValueError: as for `gwet`.
    """
    rated, weight = _rated(counts, weights)
    chance = weight.mean()
    return _coefficient(rated, weight, chance, np.full(len(rated), chance), level)


def item_agreement(rated: IntArray, weight: FloatArray) -> FloatArray:
    """Of each item the mean weight of its pairs of ratings; NaN for one with fewer than two."""
    ratings = rated.sum(axis=1)
    pairs = ratings * (ratings - 1)
    agreeing = (rated * (rated @ weight)).sum(axis=1) - ratings
    return np.where(pairs > 0, agreeing / np.maximum(pairs, 1), np.nan)


def linearised(
    agreeing: FloatArray, chance: float, chance_of_item: FloatArray
) -> tuple[float | None, float, float | None]:
    """Value, observed agreement and standard error, from what each item adds (Gwet 2014, chapter 5).

    `agreeing` has NaN for items with fewer than two ratings, and at least one that is not. `chance` is a
    quadratic form in the shares of the categories, `chance_of_item` the form with one of the two shares
    replaced by the item's own.
    """
    n, paired = len(agreeing), ~np.isnan(agreeing)
    observed = float(agreeing[paired].mean())
    if 1 - chance < 1e-12:
        return None, observed, None
    value = (observed - chance) / (1 - chance)
    if n < 2:
        return value, observed, None
    own = np.where(paired, agreeing - chance, 0.0) * n / paired.sum()
    added = (own - 2 * (1 - value) * (chance_of_item - chance)) / (1 - chance)
    return value, observed, sqrt(float(((added - value) ** 2).sum()) / (n * (n - 1)))


def agreement_interval(observed: float, chance: float, error: float, items: int, level: float) -> Interval:
    """Wilson's interval of the observed agreement, moved to the scale of the coefficient.

    Counted on as many items as give the coefficient its standard error, with Student's t; where nothing
    varies, as where all agree, on the items there are. Never of zero width, contains the value, ends at 1. At
    95 % it covers 0.92 to 0.97 from 50 items on, where value ± 1.96 · error falls to 0.65 if few items are
    disagreed on. A kappa of 20 items with a rare category remains below: 0.86.
    """
    spread = error * (1 - chance)
    n = observed * (1 - observed) / spread**2 if spread > 1e-9 and 0 < observed < 1 else items
    low, high = wilson_limits(min(observed, 1.0), n, t_quantile(level, max(items - 1, 1)))
    return Interval((low - chance) / (1 - chance), (high - chance) / (1 - chance), level, "wilson-agreement")


def as_weights(weights: ArrayLike | None, q: int) -> FloatArray:
    """Weights of agreement, the identity for None.

    Raises:
        ValueError: not a symmetric (q, q) array in [0, 1] with 1 on the diagonal.
    """
    if weights is None:
        return np.eye(q)
    matrix = as_numbers(weights, "weights", ndim=2)
    if matrix.shape != (q, q):
        raise ValueError(f"weights must be of shape {(q, q)}, got {matrix.shape}")
    if (matrix != matrix.T).any() or (np.diag(matrix) != 1).any() or matrix.min() < 0 or matrix.max() > 1:
        raise ValueError(
            f"weights must be symmetric and in [0, 1], with 1 on the diagonal, got {matrix.tolist()}"
        )
    return matrix


def _rated(counts: ArrayLike, weights: ArrayLike | None) -> tuple[IntArray, FloatArray]:
    rated = as_counts(counts, "counts")
    weight = as_weights(weights, rated.shape[1])
    rated = rated[rated.sum(axis=1) > 0]
    if not len(rated):
        raise ValueError("counts must hold at least one rating, got none")
    return rated, weight


def _coefficient(
    rated: IntArray, weight: FloatArray, chance: float, chance_of_item: FloatArray, level: float
) -> Agreement | None:
    check_level(level)
    agreeing = item_agreement(rated, weight)
    items = int((~np.isnan(agreeing)).sum())
    if not items:
        return None
    chance = float(chance)
    value, observed, error = linearised(agreeing, chance, chance_of_item)
    interval = None
    if value is not None and error is not None:
        interval = agreement_interval(observed, chance, error, items, level)
    shares = (rated / rated.sum(axis=1, keepdims=True)).mean(axis=0)
    return Agreement(value, observed, chance, error, interval, tuple(shares.tolist()), items)
