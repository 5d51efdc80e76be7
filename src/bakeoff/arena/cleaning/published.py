"""The two published rules against anomalous voters of Chatbot Arena, to compare ours with.

Both look at a voter's first hundred votes in the order of time.
"""

import numpy as np
from numpy.typing import NDArray

from bakeoff.arena.cleaning.duplicates import rank_within
from bakeoff.arena.votes.votes import Votes, grouped

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
FIRST = 100


def fastchat(votes: Votes) -> Floats:
    """FastChat's test martingale: the largest natural logarithm that each voter's comes to, on either side.

    It is the product of 1 / (2p), where p is the share of a pair's decisive votes, the voter's included, that
    are at most (on the other side: at least) as good for the pair's first model as the vote; a tie lies
    between. The rule flags above ln(1 / α). For decisive votes the mean of a factor is below 1; a tie counts
    as surprising on both sides, so where people call ties nothing bounds the false alarms.
    """
    by, voters = grouped(votes.voter)
    pair, score = _oriented(votes)
    won, lost = (np.bincount(pair[score == value], minlength=_size(pair)) for value in (2, 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (won / (won + lost))[pair]
        at_most = -np.log(2 * np.where(score == 2, 1.0, 1 - share))
        at_least = -np.log(2 * np.where(score == 0, 1.0, share))
    order, first = _in_time(votes, by)
    known = first & (by[order] >= 0) & ~np.isnan(share[order])
    rows = order[known]
    return np.maximum(
        _highest(at_most[rows], by[rows], len(voters)), _highest(at_least[rows], by[rows], len(voters))
    )


def fisher(votes: Votes) -> Floats:
    """The paper's combination of p-values (Chiang et al. 2024, section 5.1), on both sides and with mid-p.

    p is the share of the others' votes on a pair that were better for the answer shown first, half of those
    that were equal and half of the vote itself included; −2 Σ ln p is held against χ² with two degrees for
    each vote, as is −2 Σ ln(1 − p). The p-value of each voter is twice the smaller one, at most 1. The paper
    looks at five random moments instead of one and at one side, where ties of p make it blind.
    """
    from scipy.special import gammaincc

    by, voters = grouped(votes.voter)
    pair, score = _oriented(votes)
    flipped = votes.model_a > votes.model_b
    crowd = np.bincount(pair * 3 + score, minlength=3 * _size(pair)).reshape(-1, 3)[pair]
    cell = np.unique(by * _size(pair) + pair, return_inverse=True)[1]
    own = np.bincount(cell * 3 + score, minlength=3 * _size(cell)).reshape(-1, 3)[cell]
    others = np.where((by >= 0)[:, None], crowd - own, crowd)
    others = np.where(flipped[:, None], others[:, ::-1], others)
    score = np.where(flipped, 2 - score, score)
    equal = np.take_along_axis(others, score[:, None], axis=1)[:, 0]
    better = (others * (np.arange(3) > score[:, None])).sum(axis=1)
    p = (better + (equal + 1) / 2) / (others.sum(axis=1) + 1)
    order, first = _in_time(votes, by)
    rows = order[first & (by[order] >= 0)]
    count = np.bincount(by[rows], minlength=len(voters))
    sums = [np.bincount(by[rows], -np.log(side[rows]), len(voters)) for side in (p, 1 - p)]
    found: Floats = np.minimum(1.0, 2 * np.minimum(*(gammaincc(count, each) for each in sums)))
    return found


def _oriented(votes: Votes) -> tuple[Ints, Ints]:
    """The pair of each vote, and what its first model by name got: 0, 1 for a tie, 2."""
    a, b = votes.model_a.astype(np.int64), votes.model_b.astype(np.int64)
    pair = np.unique(np.minimum(a, b) * len(votes.models) + np.maximum(a, b), return_inverse=True)[1]
    for_a = np.array([2, 0, 1, 1])[votes.outcome]
    return pair.astype(np.int64), np.where(a < b, for_a, 2 - for_a)


def _size(codes: Ints) -> int:
    return int(codes.max(initial=-1)) + 1


def _in_time(votes: Votes, by: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    """Votes by voter and time, and which are among a voter's first hundred."""
    order = np.lexsort((votes.key, votes.at, by))
    return order, rank_within(by, votes.at, votes.key)[order] < FIRST


def _highest(steps: Floats, by: Ints, voters: int) -> Floats:
    """The highest running sum of each voter's steps; −∞ for voters without any. Steps are sorted by voter."""
    found = np.full(voters, -np.inf)
    if not len(steps):
        return found
    starts = np.flatnonzero(np.r_[True, by[1:] != by[:-1]])
    for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(steps)], strict=True):
        found[by[start]] = np.cumsum(steps[start:end]).max()
    return found
