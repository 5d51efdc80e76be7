"""The rule uniform@1: all pairs alike, apart from what is owed to newcomers."""

import numpy as np

from bakeoff.arena.pairing.bounds import bounded
from bakeoff.arena.pairing.knowledge import Knowledge
from bakeoff.arena.pairing.pair_probabilities import PairProbabilities
from bakeoff.arena.pairing.settings import PairingSettings

RULE = "uniform@1"


def probabilities(knowledge: Knowledge, settings: PairingSettings) -> PairProbabilities:
    """The probability of each pair that may meet.

    Raises:
        BakeoffError: no two models may meet.
    """
    models = len(knowledge.candidates)
    return bounded(np.ones((models, models)), RULE, knowledge, settings)
