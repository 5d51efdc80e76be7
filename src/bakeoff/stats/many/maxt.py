"""Tests of many pairs of models at once by the largest t, which knows how the pairs hang together.

Westfall & Young 1993; step-down as in Romano & Wolf 2005 (JASA 100:94), with draws from the joint normal
distribution of the means. Pairs share models and items, so their statistics are correlated, and the largest
of them is smaller than that of as many independent ones: in general more is found than with Holm's method.

With `df` degrees of freedom, each observed t counts as the z with the same tail probability. A pair's
variance is estimated from its own differences: one common χ² for all pairs, the textbook's multivariate t,
is too lenient (of ten equal models on ten groups of items none is rejected at .95 in .88 of the cases, with
this in .93).
"""

from dataclasses import dataclass
from math import ceil, inf, isinf
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff.stats.arrays import FloatArray, as_numbers
from bakeoff.stats.interval import check_level
from bakeoff.stats.many.covariance import pair_differences
from bakeoff.stats.many.deviations import deviations

_PART = 1000
"""Draws that are worked on at once."""


@dataclass(frozen=True, slots=True, eq=False)
class PairTests:
    """Every pair of models, row against column; all arrays but `maxima` are (models, models).

    `difference` is the row's mean minus the column's, `se` its standard error, `p` the two-sided p-value
    adjusted for all pairs that were tested. `tested` says which were; the others have p = 1: a model against
    itself, pairs with the very same scores, pairs outside the family. `maxima` holds the largest |t| of each
    draw, sorted; empty where no pair was tested.
    """

    difference: FloatArray
    se: FloatArray
    p: FloatArray
    tested: NDArray[np.bool_]
    maxima: FloatArray

    def critical(self, level: float = 0.95) -> float | None:
        """The c for which all intervals `difference` ± c `se` hold together at `level`; None without a pair.

        Single-step: every pair whose interval leaves out 0 has p ≤ 1 - level, and others may have it too.

        Raises:
            ValueError: level outside (0, 1), or too near 1 for the number of draws.
        """
        check_level(level)
        return upper_quantile(self.maxima, level) if self.maxima.size else None


def max_t(
    means: ArrayLike,
    covariance: ArrayLike,
    *,
    pairs: Literal["all"] | int = "all",
    df: float = inf,
    draws: int = 10_000,
    seed: int = 0,
) -> PairTests:
    """Step-down max-t tests that two models do equally well: of all pairs, or of all with one baseline.

    `means` (models,) and their `covariance` (models, models) as from `mean_covariance`, `df` as from
    `degrees_of_freedom`; `pairs` is "all" or the baseline's number. A p-value counts the observed statistic
    among the draws, so none is below 1 / (draws + 1).

    Raises:
        ValueError: no finite means, a covariance that is none, models that differ with a standard error of 0,
            a baseline that is no model's number, df not above 0, or fewer than 100 draws.
    """
    mean, sigma = as_numbers(means, "means"), as_numbers(covariance, "covariance", ndim=2)
    difference, se = pair_differences(mean, sigma)
    family = np.ones_like(se, dtype=bool)
    if pairs != "all":
        check_model(pairs, len(mean))
        family[:] = False
        family[pairs] = family[:, pairs] = True
    tested = family & (se > 0)
    noise = deviations(mean, sigma, draws=draws, seed=seed)
    adjusted, maxima = step_down(difference, se, np.triu(tested), noise, df=df)
    # Each pair was tested once; elsewhere `adjusted` is 1.
    return PairTests(difference, se, np.minimum(adjusted, adjusted.T), tested, _as_t(maxima, df))


def step_down(
    difference: FloatArray,
    se: FloatArray,
    family: NDArray[np.bool_],
    noise: FloatArray,
    *,
    df: float,
) -> tuple[FloatArray, FloatArray]:
    """Adjusted two-sided p-values of the pairs (row, column) in `family`, 1 for the others; and the largest
    |z| of each draw, sorted.

    A pair's p-value is the share of the draws (with the observed one) in which the largest statistic of this
    pair and all with smaller ones reaches it; p-values rise as statistics fall. Rejecting p ≤ α is the
    procedure that finds the critical value, drops what it rejects and repeats until nothing is. `noise`
    (models, draws) as from `deviations`.

    Raises:
        ValueError: df not above 0.
    """
    first, second = np.nonzero(family)
    p, draws = np.ones_like(se), noise.shape[1]
    z = np.abs(_as_z(difference[first, second] / se[first, second], df))
    ascending = np.argsort(z, kind="stable")
    largest, drawn = np.full(draws, -inf), np.empty(draws)
    reached = np.empty(len(z))
    # From the smallest statistic upwards, each step's family is the last one's and one pair more.
    for s in ascending:
        j, k = first[s], second[s]
        np.subtract(noise[j], noise[k], out=drawn)
        drawn /= se[j, k]
        np.abs(drawn, out=drawn)
        np.maximum(largest, drawn, out=largest)
        reached[s] = np.count_nonzero(largest >= z[s])
    descending = ascending[::-1]
    p[first[descending], second[descending]] = np.maximum.accumulate((1 + reached[descending]) / (1 + draws))
    return p, np.sort(largest) if len(z) else np.empty(0)


