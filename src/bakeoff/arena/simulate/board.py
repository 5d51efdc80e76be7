"""A board of simulated votes, and what it shows of a model whose truth is known."""

from dataclasses import dataclass

import numpy as np

from bakeoff.arena.votes.rating import clusters, rated_battles
from bakeoff.arena.votes.votes import Mask, Votes
from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.ratings import (
    Anchor,
    Fit,
    bradley_terry,
    clustered,
    pairs_of,
    rank_ranges,
    relative_difference,
    scores,
    style_controlled,
)
from bakeoff.stats.ratings.battles import reweighted
from bakeoff.stats.ratings.scale import POINTS, quantile, standard_errors

_DRAWS = 1_000


@dataclass(frozen=True, slots=True)
class Seen:
    """What one board shows of the models in question, one or several, in Elo points.

    `error` is their mean score less the true one, `rank` and `true_rank` are means too, `holds` whether the
    95 % interval of that mean holds the truth, `range_holds` whether each one's rank range does, `width` how
    wide the interval is. `others` is the mean error of all other models, `others_width` how wide their
    intervals are on average. All of these are NaN where the votes cannot rate the models.

    `lost` is the share of people's votes that the rules set aside, `alarms` the share of people whose every
    vote they set aside, `caught` the share of what was wrong that they found, NaN where they look for none.
    """

    error: float
    rank: float
    true_rank: float
    holds: float
    range_holds: float
    width: float
    others: float
    others_width: float
    lost: float = 0.0
    alarms: float = 0.0
    caught: float = float("nan")


UNKNOWN = Seen(*[float("nan")] * 8)
"""What a board shows of models that it cannot rate."""


def rating(votes: Votes, listed: Mask | None = None, *, alike: bool = False) -> Fit:
    """The ratings of the `listed` models (K,), all by default, from the votes among them: Bradley-Terry with
    intervals for votes that hang together by voter. `alike` counts each pair of models as often as others.
    """
    if listed is not None:
        votes = votes.where(listed[votes.model_a] & listed[votes.model_b])
    battles = rated_battles(votes)
    if alike:
        battles = reweighted(battles)
    return clustered(bradley_terry(pairs_of(battles)), battles, [clusters(votes.voter)])


def rating_at_equal_length(votes: Votes) -> Fit:
    """The ratings with the length of answers beside the strengths."""
    length = votes.style[..., :1]
    features = relative_difference(length[:, 0], length[:, 1])
    return style_controlled(rated_battles(votes), features, [clusters(votes.voter)]).fit


def seen(
    fit: Fit,
    truth: FloatArray,
    of: int | IntArray,
    *,
    still: IntArray | None = None,
    cut: float = 0.0,
    anchor: Anchor | None = None,
) -> Seen:
    """What a board shows of the models `of`, against the true scores (K,), NaN for models without one.

    Those still on the board are `still`, all of them by default; their mean score stands against the true
    mean of all `of`. `cut` points are taken off their scores. Without an anchor rated models have mean 1000.
    """
    of = np.atleast_1d(of)
    left = of if still is None else still
    if not fit.rated[left].all():
        return UNKNOWN
    score = scores(fit, anchor)
    score[left] -= cut
    weight = np.zeros(int(fit.rated.sum()))
    weight[np.searchsorted(np.flatnonzero(fit.rated), left)] = 1 / len(left)
    covariance = fit.covariance[np.ix_(fit.rated, fit.rated)]
    half = quantile(fit, 0.95) * POINTS * float(weight @ covariance @ weight) ** 0.5
    error = float(score[left].mean() - truth[of].mean())
    ranges = rank_ranges(fit, draws=_DRAWS)
    others = fit.rated.copy()
    others[of] = False
    return Seen(
        error=error,
        rank=float(ranks(score)[left].mean()),
        true_rank=float(ranks(truth)[of].mean()),
        holds=float(abs(error) <= half),
        range_holds=float(
            all(
                (found := ranges[model]) is not None and found.low <= rank <= found.high
                for model, rank in zip(left, ranks(truth)[left], strict=True)
            )
        ),
        width=2 * half,
        others=float((score - truth)[others].mean()),
        others_width=float(2 * quantile(fit, 0.95) * standard_errors(fit)[others].mean()),
    )


def ranks(score: FloatArray) -> IntArray:
    """(K,) One more than the number of models above it, to which one without a score (NaN) never belongs."""
    return np.asarray(1 + (score[None, :] > score[:, None]).sum(axis=1))
