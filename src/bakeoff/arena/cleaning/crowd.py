"""Each voter's decisive votes against what the crowd said about the same pairs of models.

The crowd of a voter are those who decided twice as often or half as often at least, and some of those between
that and 1.4 times: bots of one making vote about as often, and would hide one another. Who is in it does not
depend on which way anybody decided. Where it would hold less than half of the votes, the crowd is everybody.

Ties are left out: people differ in how readily they call one, and that is no fault.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bakeoff.arena.votes.votes import Votes, grouped

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """One cell for each of V voters and each pair of models that the voter decided between.

    The pair's models are `first` < `second`, places in the votes' models. `won`, `lost` (C,) count the
    voter's own votes for and against the first, `all_won`, `all_lost` the crowd's, the voter's included.
    `voters` (V,) are their pseudonyms; `voter` (C,) is a place there.
    """

    voters: NDArray[np.uint64]
    voter: Ints
    first: Ints
    second: Ints
    won: Ints
    lost: Ints
    all_won: Ints
    all_lost: Ints
    for_a: Ints
    """(V,) Decisive votes of each voter for the answer that was shown first."""
    decided: Ints
    """(V,) Decisive votes of each voter."""


def cells(votes: Votes) -> Cells:
    """The cells of all who decided anything. Votes without a known voter are part of the crowd alone."""
    decisive = votes.outcome < 2
    a, b = votes.model_a[decisive].astype(np.int64), votes.model_b[decisive].astype(np.int64)
    chose_a = votes.outcome[decisive] == 0
    for_first = chose_a == (a < b)
    pairs, pair = np.unique(np.minimum(a, b) * len(votes.models) + np.maximum(a, b), return_inverse=True)
    by, voters = grouped(votes.voter[decisive])
    decided = np.bincount(by[by >= 0], minlength=len(voters))
    band = 1 + np.floor(2 * np.log2(decided)).astype(np.int64)
    of_vote = np.append(band, 0)[by]
    crowds = _crowds(np.bincount(of_vote, minlength=1))
    crowd_won, crowd_lost = (
        _counted(of_vote[of], pair[of], crowds, len(pairs)) for of in (for_first, ~for_first)
    )
    known = by >= 0
    by, pair, for_first, chose_a = by[known], pair[known], for_first[known], chose_a[known]
    keys, cell = np.unique(by * max(1, len(pairs)) + pair, return_inverse=True)
    voter, which = keys // max(1, len(pairs)), keys % max(1, len(pairs))
    won, lost = (np.bincount(cell[of], minlength=len(keys)) for of in (for_first, ~for_first))
    own = band[voter]
    outside = 1 - crowds[own, own]
    return Cells(
        voters=voters,
        voter=voter,
        first=pairs[which] // max(1, len(votes.models)),
        second=pairs[which] % max(1, len(votes.models)),
        won=won,
        lost=lost,
        all_won=crowd_won[own, which] + outside * won,
        all_lost=crowd_lost[own, which] + outside * lost,
        for_a=np.bincount(by[chose_a], minlength=len(voters)),
        decided=decided,
    )


def _crowds(votes: Ints) -> Ints:
    """(B, B) Whether the votes of a band, the column, are of the crowd of voters in a band, the row, by how
    many `votes` (B,) there are of each. Band 0 is of unknown voters, who are of every crowd.
    """
    band = np.arange(len(votes))
    apart = np.abs(np.subtract.outer(band, band)) > 1
    apart[:, 0] = True
    apart[2 * (apart @ votes) < votes.sum()] = True
    return np.asarray(apart, dtype=np.int64)


def _counted(band: Ints, pair: Ints, crowds: Ints, pairs: int) -> Ints:
    """(B, pairs) How many votes of the crowd of each band are on each pair."""
    counts = np.bincount(band * pairs + pair, minlength=len(crowds) * pairs)
    return np.asarray(crowds @ counts.reshape(len(crowds), pairs))
