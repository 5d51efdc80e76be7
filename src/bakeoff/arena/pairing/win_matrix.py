"""The rule win-matrix@1: pairs by how much one more vote narrows what is known of that pair alone.

Chiang et al. 2024 (arXiv 2403.04132), equation 9: a pair with n votes is drawn in proportion to
√(σ²/n) - √(σ²/(n + 1)), the drop of the standard error of its win rate. σ² is p (1 - p) by the strengths,
and for each pair one vote is counted that was not cast, so that one that never met has a finite drop. It
serves an arena that shows how each two models do against each other; scores, which learn of a model from all
its pairs at once, are served better by variance-reduction.
"""

import numpy as np

from bakeoff.arena.pairing.bounds import bounded
from bakeoff.arena.pairing.estimate import estimate
from bakeoff.arena.pairing.knowledge import Knowledge
from bakeoff.arena.pairing.pair_probabilities import PairProbabilities
from bakeoff.arena.pairing.settings import PairingSettings

RULE = "win-matrix@1"


def probabilities(knowledge: Knowledge, settings: PairingSettings) -> PairProbabilities:
    """The probability of each pair that may meet.

    Raises:
        BakeoffError: no two models may meet.
    """
    votes = knowledge.together().battles + 1
    drop = votes**-0.5 - (votes + 1) ** -0.5
    spread = np.sqrt(estimate(knowledge, settings.prior).information)
    return bounded(spread * drop, RULE, knowledge, settings)
