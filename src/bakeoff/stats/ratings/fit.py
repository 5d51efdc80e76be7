"""What a rating comes to."""

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from bakeoff.stats.arrays import FloatArray
from bakeoff.stats.ratings.standing import Standing


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Strengths of models and how well they are known.

    `strength` (models,) is in natural log-odds with mean 0 over the rated models, NaN for others; the odds of
    i against j are exp(strength[i] - strength[j]). `covariance` (models, models) is that of the strengths
    with mean 0, so that no model's interval is 0 or widened by being measured from another one; NaN for
    others. `df` are the degrees of freedom for Student's t, infinite for independent votes.
    `log_likelihood` is of the votes among the rated models, `iterations` are Newton's.
    """

    strength: FloatArray
    covariance: FloatArray
    standing: Standing
    log_likelihood: float
    iterations: int
    df: float = inf

    @property
    def rated(self) -> NDArray[np.bool_]:
        """Which models have a strength, (models,)."""
        return ~np.isnan(self.strength)


def spread(values: FloatArray, rated: NDArray[np.bool_]) -> FloatArray:
    """Values of the rated models, a row or a square of them, among all models, with NaN for the others."""
    full = np.full((len(rated),) * values.ndim, np.nan)
    full[np.ix_(*[rated] * values.ndim)] = values
    return full
