"""How often a model is expected to win, ties as half: against each other model, and against all of them.

A strength is a number on a scale that few know; that a model is expected to win .62 of the votes against
the others, all met equally often, needs no scale. Standard errors by the delta method, intervals on the
log-odds, so that they stay within 0 and 1.
"""

from dataclasses import dataclass

import numpy as np

from bakeoff.stats.arrays import FloatArray
from bakeoff.stats.ratings.bradley_terry import win_probability
from bakeoff.stats.ratings.fit import Fit
from bakeoff.stats.ratings.scale import quantile


@dataclass(frozen=True, slots=True, eq=False)
class WinRates:
    """Expected shares of votes won, in [0, 1], with intervals from `low` to `high`, each at `level` for
    itself. NaN where a model is not rated, and for a model against itself.
    """

    rate: FloatArray
    low: FloatArray
    high: FloatArray
    level: float


def pair_win_rates(fit: Fit, level: float = 0.95) -> WinRates:
    """What the row is expected to win against the column, arrays (models, models).

    Raises:
        ValueError: level outside (0, 1).
    """
    difference = np.subtract.outer(fit.strength, fit.strength)
    variance = np.diag(fit.covariance)
    se = np.sqrt(np.maximum(np.add.outer(variance, variance) - 2 * fit.covariance, 0))
    np.fill_diagonal(difference, np.nan)
    return _within_bounds(difference, se, quantile(fit, level), level)


def mean_win_rates(fit: Fit, level: float = 0.95) -> WinRates:
    """What each model is expected to win against the other rated ones, each met equally often; (models,).

    The number depends on who else is rated; the order is that of the strengths.

    Raises:
        ValueError: level outside (0, 1).
    """
    rated = fit.rated
    rate, se = np.full((2, len(rated)), np.nan)
    others = int(rated.sum()) - 1
    if others > 0:
        p = win_probability(fit.strength[rated])
        slope = p * p.T / others
        np.fill_diagonal(slope, 0)
        gradient = np.diag(slope.sum(axis=1)) - slope
        variance = np.einsum(
            "ij,jk,ik->i", gradient, fit.covariance[np.ix_(rated, rated)], gradient, optimize=True
        )
        rate[rated] = (p.sum(axis=1) - 0.5) / others
        se[rated] = np.sqrt(np.maximum(variance, 0))
    with np.errstate(divide="ignore"):
        logit = np.log(rate) - np.log1p(-rate)
        # The delta method once more: d logit / d rate = 1 / (rate (1 - rate)).
        return _within_bounds(logit, se / (rate * (1 - rate)), quantile(fit, level), level)


def _within_bounds(logit: FloatArray, se: FloatArray, reach: float, level: float) -> WinRates:
    from scipy.special import expit

    return WinRates(expit(logit), expit(logit - reach * se), expit(logit + reach * se), level)
