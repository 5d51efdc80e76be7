"""What is owed to every pair and model, whatever a rule prefers."""

import numpy as np

from bakeoff.arena.pairing.knowledge import BoolArray, Knowledge
from bakeoff.arena.pairing.pair_probabilities import PairProbabilities
from bakeoff.arena.pairing.settings import PairingSettings
from bakeoff.stats.arrays import FloatArray

_ROUNDS = 12
_TOGETHER = 0.25
"""The share of appearances that newcomers are owed together, at most."""
_MIXED = 0.5
"""The share of battles, at most, that are newcomers' alone in what is owed to all."""


def bounded(
    preferred: FloatArray, rule: str, knowledge: Knowledge, settings: PairingSettings
) -> PairProbabilities:
    """Probabilities as near as the settings allow to `preferred` (S, S), symmetric weights above 0.

    Models that would be shown too often or too rarely are weighted until hardly any bound is broken; then so
    much is mixed in of what keeps all bounds with room to spare that none is.

    Raises:
        BakeoffError: no two models may meet.
    """
    able = knowledge.eligible(settings.private_meet)
    newcomer = knowledge.newcomers(settings.newcomer_votes)
    alike = normal(able.astype(float))
    fair = alike.sum(axis=1)
    owed = np.where(newcomer, promised(fair[newcomer], settings), settings.least)
    safe = within(alike, newcomer, owed, settings.most)
    # Where few may meet few, the bounds are what can be had.
    low = np.minimum(owed * fair, safe.sum(axis=1))
    high = np.maximum(settings.most * fair, safe.sum(axis=1))
    chosen = weighted(normal(preferred * able), low, high)
    share = max(
        needed(chosen.sum(axis=1), safe.sum(axis=1), low, high),
        needed(chosen, safe, settings.floor * alike, np.inf),
    )
    first, second = np.nonzero(np.triu(able))
    found = ((1 - share) * chosen + share * safe)[first, second]
    return PairProbabilities(rule, knowledge.votes, knowledge.candidates, first, second, found / found.sum())


def promised(fair: FloatArray, settings: PairingSettings) -> float:
    """How many times its fair share a newcomer is owed; `fair` (K,) are the probabilities with which each of
    them would be in a battle.
    """
    together = 2 * _TOGETHER / max(float(fair.sum()), np.finfo(float).tiny)
    return max(settings.least, min(settings.newcomer_share, together))


def normal(weights: FloatArray) -> FloatArray:
    """Symmetric weights of pairs as probabilities: those above the diagonal add up to 1, and a row to the
    probability that its model is shown.
    """
    return np.asarray(weights * (2 / weights.sum()))


def within(alike: FloatArray, newcomer: BoolArray, owed: FloatArray, most: float) -> FloatArray:
    """All pairs `alike` (S, S), with as many battles of newcomers (S,) mixed in as show them more often than
    is `owed` (S,) and less often than `most`, both in fair shares.
    """
    theirs = alike * np.logical_or.outer(newcomer, newcomer)
    if not theirs.any() or owed[newcomer].max() < 1:
        return alike
    theirs = normal(theirs)
    times = (theirs.sum(axis=1) / alike.sum(axis=1))[newcomer]
    aim = (owed[newcomer] + np.minimum(most, times)) / 2
    share = float(np.max((aim - 1) / np.maximum(times - 1, np.finfo(float).tiny)))
    return alike + min(_MIXED, share) * (theirs - alike)


def weighted(chosen: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """Probabilities of pairs with weights of models that bring each model's share (S,) towards its bounds.

    A pair has the root of both its models' corrections: two that are corrected alike would overshoot.
    """
    for _ in range(_ROUNDS):
        shown = chosen.sum(axis=1)
        correction = np.sqrt(np.clip(shown, low, high) / np.maximum(shown, np.finfo(float).tiny))
        if np.abs(correction - 1).max() < 1e-3:
            break
        chosen = normal(chosen * np.multiply.outer(correction, correction))
    return chosen


def needed(chosen: FloatArray, target: FloatArray, low: FloatArray, high: FloatArray | float) -> float:
    """The smallest share of `target`, which is within the bounds, that brings `chosen` within them."""
    gap = target - chosen
    short, over = low - chosen, chosen - high
    missing = np.where(short > 0, short, np.where(over > 0, over, 0.0))
    return float(np.max(np.divide(missing, np.abs(gap), out=np.zeros_like(gap), where=missing > 0)))
