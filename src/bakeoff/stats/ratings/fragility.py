"""How few votes an order hangs on: another is above the first without them, and a refit has checked it.

Broderick, Giordano & Meager 2020 (arXiv 2011.14999), for Bradley-Terry Huang et al. 2025 (arXiv 2508.11847).
With J the information and p the chance that i beats j, the strengths move by one Newton step of

    -(o - p) J⁻ (e_i - e_j) / (1 - h),    h = p (1 - p) (e_i - e_j)ᵀ J⁻ (e_i - e_j)

when a vote of outcome o is left out. Votes of one pair and one outcome are worth the same, so they are taken
by kinds, those that carry most of the lead first: ten million votes cost what their counts cost. How many it
takes is found by refits, and the kinds are weighed again by what these show.

The number is one that was found and checked, so the true minimum is that or less.
"""

from dataclasses import dataclass

import numpy as np

from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.ratings.battles import Pairs
from bakeoff.stats.ratings.bradley_terry import bradley_terry, half_ties, win_probability
from bakeoff.stats.ratings.fit import Fit, spread
from bakeoff.stats.ratings.newton import centred_inverse

_ROUNDS = 4
_ABOVE = 1e-7
"""Natural log-odds by which one model must be above the other, beyond the rounding of a fit."""
_BRIDGE = 1e-6
"""Without a vote whose 1 - h is less, nothing is left to compare its models by."""


@dataclass(frozen=True, slots=True, eq=False)
class Fragility:
    """Without `dropped`, `votes` of the `of` votes among rated models, `second` is above `first`."""

    first: int
    second: int
    votes: int
    of: int
    dropped: Pairs


def first_place(pairs: Pairs, fit: Fit) -> Fragility | None:
    """The fewest votes found without which another model than the first is above it; None if none were.

    `fit` is that of `bradley_terry(pairs)`. Both models must still be rated without the votes. With several
    at the top, the first of them by number.

    Raises:
        ValueError: counts that are not whole numbers of votes of weight 1.
    """
    _check(pairs)
    rated = np.flatnonzero(fit.rated)
    if len(rated) < 2:
        return None
    first = int(rated[fit.strength[rated].argmax()])
    board = _Board(pairs, fit)
    best: Fragility | None = None
    for second in board.rivals(first):
        # A vote is worth at most what the votes together do not tell of the pair.
        least = board.lead(first, second) / board.most(first, second)
        if best is not None and least >= best.votes:
            break
        order = board.order(first, second)
        if best is not None and order.needed(board.lead(first, second)) >= best.votes:
            continue
        found = _least(board, first, second, order)
        if found is not None and (best is None or found.votes < best.votes):
            best = found
    return best


def overtaken(pairs: Pairs, fit: Fit, first: int, second: int) -> Fragility | None:
    """The same for two rated models: votes without which `second`, now at or below `first`, is above it.

    Raises:
        ValueError: as for `first_place`, models that are not rated, or `second` above `first`.
    """
    _check(pairs)
    if not (fit.rated[first] and fit.rated[second]):
        raise ValueError(f"models {first} and {second} must both be rated")
    if not fit.strength[first] >= fit.strength[second]:
        raise ValueError(f"model {second} is above model {first} already")
    board = _Board(pairs, fit)
    return _least(board, first, second, board.order(first, second))


@dataclass(frozen=True, slots=True, eq=False)
class _Order:
    """Kinds of votes by how much of the lead one of them carries, the most first.

    `kind` are places in the tables of `_kinds`, `gain` and `count` are for each of them.
    """

    kind: IntArray
    gain: FloatArray
    count: FloatArray

    def needed(self, lead: float) -> float:
        """Votes after which the lead is gone, each worth what it is alone; infinite if all do not do."""
        together = np.cumsum(self.gain * self.count)
        at = int(np.searchsorted(together, lead))
        if at == len(together):
            return np.inf
        before = together[at] - self.gain[at] * self.count[at]
        return float(self.count[:at].sum() + np.ceil((lead - before) / self.gain[at]))

    def taken(self, votes: int, models: int) -> Pairs:
        """The first so many votes."""
        before = np.cumsum(self.count) - self.count
        table = np.zeros(2 * models**2)
        table[self.kind] = np.clip(votes - before, 0, self.count)
        won, tied = table.reshape(2, models, models)
        return Pairs.of_counts(won, tied + tied.T)


