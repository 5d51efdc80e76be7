"""From a response to a Score: scorers, what they extract, and the common order of outcomes."""

from bakeoff.score.judge import ON_SECOND_TURN, judge, repair_of
from bakeoff.score.loglikelihood import NORMS, Norm, all_norms, norm_of, winner
from bakeoff.score.registry import build_scorer, scorer_names
from bakeoff.score.scorer import Ask, Executing, Repairing, Scorer

__all__ = [
    "NORMS",
    "ON_SECOND_TURN",
    "Ask",
    "Executing",
    "Norm",
    "Repairing",
    "Scorer",
    "all_norms",
    "build_scorer",
    "judge",
    "norm_of",
    "repair_of",
    "scorer_names",
    "winner",
]
