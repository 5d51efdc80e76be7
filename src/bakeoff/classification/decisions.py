"""Cases as yes-or-no decisions about one label."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bakeoff.classification.cases import Case
from bakeoff.classification.report import NoAnswer, Rates
from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.classes.balanced import balanced_accuracy
from bakeoff.stats.classes.rare import detection


@dataclass(frozen=True, slots=True, eq=False)
class Decisions:
    """The counted cases: 1 where one is positive, 1 where it is flagged, and how likely it is positive.

    `scores` are None unless every case has one. All arrays are in the order of `cases`.
    """

    cases: tuple[Case, ...]
    positive: IntArray
    flagged: IntArray
    scores: FloatArray | None

    @property
    def positives(self) -> int:
        """How many cases are positive."""
        return int(self.positive.sum())

    @property
    def negatives(self) -> int:
        """How many are not."""
        return len(self.positive) - self.positives

    @property
    def prevalence(self) -> float | None:
        """The share of positives; None where all cases are of one kind."""
        return self.positives / len(self.cases) if self.positives and self.negatives else None


def decisions(cases: Sequence[Case], positive: str, no_answer: NoAnswer) -> Decisions:
    """The cases that count, with those without a label flagged as `no_answer` says."""
    counted = tuple(case for case in cases if case.counted)
    scores = [case.probabilities.get(positive, 0.0) for case in counted if case.probabilities is not None]
    return Decisions(
        counted,
        np.array([case.gold == positive for case in counted], dtype=np.int64),
        np.array([_flagged(case, positive, no_answer) for case in counted], dtype=np.int64),
        np.array(scores) if scores and len(scores) == len(counted) else None,
    )


def rates(
    flagged: IntArray, positive: IntArray, prevalence: float | None, *, beta: float = 1.0, level: float = 0.95
) -> Rates:
    """Detection by flags at the share of positives of the items, or at another `prevalence`."""
    found = detection(flagged, positive, beta=beta, prevalence=prevalence, level=level)
    share = float(positive.mean()) if prevalence is None else prevalence
    recall, specificity = found.recall, found.specificity
    if recall is None or specificity is None:
        return Rates(share, found, None, None)
    return Rates(
        share,
        found,
        balanced_accuracy(recall.count, recall.of, specificity.count, specificity.of, level=level),
        share * recall.value + (1 - share) * (1 - specificity.value),
    )


def _flagged(case: Case, positive: str, no_answer: NoAnswer) -> bool:
    if case.said is not None:
        return case.said == positive
    return case.gold != positive if no_answer == "wrong" else no_answer == "positive"
