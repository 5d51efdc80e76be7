"""How strong models seem to be, for choosing pairs: with a weak prior, so that there is always an answer.

The most likely strengths are infinite for an undefeated model and unknown between parts that never met. Here
strengths are thought to be normal with mean 0 before there are votes. Nobody's score has this prior: it only
says which pairs are worth showing, and a wrong one costs votes and biases nothing.
"""

from dataclasses import dataclass

import numpy as np

from bakeoff.arena.pairing.knowledge import Knowledge
from bakeoff.stats.arrays import FloatArray
from bakeoff.stats.ratings.bradley_terry import half_ties, win_probability
from bakeoff.stats.ratings.newton import newton

_TOLERANCE = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """Of the S models that may be shown: `strength` (S,) in natural log-odds, `covariance` (S, S) of it."""

    strength: FloatArray
    covariance: FloatArray

    @property
    def information(self) -> FloatArray:
        """What one more vote tells of the difference of two models (S, S): p (1 - p), ties as half a win."""
        p = win_probability(self.strength)
        return p * p.T


def estimate(knowledge: Knowledge, prior: float) -> Estimate:
    """Strengths by all votes, before which they had the standard deviation `prior` in natural log-odds.

    The covariance is the inverse of the votes' information plus I / prior².
    """
    votes = half_ties(knowledge.pairs)
    weight = 1 / prior**2

    def posterior(strength: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        value, gradient, information = votes(strength)
        information[np.diag_indices_from(information)] += weight
        return value - weight / 2 * float(strength @ strength), gradient - weight * strength, information

    start = np.zeros(len(knowledge.models))
    # The prior fixes the common shift, which is why no strength counts as free of it.
    strength, _, information, _ = newton(posterior, start, 0, _TOLERANCE)
    covariance = np.asarray(np.linalg.inv(information), dtype=np.float64)
    shown = knowledge.shown
    return Estimate(strength[shown], covariance[np.ix_(shown, shown)])
