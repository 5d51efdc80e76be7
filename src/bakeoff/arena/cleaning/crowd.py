"""Each voter's decisive votes against what everybody said about the same pairs of models.

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
    voter's own votes for and against the first, `all_won`, `all_lost` everybody's, the voter's included.
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
    all_won = np.bincount(pair[for_first], minlength=len(pairs))
    all_lost = np.bincount(pair[~for_first], minlength=len(pairs))
    by, voters = grouped(votes.voter[decisive])
    known = by >= 0
    by, pair, for_first, chose_a = by[known], pair[known], for_first[known], chose_a[known]
    keys, cell = np.unique(by * max(1, len(pairs)) + pair, return_inverse=True)
    voter, which = keys // max(1, len(pairs)), keys % max(1, len(pairs))
    return Cells(
        voters=voters,
        voter=voter,
        first=pairs[which] // max(1, len(votes.models)),
        second=pairs[which] % max(1, len(votes.models)),
        won=np.bincount(cell[for_first], minlength=len(keys)),
        lost=np.bincount(cell[~for_first], minlength=len(keys)),
        all_won=all_won[which],
        all_lost=all_lost[which],
        for_a=np.bincount(by[chose_a], minlength=len(voters)),
        decided=np.bincount(by, minlength=len(voters)),
    )