def shown(
    difference: FloatArray,
    se: FloatArray,
    family: NDArray[np.bool_],
    noise: FloatArray,
    *,
    df: float,
    alpha: float,
) -> NDArray[np.bool_]:
    """For which pairs of `family` the row is better than the column, by one-sided step-down at `alpha`.

    The decisions without the p-values take a fraction of the time. A pair whose own p-value is beyond `alpha`
    by more than the draws can be off is rejected in no family: of those only the largest statistic of each
    draw is needed. A pair that a hundredth of Bonferroni's level rejects is rejected in every one. Draws are
    counted pair by pair for the few between, whose statistics are above 0.

    Raises:
        ValueError: df not above 0.
    """
    from scipy.special import ndtr

    first, second = np.nonzero(family)
    draws = noise.shape[1]
    found = np.zeros_like(family)
    z = _as_z(difference[first, second] / se[first, second], df)
    tail = ndtr(-z)
    surely = len(z) * tail < alpha / 100
    hopeless = alpha + 5 * np.sqrt(alpha * (1 - alpha) / draws) + 1 / draws
    # At levels that nobody uses, pairs below 0 are in question, and 0 is no floor.
    never = (tail > hopeless) & (alpha < 0.5)
    found[first[surely], second[surely]] = True
    scale = np.zeros_like(se)
    scale[first[never], second[never]] = 1 / se[first[never], second[never]]
    largest = _largest(noise, scale) if alpha < 0.5 else np.full(draws, -inf)
    between = np.flatnonzero(~(surely | never))
    ascending = between[np.argsort(z[between], kind="stable")]
    reached = np.empty(len(ascending))
    for at, s in enumerate(ascending):
        j, k = first[s], second[s]
        np.maximum(largest, (noise[j] - noise[k]) / se[j, k], out=largest)
        reached[at] = np.count_nonzero(largest >= z[s])
    p = np.maximum.accumulate((1 + reached[::-1]) / (1 + draws))
    rejected = ascending[::-1][p <= alpha + 1e-12]
    found[first[rejected], second[rejected]] = True
    return found


def _largest(noise: FloatArray, scale: FloatArray) -> FloatArray:
    """The largest of (noise[j] - noise[k]) scale[j, k] of each draw, and 0 at least, to seven digits."""
    short, scales = noise.astype(np.float32), scale.astype(np.float32)
    largest = np.zeros(noise.shape[1], dtype=np.float32)
    # By parts that fit the cache.
    for start in range(0, noise.shape[1], _PART):
        part = np.ascontiguousarray(short[:, start : start + _PART])
        into, statistics = largest[start : start + _PART], np.empty_like(part)
        for j in np.flatnonzero(scales.any(axis=1)):
            np.subtract(part[j], part, out=statistics)
            np.multiply(statistics, scales[j, :, None], out=statistics)
            np.maximum(into, statistics.max(axis=0), out=into)
    return largest.astype(np.float64)


def upper_quantile(ordered: FloatArray, level: float) -> float:
    """The smallest of the sorted draws that a new one is at or below with probability `level` or more.

    Raises:
        ValueError: level too near 1 for the number of draws.
    """
    at = ceil((len(ordered) + 1) * level - 1e-9)
    if at > len(ordered):
        raise ValueError(f"{len(ordered)} draws cannot show a level of {level}: draw more")
    return float(ordered[at - 1])


def check_model(model: int, models: int) -> None:
    """Refuse what is no model's number.

    Raises:
        ValueError: model outside 0 to models - 1.
    """
    if not 0 <= model < models:
        raise ValueError(f"a model's number lies between 0 and {models - 1}, got {model}")


def _as_z(t: FloatArray, df: float) -> FloatArray:
    """The z with the same tail probability as each t."""
    if not df > 0:
        raise ValueError(f"degrees of freedom must be above 0, got {df}")
    if isinf(df):
        return t
    from scipy.special import ndtri, stdtr

    # By the lower tail, which keeps its digits.
    return np.asarray(-np.sign(t) * ndtri(stdtr(df, -np.abs(t))))


def _as_t(z: FloatArray, df: float) -> FloatArray:
    """The t with the same tail probability as each z ≥ 0."""
    if isinf(df):
        return z
    from scipy.special import ndtr, stdtrit

    return np.asarray(-stdtrit(df, ndtr(-z)))
