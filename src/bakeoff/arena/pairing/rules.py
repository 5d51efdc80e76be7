"""The rules by which an arena may choose pairs, by name and version."""

from collections.abc import Callable, Mapping

from bakeoff.arena.pairing import uniform, variance_reduction, win_matrix
from bakeoff.arena.pairing.knowledge import Knowledge
from bakeoff.arena.pairing.pair_probabilities import PairProbabilities
from bakeoff.arena.pairing.settings import PairingSettings, RuleName

Rule = Callable[[Knowledge, PairingSettings], PairProbabilities]

RULES: Mapping[RuleName, Rule] = {
    "variance-reduction@1": variance_reduction.probabilities,
    "win-matrix@1": win_matrix.probabilities,
    "uniform@1": uniform.probabilities,
}


def probabilities(knowledge: Knowledge, settings: PairingSettings) -> PairProbabilities:
    """The probability of each pair that may meet, by the rule of the settings.

    Raises:
        BakeoffError: no two models may meet.
    """
    return RULES[settings.rule](knowledge, settings)


def due(found: PairProbabilities, votes: int, settings: PairingSettings) -> bool:
    """Whether there are so many votes now that probabilities are to be computed anew.

    They also are when other models may be shown than those of `found`, or one of them became public.
    """
    return votes >= found.votes + settings.every
