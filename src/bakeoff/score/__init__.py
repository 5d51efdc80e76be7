"""From a response to a Score: scorers, what they extract, and the common order of outcomes."""

from bakeoff.score.judge import judge
from bakeoff.score.loglikelihood import NORMS, Norm, all_norms
from bakeoff.score.registry import build_scorer, scorer_names
from bakeoff.score.scorer import Ask, Scorer

__all__ = ["NORMS", "Ask", "Norm", "Scorer", "all_norms", "build_scorer", "judge", "scorer_names"]
