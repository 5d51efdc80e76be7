"""Votes in the form in which they are rated."""

import numpy as np
from numpy.typing import NDArray

from bakeoff.arena.votes.pair_counts import PairCounts
from bakeoff.arena.votes.votes import Votes, grouped
from bakeoff.stats.ratings import Battles, Pairs

_SCORED = np.array([1.0, 0.0, 0.5, 0.5])
"""What `a` scored by each outcome; two bad answers are as good as one another."""


def rated_battles(votes: Votes) -> Battles:
    """Each vote as a battle of its `model_a`, in the order of the votes; models keep their numbers."""
    return Battles(len(votes.models), votes.model_a, votes.model_b, _SCORED[votes.outcome])


def rated_pairs(counts: PairCounts) -> Pairs:
    """Counts of pairs as matrices; rows of one pair are added up."""
    m = len(counts.models)
    won, tied = np.zeros((m, m)), np.zeros((m, m))
    a, b = counts.model_a, counts.model_b
    np.add.at(won, (a, b), counts.counts[:, 0])
    np.add.at(won, (b, a), counts.counts[:, 1])
    np.add.at(tied, (a, b), counts.counts[:, 2:].sum(axis=1))
    return Pairs.of_counts(won, tied + tied.T)


def clusters(pseudonyms: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Votes (n,) that hang together, by voter or prompt. A vote without one hangs together with no other."""
    codes, known = grouped(pseudonyms)
    alone = codes < 0
    return np.where(alone, len(known) + np.cumsum(alone) - 1, codes)
