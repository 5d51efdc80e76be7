"""Probabilities made to fit by a line on the logit scale (Platt 1999; Cox 1958, Biometrika 45:562).

logit p' = `slope` · logit p + `intercept`. A slope under 1 says that the probabilities were too extreme, an
intercept that they were too high or too low throughout. Without an intercept it is temperature scaling of a
yes or no (Guo et al. 2017), slope = 1/T. A fit must not be judged on the items that it was made on.
"""

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import FloatArray
from bakeoff.stats.confidence.judged import as_confidence, as_verdicts

LEAST = 1e-6
"""A probability under it, or as near to 1, counts as so much: the logit of 0 and 1 is infinite."""
_STEPS = 100


@dataclass(frozen=True, slots=True)
class Line:
    """What to do with the logit of a probability."""

    slope: float
    intercept: float

    def __call__(self, probabilities: ArrayLike, least: float = LEAST) -> FloatArray:
        """The probabilities, in [0, 1], moved."""
        values = self.slope * logit(as_confidence(probabilities), least) + self.intercept
        return _expit(values)

    def before(self, moved: float) -> float | None:
        """The probability that is moved to `moved`, in (0, 1); None where the line does not rise."""
        if self.slope <= 0:
            return None
        return float(_expit(np.array([(log(moved / (1 - moved)) - self.intercept) / self.slope]))[0])


def logit(probabilities: FloatArray, least: float = LEAST) -> FloatArray:
    """ln(p / (1 - p)), of probabilities kept `least` away from 0 and 1."""
    kept = np.clip(probabilities, least, 1 - least)
    odds: FloatArray = np.log(kept) - np.log1p(-kept)
    return odds


def fit_line(
    probabilities: ArrayLike, positive: ArrayLike, *, intercept: bool = True, least: float = LEAST
) -> Line | None:
    """The line under which the verdicts, 1 or 0, are most likely.

    Platt's targets (N₊ + 1)/(N₊ + 2) and 1/(N₋ + 2) stand for 1 and 0, so that there is a line where
    probabilities tell all positives from all negatives. Of equal probabilities the slope stays 1 (with an
    intercept). None without positives or negatives, or where no slope is best.

    Raises:
        ValueError: no items, lengths differ, a probability outside [0, 1], or a verdict other than 0 and 1.
    """
    values, labels = as_confidence(probabilities), as_verdicts(positive)
    if len(values) != len(labels):
        raise ValueError(f"each probability needs its verdict, got {len(values)} and {len(labels)}")
    positives = float(labels.sum())
    negatives = len(labels) - positives
    if not positives or not negatives:
        return None
    x = logit(values, least)
    target = np.where(labels == 1, (positives + 1) / (positives + 2), 1 / (negatives + 2))
    if np.ptp(x) < 1e-12:
        share = float(target.mean())
        if intercept:
            return Line(1.0, log(share / (1 - share)) - float(x[0]))
        return Line(log(share / (1 - share)) / float(x[0]), 0.0) if abs(float(x[0])) > 1e-12 else None
    table = np.column_stack([x, np.ones_like(x)]) if intercept else x[:, None]
    return _newton(table, target)


def _newton(table: FloatArray, target: FloatArray) -> Line | None:
    """Newton's method with halved steps: the likelihood is concave."""
    weights = np.zeros(table.shape[1])
    best = _loss(table, target, weights)
    for _ in range(_STEPS):
        p = _expit(table @ weights)
        slope = table.T @ (p - target)
        curvature = (table * (p * (1 - p))[:, None]).T @ table
        try:
            step = np.linalg.solve(curvature, slope)
        except np.linalg.LinAlgError:
            return None
        size = 1.0
        while (loss := _loss(table, target, weights - size * step)) > best and size > 1e-10:
            size /= 2
        done = best - loss < 1e-13 * max(1.0, abs(best))
        if loss <= best:
            weights, best = weights - size * step, loss
        if done:
            break
    return Line(float(weights[0]), float(weights[1]) if len(weights) > 1 else 0.0)


def _loss(table: FloatArray, target: FloatArray, weights: FloatArray) -> float:
    z = table @ weights
    return float((np.logaddexp(0, z) - target * z).sum())


def _expit(x: FloatArray) -> FloatArray:
    from scipy.special import expit

    moved: FloatArray = expit(x)
    return moved
