"""A judge put to the answers of runs: its verdicts are a run of their own, and become the answers' scores."""

from bakeoff.verdicts.asking import Asking, judge_pairs, judge_run, resume
from bakeoff.verdicts.cases import Shown
from bakeoff.verdicts.opinions import Opinion, opinions
from bakeoff.verdicts.pairs import Pairs, pairs
from bakeoff.verdicts.scoring import judged_run

__all__ = [
    "Asking",
    "Opinion",
    "Pairs",
    "Shown",
    "judge_pairs",
    "judge_run",
    "judged_run",
    "opinions",
    "pairs",
    "resume",
]
