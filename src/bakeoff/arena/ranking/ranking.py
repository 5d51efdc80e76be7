"""A ranking by votes: every model with its score, what the score can bear, and what was counted.

Scores are Bradley-Terry strengths on the Elo scale (`stats.ratings`). Ranks are ranges that hold for all
models at once. A model that the votes cannot rate has a status and no score.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bakeoff.arena.ranking.fragility import FirstPlace, hanging_on
from bakeoff.arena.ranking.method import Method
from bakeoff.arena.votes.pair_counts import PairCounts
from bakeoff.arena.votes.rating import clusters, rated_battles, rated_pairs
from bakeoff.arena.votes.votes import STYLES, Votes
from bakeoff.errors import BakeoffError
from bakeoff.stats import Interval
from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.ratings import (
    Anchor,
    Battles,
    Fit,
    Pairs,
    bradley_terry,
    clustered,
    pairs_of,
    rank_ranges,
    relative_difference,
    score_intervals,
    scores,
    style_controlled,
    with_ties,
)
from bakeoff.stats.ratings.battles import reweighted
from bakeoff.stats.ratings.scale import POINTS, quantile
from bakeoff.stats.ratings.standing import Status
from bakeoff.stats.ratings.win_rate import mean_win_rates

Key = Literal["voter", "prompt"]
Pseudonyms = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Row:
    """A model. `score` and `interval` are in Elo points, None where it is not `rated`; its rank may be any
    from `low` to `high`. `votes` are all it was in, of which `tied` ended so; `expected` is the share that it
    is expected to win against the other rated models, each met equally often, in [0, 1].
    """

    model: str
    status: Status
    votes: int
    tied: int
    score: float | None = None
    interval: Interval | None = None
    low: int | None = None
    high: int | None = None
    expected: float | None = None


@dataclass(frozen=True, slots=True)
class Effect:
    """What a difference in style is worth: Elo points for one standard difference of it."""

    style: str
    points: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Ranking:
    """A ranking. `rows` have the best score first and models that are not rated last.

    `votes` are all that were given, of which `used` are between rated models; `tied` of `votes` ended so.
    `clusters` says how many voters or prompts the intervals count as one observation each; empty where votes
    count as independent, for which `note` has the reason. `first_place` says how few votes it hangs on.
    """

    method: Method
    rows: tuple[Row, ...]
    votes: int
    used: int
    tied: int
    clusters: Mapping[Key, int]
    effects: tuple[Effect, ...] = ()
    note: str = ""
    first_place: FirstPlace | None = None


def rank_votes(votes: Votes, method: Method) -> Ranking:
    """The ranking by votes one by one.

    Raises:
        BakeoffError: no two models can be rated, the anchor is none of the rated, or what the method needs
            was not recorded.
    """
    battles = rated_battles(votes)
    pairs = pairs_of(battles)
    weighted = reweighted(battles) if method.even else battles
    keys = _keys(votes, method)
    effects: tuple[Effect, ...] = ()
    note = ""
    if method.style:
        weighted, keys, features = _styled(votes, weighted, keys, method)
        with _as_mistake():
            found = style_controlled(weighted, features, tuple(keys.values()))
        fit = found.fit
        effects = _effects(found.coefficient, found.coefficient_covariance, fit, method)
    elif method.ties != "half":
        with _as_mistake():
            fit = with_ties(pairs, method.ties).fit
        if keys:
            keys, note = {}, f"with ties as {method.ties} the intervals count votes as independent"
    else:
        fit = bradley_terry(pairs_of(weighted))
        if keys and fit.rated.any():
            with _as_mistake():
                fit = clustered(fit, weighted, tuple(keys.values()))
    if not note and not keys:
        note = "votes count as independent: " + (
            "as was asked" if method.together == "none" else "neither voters nor prompts are recorded"
        )
    counted = {name: len(np.unique(key)) for name, key in keys.items()}
    return _ranking(votes.models, pairs, fit, method, counted, effects, note)


def rank_counts(counts: PairCounts, method: Method) -> Ranking:
    """The ranking by counts of pairs, which know neither voters nor texts.

    Raises:
        BakeoffError: as for `rank_votes`.
    """
    if method.style or method.together in ("voter", "prompt", "both"):
        what = "style" if method.style else f"the {method.together} of each vote"
        raise BakeoffError(f"counts of pairs do not say {what}", "rate the votes themselves")
    pairs = rated_pairs(counts)
    weighted = pairs.reweighted() if method.even else pairs
    if method.ties == "half":
        fit = bradley_terry(weighted)
    else:
        with _as_mistake():
            fit = with_ties(pairs, method.ties).fit
    return _ranking(counts.models, pairs, fit, method, {}, (), "counts of pairs: votes count as independent")


def _keys(votes: Votes, method: Method) -> dict[Key, IntArray]:
    """Which votes hang together, by what."""
    recorded: dict[Key, Pseudonyms] = {"voter": votes.voter, "prompt": votes.prompt}
    there = {name: pseudonyms for name, pseudonyms in recorded.items() if pseudonyms.any()}
    wanted: Mapping[str, tuple[Key, ...]] = {
        "recorded": tuple(there),
        "voter": ("voter",),
        "prompt": ("prompt",),
        "both": ("voter", "prompt"),
        "none": (),
    }
    for name in wanted[method.together]:
        if name not in there:
            raise BakeoffError(f"no vote has its {name} recorded", "leave out --clusters, or say none")
    found = {name: clusters(there[name]) for name in wanted[method.together]}
    # One voter alone, or one prompt, says nothing of others.
    return {name: key for name, key in found.items() if len(np.unique(key)) > 1}


def _styled(
    votes: Votes, battles: Battles, keys: dict[Key, IntArray], method: Method
) -> tuple[Battles, dict[Key, IntArray], FloatArray]:
    """The votes whose style is recorded, and their differences."""
    columns = [STYLES.index(name) for name in method.style]
    counted = votes.style[:, :, columns].astype(np.float64)
    known = ~np.isnan(counted).any(axis=(1, 2))
    if not known.any():
        raise BakeoffError(
            f"no vote has the {' and '.join(method.style)} of its answers recorded",
            "import votes with the texts of the answers",
        )
    with _as_mistake():
        features = relative_difference(counted[known, 0], counted[known, 1])
    weight = None if battles.weight is None else battles.weight[known]
    kept = Battles(
        battles.models, battles.first[known], battles.second[known], battles.outcome[known], weight
    )
    return kept, {name: key[known] for name, key in keys.items()}, features


def _effects(coefficient: FloatArray, covariance: FloatArray, fit: Fit, method: Method) -> tuple[Effect, ...]:
    reach = quantile(fit, method.level) * POINTS * np.sqrt(np.diag(covariance))
    points = POINTS * coefficient
    return tuple(
        Effect(name, float(at), Interval(float(at - half), float(at + half), method.level, "sandwich"))
        for name, at, half in zip(method.style, points, reach, strict=True)
    )


def _ranking(
    models: tuple[str, ...],
    pairs: Pairs,
    fit: Fit,
    method: Method,
    counted: Mapping[Key, int],
    effects: tuple[Effect, ...],
    note: str,
) -> Ranking:
    if not fit.rated.any():
        raise BakeoffError(
            "no two models can be rated: none has scored against another and been scored against by it",
            "more votes between the same models are needed",
        )
    anchor = _anchor(models, fit, method)
    points, intervals = scores(fit, anchor), score_intervals(fit, anchor, method.level)
    ranks = rank_ranges(fit, level=method.level, seed=method.seed)
    expected = mean_win_rates(fit, method.level).rate
    votes, tied = pairs.battles.sum(axis=1), pairs.tied.sum(axis=1)
    rows = [
        Row(
            model,
            fit.standing.status[at],
            int(votes[at]),
            int(tied[at]),
            *(
                (float(points[at]), intervals[at], found.low, found.high, float(expected[at]))
                if (found := ranks[at]) is not None
                else ()
            ),
        )
        for at, model in enumerate(models)
        if votes[at]
    ]
    rows.sort(key=lambda row: (row.score is None, -(row.score or 0.0), row.model))
    inside = np.ix_(fit.rated, fit.rated)
    return Ranking(
        method=method,
        rows=tuple(rows),
        votes=int(pairs.battles.sum() / 2),
        used=int(pairs.battles[inside].sum() / 2),
        tied=int(pairs.tied.sum() / 2),
        clusters=dict(counted),
        effects=effects,
        note=note,
        first_place=hanging_on(models, pairs, fit, method),
    )


def _anchor(models: tuple[str, ...], fit: Fit, method: Method) -> Anchor | None:
    if method.anchor is None:
        return None
    name, score = method.anchor
    if name not in models:
        raise BakeoffError(f"the anchor {name!r} is in no vote", "name a model as the votes do")
    at = models.index(name)
    if not fit.rated[at]:
        raise BakeoffError(f"the anchor {name!r} is {fit.standing.status[at]}", "name a model that is rated")
    return Anchor(at, score)


@contextmanager
def _as_mistake() -> Iterator[None]:
    """What the statistics refuse, as a mistake in the votes or the method."""
    try:
        yield
    except ValueError as error:
        raise BakeoffError(str(error)) from error