class _Board:
    """Votes, their fit, and what is known from both."""

    def __init__(self, pairs: Pairs, fit: Fit) -> None:
        self.pairs, self.fit = pairs, fit
        rated = fit.rated
        inner, strength = pairs.among(rated), fit.strength[rated]
        _, _, information = half_ties(inner)(strength)
        self.inverse = np.nan_to_num(spread(centred_inverse(information, len(strength)), rated))
        p = np.nan_to_num(spread(win_probability(strength), rated))
        variance = np.diag(self.inverse)
        self.apart = np.add.outer(variance, variance) - 2 * self.inverse
        left = 1 - p * p.T * self.apart
        self.pull = np.zeros((2, *p.shape))
        known = np.logical_and.outer(rated, rated) & (left > _BRIDGE)
        np.divide(p.T, left, out=self.pull[0], where=known)
        np.divide(0.5 - p, left, out=self.pull[1], where=known & ~np.tri(len(p), dtype=bool))

    @property
    def votes(self) -> int:
        inside = np.ix_(self.fit.rated, self.fit.rated)
        return round(float(self.pairs.battles[inside].sum() / 2))

    def lead(self, first: int, second: int) -> float:
        return float(self.fit.strength[first] - self.fit.strength[second])

    def most(self, first: int, second: int) -> float:
        return float(self.apart[first, second])

    def rivals(self, first: int) -> list[int]:
        """The other rated models, those first whom the fewest votes may put ahead."""
        others = [int(each) for each in np.flatnonzero(self.fit.rated) if each != first]
        return sorted(others, key=lambda each: self.lead(first, each) / self.most(first, each))

    def order(self, first: int, second: int, counts: FloatArray | None = None) -> _Order:
        """All kinds of votes that carry some of the lead; `counts` are those of another board."""
        potential = self.inverse[first] - self.inverse[second]
        gain = (self.pull * np.subtract.outer(potential, potential)).ravel()
        count = (_kinds(self.pairs) if counts is None else counts).ravel()
        some = np.flatnonzero((gain > 0) & (count > 0))
        kind = some[np.argsort(-gain[some], kind="stable")]
        return _Order(kind, gain[kind], count[kind])


def _least(board: _Board, first: int, second: int, order: _Order) -> Fragility | None:
    """The shortest beginning of an order that does, and then of better orders while they are shorter."""
    counts, best = _kinds(board.pairs), None
    for _ in range(_ROUNDS):
        most = int(order.count.sum()) if best is None else best.votes - 1
        found = _shortest(board, first, second, order, most)
        if found is None:
            break
        best, refit = found
        order = _Board(_without(board.pairs, best.dropped), refit).order(first, second, counts)
    return best


def _shortest(
    board: _Board, first: int, second: int, order: _Order, most: int
) -> tuple[Fragility, Fit] | None:
    """The fewest votes from the beginning of `order`, `most` at most, that do, and the fit without them."""
    lead = board.lead(first, second)
    few, many, found = 0, most + 1, None
    trial = order.needed(lead)
    while many - few > 1:
        votes = int(min(max(trial, few + 1), many - 1))
        dropped = order.taken(votes, board.pairs.models)
        refit = bradley_terry(_without(board.pairs, dropped), start=board.fit)
        left = float(refit.strength[first] - refit.strength[second])
        if left < -_ABOVE:
            many, found = votes, (Fragility(first, second, votes, board.votes, dropped), refit)
        elif np.isnan(left):
            many = votes
        else:
            few = votes
        # As far as votes go on to be worth what they were worth so far.
        trial = np.ceil(votes * lead / (lead - left)) if left < lead else (few + many) // 2
    return found


def _kinds(pairs: Pairs) -> FloatArray:
    """Votes by kind, (2, models, models): wins of the row over the column, and ties, above the diagonal."""
    return np.stack([pairs.won, np.triu(pairs.tied)])


def _without(pairs: Pairs, dropped: Pairs) -> Pairs:
    return Pairs.of_counts(pairs.won - dropped.won, pairs.tied - dropped.tied)


def _check(pairs: Pairs) -> None:
    whole = np.array_equal(pairs.won, np.rint(pairs.won)) and np.array_equal(pairs.tied, np.rint(pairs.tied))
    if not whole or not np.array_equal(pairs.won, pairs.won_squares):
        raise ValueError("votes can be left out one by one only where they are whole, of weight 1")
