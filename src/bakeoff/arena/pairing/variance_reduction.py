"""The rule variance-reduction@1: pairs by how much one more vote narrows the intervals of all scores.

A vote on the pair d = e_i - e_j adds k d dᵀ to the information, k = p (1 - p), so that the covariance V of
strengths becomes V - k V d dᵀ V / (1 + k dᵀ V d) (Sherman & Morrison 1950, Annals of Mathematical Statistics
21:124). A pair is drawn in proportion to the drop, to first order, of the sum of the standard errors of all
centred scores. A board shows those intervals, so this is what a vote is for: it goes to models that are badly
known, to pairs near in strength, and to what links parts of the board that hardly met. That beats drawing all
pairs alike by little where all models start together, and by far where a model is new.
"""

import numpy as np

from bakeoff.arena.pairing.bounds import bounded
from bakeoff.arena.pairing.estimate import Estimate, estimate
from bakeoff.arena.pairing.knowledge import Knowledge
from bakeoff.arena.pairing.pair_probabilities import PairProbabilities
from bakeoff.arena.pairing.settings import PairingSettings
from bakeoff.stats.arrays import FloatArray

RULE = "variance-reduction@1"


def probabilities(knowledge: Knowledge, settings: PairingSettings) -> PairProbabilities:
    """The probability of each pair that may meet.

    Raises:
        BakeoffError: no two models may meet.
    """
    return bounded(reduction(estimate(knowledge, settings.prior)), RULE, knowledge, settings)


def reduction(known: Estimate) -> FloatArray:
    """The drop (S, S), to first order, of the sum of the standard errors of centred strengths by one more
    vote on each pair, in natural log-odds; 0 for a model with itself.
    """
    v, k = known.covariance, known.information
    centred = v - v.mean(axis=0)
    variance = np.diag(centred - centred.mean(axis=1, keepdims=True))
    # Each standard error drops by its variance's drop over twice itself.
    moved = _apart(centred.T @ (centred / (2 * np.sqrt(variance))[:, None]))
    return k * moved / (1 + k * _apart(v))


def _apart(square: FloatArray) -> FloatArray:
    """dᵀ A d for each two models, with d = e_i - e_j and A symmetric."""
    own = np.diag(square)
    return np.asarray(np.maximum(0.0, own[:, None] + own - 2 * square))
