"""A board for one voter, team, language or kind of prompt: its own few votes, drawn towards all the others.

How far such boards usually lie from the others is learnt from all of their kind together
(`stats.ratings.shrunken`), and how much of each score is the segment's own is said.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from bakeoff.arena.ranking.method import Method
from bakeoff.arena.votes.rating import rated_battles
from bakeoff.arena.votes.votes import Mask, Votes, grouped
from bakeoff.errors import BakeoffError
from bakeoff.stats import Interval
from bakeoff.stats.ratings import Fit, Pairs, bradley_terry, pairs_of, score_intervals, scores
from bakeoff.stats.ratings.scale import POINTS
from bakeoff.stats.ratings.shrunken import distance_between, shrunken
from bakeoff.stats.ratings.standing import Status

Kind = Literal["voter", "language", "tag"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_LEARNT_FROM = 100
"""Segments of a kind from which is learnt how far they lie apart, those with the most votes."""
_FEW = 5
"""Fewer votes say nothing of that."""


@dataclass(frozen=True, slots=True)
class SegmentRow:
    """A model: `votes` are those of the segment. `score` and `interval` are for the segment, `elsewhere` is
    the score by all other votes, in Elo points; None where those do not rate the model. `own`, in [0, 1], is
    the share of the score that the segment's votes decided.
    """

    model: str
    status: Status
    votes: int
    score: float | None = None
    interval: Interval | None = None
    elsewhere: float | None = None
    own: float | None = None


@dataclass(frozen=True, slots=True)
class SegmentRanking:
    """The board of a segment with `votes`, beside `others`. `apart` is how far such segments usually lie from
    the others, in Elo points (a standard deviation), learnt from `learnt_from` of them.
    """

    kind: Kind
    value: str
    votes: int
    others: int
    apart: float
    learnt_from: int
    rows: tuple[SegmentRow, ...]


def rank_segment(votes: Votes, kind: str, value: str, method: Method) -> SegmentRanking:
    """The board for the voters (with commas between them), the language or the tag.

    Of the method, level and seed count: ties are half a win.

    Raises:
        BakeoffError: another kind, no such votes, or the other votes rate no model.
    """
    mask = chosen(votes, kind, value)
    if not mask.any():
        raise BakeoffError(f"no vote has the {kind} {value!r}", "look at what the votes have recorded")
    total = pairs_of(rated_battles(votes))
    segment, others = _apart(votes, mask, total)
    towards = bradley_terry(others)
    if not towards.rated.any():
        raise BakeoffError(
            f"without the {kind} {value} no two models can be rated", "rate these votes alone: --only"
        )
    learnt = [each for each in _like(votes, kind, total) if each[1].rated.any()] or [(segment, towards)]
    apart = distance_between([pairs for pairs, _ in learnt], [fit for _, fit in learnt])
    found = shrunken(segment, towards, apart)
    points, elsewhere = scores(found.fit), scores(towards)
    intervals = score_intervals(found.fit, level=method.level)
    counted = segment.battles.sum(axis=1)
    rows = [
        SegmentRow(
            model,
            towards.standing.status[at],
            int(counted[at]),
            *(
                (float(points[at]), intervals[at], float(elsewhere[at]), float(found.own[at]))
                if towards.rated[at]
                else ()
            ),
        )
        for at, model in enumerate(votes.models)
        if counted[at] or towards.rated[at]
    ]
    rows.sort(key=lambda row: (row.score is None, -(row.score or 0.0), row.model))
    return SegmentRanking(
        kind=kind,  # type: ignore[arg-type]  # `chosen` has looked
        value=value,
        votes=int(mask.sum()),
        others=int((~mask).sum()),
        apart=POINTS * apart,
        learnt_from=len(learnt),
        rows=tuple(rows),
    )


def chosen(votes: Votes, kind: str, value: str) -> Mask:
    """Which votes (n,) are of the voters, with commas between them, in the language or with the tag.

    Raises:
        BakeoffError: another kind, or a voter that is no pseudonym.
    """
    match kind:
        case "voter":
            try:
                wanted = [np.uint64(int(each, 16)) for each in value.split(",")]
            except (ValueError, OverflowError):
                raise BakeoffError(f"a voter is a pseudonym of 16 hex digits, got {value!r}") from None
            return np.isin(votes.voter, np.array([each for each in wanted if each], dtype=np.uint64))
        case "language":
            names = votes.language.names
            return np.asarray(votes.language.codes == (names.index(value) if value in names else -2))
        case "tag":
            return votes.tagged(value)
        case _:
            raise BakeoffError(f"votes are not told apart by {kind!r}", f"but by {', '.join(KINDS)}")


def _like(votes: Votes, kind: str, total: Pairs) -> list[tuple[Pairs, Fit]]:
    """The segments of a kind with the most votes, each with the fit of the votes outside of it."""
    masks = sorted(_masks(votes, kind), key=lambda each: -int(each.sum()))[:_LEARNT_FROM]
    parts = (_apart(votes, mask, total) for mask in masks if mask.sum() >= _FEW)
    return [(inside, bradley_terry(outside)) for inside, outside in parts]


def _masks(votes: Votes, kind: str) -> Iterator[Mask]:
    if kind == "tag":
        for tag in sorted({tag for names in votes.tags.names for tag in names.split(",")}):
            yield votes.tagged(tag)
        return
    codes = grouped(votes.voter)[0] if kind == "voter" else votes.language.codes
    known = codes[codes >= 0]
    for code in np.argsort(-np.bincount(known), kind="stable")[:_LEARNT_FROM]:
        yield np.asarray(codes == code)


def _apart(votes: Votes, mask: Mask, total: Pairs) -> tuple[Pairs, Pairs]:
    inside = pairs_of(rated_battles(votes.where(mask)))
    return inside, Pairs.of_counts(total.won - inside.won, total.tied - inside.tied)
