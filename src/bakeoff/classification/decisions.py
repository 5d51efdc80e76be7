"""Cases as yes-or-no decisions about one label."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bakeoff.classification.cases import Case
from bakeoff.classification.report import NoAnswer, Rates
from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.classes.balanced import balanced_accuracy
from bakeoff.stats.classes.rare import detection
from bakeoff.stats.groups import codes


@dataclass(frozen=True, slots=True, eq=False)
class Decisions:
    """The counted cases: 1 where one is positive, 1 where it is flagged, and how likely it is positive.

    `scores` are in [0, 1]; those of cases without a probability, where `known` is False, are -1 or 2, under
    or over any threshold, as `flagged` says. They are None where no case has one. `clusters` number the
    groups of answers that are not independent; None where each is alone. All arrays are in the order of
    `cases`.
    """

    cases: tuple[Case, ...]
    positive: IntArray
    flagged: IntArray
    scores: FloatArray | None
    known: NDArray[np.bool_]
    clusters: IntArray | None

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
    flagged = np.array([_flagged(case, positive, no_answer) for case in counted], dtype=np.int64)
    known = np.array([case.probabilities is not None for case in counted], dtype=bool)
    scores = np.where(flagged == 1, 2.0, -1.0)
    scores[known] = [case.probabilities.get(positive, 0.0) for case in counted if case.probabilities]
    clusters = codes([case.cluster for case in counted], len(counted), "clusters")
    return Decisions(
        counted,
        np.array([case.gold == positive for case in counted], dtype=np.int64),
        flagged,
        scores if known.any() else None,
        known,
        clusters if len(set(clusters.tolist())) < len(counted) else None,
    )


def rates(data: Decisions, prevalence: float | None, *, beta: float = 1.0, level: float = 0.95) -> Rates:
    """Detection by the labels at the share of positives of the cases, or at another `prevalence`."""
    found = detection(
        data.flagged, data.positive, beta=beta, prevalence=prevalence, level=level, clusters=data.clusters
    )
    share = float(data.positive.mean()) if prevalence is None else prevalence
    recall, specificity = found.recall, found.specificity
    if recall is None or specificity is None:
        return Rates(share, found, None, None)
    return Rates(
        share,
        found,
        balanced_accuracy(recall, specificity),
        share * recall.value + (1 - share) * (1 - specificity.value),
    )


def _flagged(case: Case, positive: str, no_answer: NoAnswer) -> bool:
    if case.said is not None:
        return case.said == positive
    return case.gold != positive if no_answer == "wrong" else no_answer == "positive"
