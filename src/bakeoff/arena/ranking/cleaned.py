"""What each filter does to a ranking: the way from raw votes to used ones, with what moved on it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bakeoff.arena.cleaning.filter import Filter
from bakeoff.arena.cleaning.steps import Step, clean
from bakeoff.arena.ranking.method import Method
from bakeoff.arena.ranking.ranking import Ranking, rank_votes
from bakeoff.arena.votes.votes import Votes


@dataclass(frozen=True, slots=True)
class Moved:
    """A model and by how many Elo points it moved, and its ranks before and after."""

    model: str
    points: float
    before: tuple[int, int]
    after: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Stage:
    """What one filter did, and the models that it moved most, the farthest first; `gained` and `lost` are
    those that could be rated only after it, or only before.
    """

    step: Step
    moved: tuple[Moved, ...]
    gained: tuple[str, ...]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CleanRanking:
    """The ranking by the votes that count, the one by all of them, and every stage between."""

    ranking: Ranking
    raw: Ranking
    stages: tuple[Stage, ...]


def rank_cleaned(votes: Votes, filters: Sequence[Filter], method: Method) -> CleanRanking:
    """Rate the votes after each filter.

    Scores of two stages have the same mean only over the models of both: movements are less their mean.

    Raises:
        BakeoffError: the votes of a stage rate no two models (`rank_votes`).
    """
    raw = last = rank_votes(votes, method)
    left = votes
    stages = []
    for rule in filters:
        cleaned = clean(left, (rule,))
        (step,) = cleaned.steps
        now = last
        if step.flagged:
            left = left.where(cleaned.used)
            now = rank_votes(left, method)
        stages.append(_stage(step, last, now))
        last = now
    return CleanRanking(last, raw, tuple(stages))


def _stage(step: Step, before: Ranking, after: Ranking) -> Stage:
    old, new = (
        {row.model: row for row in each.rows if row.score is not None and row.low and row.high}
        for each in (before, after)
    )
    both = [model for model in new if model in old]
    shifts = np.array([(new[model].score or 0) - (old[model].score or 0) for model in both])
    if len(both):
        shifts -= shifts.mean()
    moved = [
        Moved(
            model,
            float(shift),
            (old[model].low or 0, old[model].high or 0),
            (new[model].low or 0, new[model].high or 0),
        )
        for model, shift in zip(both, shifts, strict=True)
        if step.flagged
    ]
    moved.sort(key=lambda each: (-abs(each.points), each.model))
    return Stage(step, tuple(moved), tuple(sorted(new.keys() - old)), tuple(sorted(old.keys() - new)))
