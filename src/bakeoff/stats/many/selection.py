"""The score of the first, adjusted for having been picked as the first.

The largest of several noisy scores is in general too high: it leads in part because its noise was kind.
`first_adjusted` is the hybrid of Andrews, Kitagawa & McCloskey 2024 (Quarterly Journal of Economics 139:305,
"Inference on Winners"). Given which model leads, and what of the others does not depend on the leader's score
Y, Y is a normal cut to the range [L, U] in which it still leads. Its true mean μ is found by quantiles of
that cut normal: the median gives the estimate, two tails the interval. As the cut normal says little when the
lead is small, it is cut further to where μ lies in Y ± c σ, the simultaneous interval for all models of level
1 - β with β = (1 - level)/10, which bounds estimate and interval.

A tie is no win. Models tied for the first place are one: the estimate and the interval are for the mean of
their true scores, by the mean of their scores, against the models behind.
"""

from dataclasses import dataclass
from math import exp, expm1, inf, sqrt

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import FloatArray, as_numbers
from bakeoff.stats.bisection import falls_to
from bakeoff.stats.interval import Interval, check_level
from bakeoff.stats.many.covariance import pair_differences
from bakeoff.stats.many.deviations import deviations
from bakeoff.stats.many.maxt import upper_quantile


@dataclass(frozen=True, slots=True)
class Adjusted:
    """The first model's score as `observed`, and corrected for its selection: `estimate` is below its true
    score as often as above it, `interval` holds it. `first` has the model's number, or those of all that tie.
    Nothing is cut to the range of scores.
    """

    first: tuple[int, ...]
    observed: float
    estimate: float
    interval: Interval


def first_adjusted(
    means: ArrayLike,
    covariance: ArrayLike,
    *,
    level: float = 0.95,
    draws: int = 10_000,
    seed: int = 0,
) -> Adjusted | None:
    """The selection-adjusted score of the model with the highest mean; None if its variance is 0, as where it
    is right on every item.

    `means` (models,), higher is better, and their `covariance` (models, models) as from `mean_covariance`, of
    so many items that the means are about normal. The estimate is median-unbiased up to β/2. With a small
    lead it is far below the observed score, which is what a small lead says.

    Raises:
        ValueError: no finite means, a covariance that is none, models that differ with a standard error of 0,
            level outside (0, 1), or too few draws for it.
    """
    check_level(level)
    mean, sigma = as_numbers(means, "means"), as_numbers(covariance, "covariance", ndim=2)
    pair_differences(mean, sigma)
    observed = float(mean.max())
    first = mean >= observed - 1e-12 * max(1.0, abs(observed))
    weights = first / first.sum()
    variance = float(weights @ sigma @ weights)
    own = np.sqrt(np.diag(sigma))
    # An average cannot lie further off than its members do on average.
    reach = float(weights @ own)
    if variance <= 1e-12 * reach**2 or reach == 0:
        return None
    beta = (1 - level) / 10
    drawn = np.abs(deviations(mean, sigma, draws=draws, seed=seed)[own > 0]) / own[own > 0, None]
    half = upper_quantile(np.sort(drawn.max(axis=0)), 1 - beta) * reach
    low, high = _range_of_the_first(observed, mean[~first], (sigma @ weights)[~first] / variance)
    tail = (1 - level - beta) / (1 - beta) / 2
    sd = sqrt(variance)

    def below(mu: float) -> float:
        return _cut_normal_cdf(observed, mu, sd, max(low, mu - half), min(high, mu + half))

    def where(probability: float) -> float:
        return falls_to(below, probability, observed - half, observed + half)

    interval = Interval(where(1 - tail), where(tail), level, "hybrid")
    return Adjusted(tuple(np.flatnonzero(first).tolist()), observed, where(0.5), interval)


def _range_of_the_first(observed: float, others: FloatArray, slopes: FloatArray) -> tuple[float, float]:
    """Between which scores the first stays ahead, the others moving along with it by their slopes."""
    low, high = -inf, inf
    for lead, slope in zip((observed - others).tolist(), slopes.tolist(), strict=True):
        if slope < 1:
            low = max(low, observed - lead / (1 - slope))
        elif slope > 1:
            high = min(high, observed + lead / (slope - 1))
    return low, high


def _cut_normal_cdf(x: float, mu: float, sd: float, low: float, high: float) -> float:
    """P(X ≤ x) for a normal X given low ≤ X ≤ high, with low ≤ x ≤ high."""
    if low > mu:
        # Mirrored, where tails keep their digits.
        return 1 - _cut_normal_cdf(-x, -mu, sd, -high, -low)
    from scipy.special import log_ndtr

    at_low, at_x, at_high = (float(log_ndtr((limit - mu) / sd)) for limit in (low, x, high))
    return exp(at_x - at_high) * expm1(at_low - at_x) / expm1(at_low - at_high)
