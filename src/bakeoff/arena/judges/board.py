"""A judge's ranking as a board of people's votes has it: scores in points, intervals, ranges of ranks."""

from collections.abc import Mapping
from dataclasses import dataclass

from bakeoff.arena.judges.both_orders import Counts
from bakeoff.arena.judges.constant import Constancy
from bakeoff.arena.judges.ranking import Judge, judge_ranking
from bakeoff.arena.judges.verdict import Verdicts
from bakeoff.errors import BakeoffError
from bakeoff.stats.interval import Interval
from bakeoff.stats.ratings import rank_ranges, score_intervals, scores
from bakeoff.stats.ratings.standing import Status
from bakeoff.stats.ratings.win_rate import mean_win_rates


@dataclass(frozen=True, slots=True)
class JudgedModel:
    """A model. `score` and `interval` are in Elo points with mean 1000, None where it is not `rated`; its
    rank may be any from `low` to `high`. `expected` is the share that it is expected to win against the other
    rated models, in [0, 1].
    """

    model: str
    status: Status
    score: float | None = None
    interval: Interval | None = None
    low: int | None = None
    high: int | None = None
    expected: float | None = None


@dataclass(frozen=True, slots=True)
class JudgeBoard:
    """What `judge` ranked; `label` belongs wherever it is shown.

    `rows` have the best score first and models that are not rated last. `counts` is of all pairs; of the
    votes among them `votes` are rated, `own_family` are left out for the judge's family and `of_blocked` for
    models in `blocked`, whose answers are near constant. `unchecked` are models whose answers nobody gave.
    """

    judge: Judge
    label: str
    level: float
    rows: tuple[JudgedModel, ...]
    counts: Counts
    votes: int
    own_family: int
    of_blocked: int
    blocked: Mapping[str, Constancy]
    unchecked: tuple[str, ...]


def judge_board(
    verdicts: Verdicts,
    judge: Judge,
    *,
    families: Mapping[str, str] | None = None,
    answers: Mapping[str, Constancy] | None = None,
    level: float = 0.95,
    seed: int = 0,
) -> JudgeBoard:
    """The board of one judge; `families` and `answers` are those of `judge_ranking`, `seed` for the ranks.

    Raises:
        BakeoffError: as for `judge_ranking`, or no two models can be rated.
        ValueError: level outside (0, 1).
    """
    try:
        found = judge_ranking(verdicts, judge, families=families, answers=answers)
    except ValueError as error:
        raise BakeoffError(f"{judge.name} cannot rank: {error}") from error
    fit = found.fit
    if not fit.rated.any():
        raise BakeoffError(
            f"{judge.name} let no two models win against one another, so none can be rated",
            "more pairs of the same models are needed, in both orders",
        )
    points, intervals = scores(fit), score_intervals(fit, level=level)
    ranks, expected = rank_ranges(fit, level=level, seed=seed), mean_win_rates(fit, level).rate
    # Of another judge's models there is nothing to say, nor of those whose votes were all left out.
    own = verdicts.by(judge.name)
    judged = {*own.first.tolist(), *own.second.tolist()}
    rows = [
        JudgedModel(model, fit.standing.status[at])
        if (rank := ranks[at]) is None
        else JudgedModel(
            model, "rated", float(points[at]), intervals[at], rank.low, rank.high, float(expected[at])
        )
        for at, model in enumerate(found.models)
        if at in judged
    ]
    return JudgeBoard(
        judge=judge,
        label=found.label,
        level=level,
        rows=tuple(sorted(rows, key=lambda row: (row.score is None, -(row.score or 0.0), row.model))),
        counts=found.counts,
        votes=found.votes,
        own_family=found.own_family,
        of_blocked=found.of_blocked,
        blocked={row.model: found.blocked[row.model] for row in rows if row.model in found.blocked},
        unchecked=tuple(sorted(row.model for row in rows if row.model not in (answers or {}))),
    )
