"""Strengths as scores on the Elo scale, and how well they and their differences are known.

400 points are odds of 10 to 1: a score is 1000 + (400 / ln 10) r, so that 100 points more win .64 of the
votes. The rated models' scores have mean 1000, or one model's is stated and the others' move along.

An interval is always that of the strength with mean 0, wherever the scale is pinned. Measured from one model,
that model's interval would be 0 and every other one wider: the whole of the anchor's noise would be in them.
"""

from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from bakeoff.stats.arrays import FloatArray
from bakeoff.stats.interval import Interval, check_level, normal_quantile, t_quantile
from bakeoff.stats.ratings.fit import Fit

POINTS = 400 / log(10)
"""Points for one unit of natural log-odds, 173.72."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """The model whose score is `score`, by its number."""

    model: int
    score: float


def scores(fit: Fit, anchor: Anchor | None = None) -> FloatArray:
    """Scores in Elo points (models,), NaN for models that are not rated.

    Raises:
        ValueError: an anchor that is not rated or is no model, or whose score is not finite.
    """
    return POINTS * fit.strength + _offset(fit, anchor)


def standard_errors(fit: Fit) -> FloatArray:
    """Standard errors of the scores in Elo points (models,), NaN for models that are not rated."""
    return np.asarray(POINTS * np.sqrt(np.diag(fit.covariance)))


def score_intervals(
    fit: Fit, anchor: Anchor | None = None, level: float = 0.95
) -> tuple[Interval | None, ...]:
    """Interval of each score in Elo points, each at `level` for itself; None for models that are not rated.

    Raises:
        ValueError: an anchor as for `scores`, or level outside (0, 1).
    """
    reach = quantile(fit, level)
    method = method_of(fit)
    return tuple(
        Interval(float(score - reach * se), float(score + reach * se), level, method) if se == se else None
        for score, se in zip(scores(fit, anchor), standard_errors(fit), strict=True)
    )


def difference_interval(fit: Fit, first: int, second: int, level: float = 0.95) -> Interval | None:
    """Interval in Elo points of how far `first` is above `second`; None if one of them is not rated.

    Raises:
        ValueError: level outside (0, 1), or a number that is no model's.
    """
    check_level(level)
    for model in (first, second):
        _check_model(fit, model)
    if not (fit.rated[first] and fit.rated[second]):
        return None
    v = fit.covariance
    reach = (
        quantile(fit, level)
        * POINTS
        * sqrt(max(0.0, v[first, first] + v[second, second] - 2 * v[first, second]))
    )
    difference = POINTS * float(fit.strength[first] - fit.strength[second])
    return Interval(difference - reach, difference + reach, level, method_of(fit))


def quantile(fit: Fit, level: float) -> float:
    """How many standard errors an interval reaches to each side: z, or Student's t for votes in clusters."""
    return normal_quantile(level) if np.isinf(fit.df) else t_quantile(level, fit.df)


def method_of(fit: Fit) -> str:
    """The name of the intervals' method."""
    return "sandwich" if np.isinf(fit.df) else "clustered-sandwich"


def _offset(fit: Fit, anchor: Anchor | None) -> float:
    if anchor is None:
        return 1000.0
    _check_model(fit, anchor.model)
    if not np.isfinite(anchor.score):
        raise ValueError(f"the anchor's score must be finite, got {anchor.score}")
    if not fit.rated[anchor.model]:
        raise ValueError(
            f"the anchor, model {anchor.model}, is {fit.standing.status[anchor.model]}, not rated"
        )
    return float(anchor.score - POINTS * fit.strength[anchor.model])


def _check_model(fit: Fit, model: int) -> None:
    if not 0 <= model < len(fit.strength):
        raise ValueError(f"a model's number lies between 0 and {len(fit.strength) - 1}, got {model}")
