"""Bradley-Terry strengths of votes drawn again: the audit of the intervals that formulas give.

Efron 1979 (Annals of Statistics 7:1). Votes are drawn with replacement, by counts of pairs and outcomes, or
whole clusters of them. Each draw is fitted to the end: first with the information of the original votes for
all draws of a batch at once, and what that does not bring home, on its own.

In a draw a model may have lost or won everything. Its strength there is infinite, and stands as such in the
draws: an interval that reaches to infinity says that the votes allow it.
"""

from collections.abc import Callable, Hashable, Sequence
from math import inf

import numpy as np

from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.groups import codes
from bakeoff.stats.interval import Interval, check_level
from bakeoff.stats.ratings.battles import Battles, Pairs, pairs_of
from bakeoff.stats.ratings.bradley_terry import bradley_terry, half_ties
from bakeoff.stats.ratings.fit import Fit
from bakeoff.stats.ratings.newton import centred_inverse

_CELLS = 1 << 18  # pairs times draws that are worked on at once: they stay in the cache
_TOLERANCE = 1e-5  # in log-odds, less than .002 Elo points
_STEPS = 15

_Drawn = Callable[[np.random.Generator, int], FloatArray]
"""Weights (3, pairs, draws) of one model's wins, the other's, and ties, for a number of draws."""


def bootstrap(pairs: Pairs, *, draws: int = 1_000, seed: int = 0) -> FloatArray:
    """Strengths (draws, models) of as many votes, drawn independently from those counted in `pairs`.

    Models that are not rated have NaN. In a draw, a model is +inf or -inf where it won or lost everything,
    and NaN where it is cut off otherwise; the others are then shifted as a whole to where they were.

    Raises:
        ValueError: fewer than 1 draw, or counts that are not whole numbers of votes of weight 1.
    """
    if draws < 1:
        raise ValueError(f"a bootstrap needs at least 1 draw, got {draws}")
    whole = np.array_equal(pairs.won, np.rint(pairs.won)) and np.array_equal(pairs.tied, np.rint(pairs.tied))
    if not whole or not np.array_equal(pairs.won, pairs.won_squares):
        raise ValueError("votes with weights must be drawn one by one: see bootstrap_clusters")
    fit = bradley_terry(pairs)
    if not fit.rated.any():
        return np.full((draws, pairs.models), np.nan)
    inner = pairs.among(fit.rated)
    first, second = np.nonzero(np.triu(inner.battles))
    counts = np.stack([inner.won[first, second], inner.won[second, first], inner.tied[first, second]])
    drawn = _votes(counts.astype(np.int64))
    return _refitted(fit, first, second, drawn, draws, seed)


def bootstrap_clusters(
    battles: Battles, clusters: Sequence[Hashable] | IntArray, *, draws: int = 1_000, seed: int = 0
) -> FloatArray:
    """Strengths (draws, models) as in `bootstrap`, of whole clusters drawn with replacement.

    `clusters[i]` is the cluster of vote i, the voter say; among votes of rated models, as many clusters are
    drawn as there are.

    Raises:
        ValueError: fewer than 1 draw, clusters that are not one for each vote, or fewer than two of them.
    """
    if draws < 1:
        raise ValueError(f"a bootstrap needs at least 1 draw, got {draws}")
    group = codes(clusters, len(battles), "clusters")
    fit = bradley_terry(pairs_of(battles))
    if not fit.rated.any():
        return np.full((draws, battles.models), np.nan)
    kept = battles.between(fit.rated)
    inner = battles.among(fit.rated)
    group = codes(group[kept], len(inner), "clusters")
    if not group.size or group.max() < 1:
        raise ValueError("clusters must be two or more: one says nothing of voters it does not hold")
    low, high = np.minimum(inner.first, inner.second), np.maximum(inner.first, inner.second)
    pair, place = np.unique(low.astype(np.int64) * inner.models + high, return_inverse=True)
    winner = np.where(inner.outcome == 1, inner.first, inner.second)
    kind = np.where(inner.outcome == 0.5, 2, winner == high)
    cell = kind * len(pair) + place
    drawn = _clusters(group, cell, inner.weights, 3 * len(pair))
    return _refitted(fit, pair // inner.models, pair % inner.models, drawn, draws, seed)


def percentile_intervals(strengths: FloatArray, level: float = 0.95) -> tuple[Interval | None, ...]:
    """Percentile interval of each model's drawn strengths (draws, models); None for a model without any.

    Limits are drawn values, the outer ones; a draw in which a model was cut off counts on both sides.

    Raises:
        ValueError: level outside (0, 1).
    """
    check_level(level)
    tail = (1 - level) / 2
    missing = np.isnan(strengths)
    low = np.quantile(np.where(missing, -inf, strengths), tail, axis=0, method="lower")
    high = np.quantile(np.where(missing, inf, strengths), 1 - tail, axis=0, method="higher")
    return tuple(
        None if never else Interval(float(a), float(b), level, "bootstrap")
        for a, b, never in zip(low, high, np.all(missing, axis=0), strict=True)
    )


def _votes(counts: IntArray) -> _Drawn:
    cells, votes = counts.size, int(counts.sum())
    share = counts.ravel() / max(1, votes)
    # Few votes are drawn one by one, many by how often each kind comes; both are the same distribution.
    each = np.repeat(np.arange(cells), counts.ravel()) if votes <= 4 * cells else None

    def drawn(random: np.random.Generator, draws: int) -> FloatArray:
        if each is None:
            table = random.multinomial(votes, share, draws)
        else:
            table = np.array(
                [np.bincount(each[random.integers(0, votes, votes)], minlength=cells) for _ in range(draws)]
            )
        return np.ascontiguousarray(table.T, dtype=np.float64).reshape(3, -1, draws)

    return drawn


def _clusters(group: IntArray, cell: IntArray, weight: FloatArray, cells: int) -> _Drawn:
    groups = int(group.max()) + 1
    row, place = np.unique(group * cells + cell, return_inverse=True)
    group, cell, added = row // cells, row % cells, np.bincount(place, weight)

    def drawn(random: np.random.Generator, draws: int) -> FloatArray:
        table = np.empty((cells, draws))
        for k in range(draws):
            times = np.bincount(random.integers(0, groups, groups), minlength=groups)
            table[:, k] = np.bincount(cell, added * times[group], cells)
        return table.reshape(3, -1, draws)

    return drawn


def _refitted(
    fit: Fit, first: IntArray, second: IntArray, drawn: _Drawn, draws: int, seed: int
) -> FloatArray:
    random = np.random.default_rng(seed)
    rated = fit.rated
    strengths = np.full((draws, len(rated)), np.nan)
    solve = _Batch(fit.strength[rated], first, second)
    batch = max(1, _CELLS // len(first))
    for begin in range(0, draws, batch):
        counts = drawn(random, min(batch, draws - begin))
        strengths[begin : begin + batch, rated] = solve(counts)
    return strengths


class _Batch:
    """Fits of many draws at once, from the strengths (m,) of the original votes.

    Newton's method with one inverse of the information for all draws, that of their mean counts; a draw's own
    enters by its diagonal, measured at the first two steps. Steps get smaller by a factor of 10 or more.
    """

    def __init__(self, strength: FloatArray, first: IntArray, second: IntArray) -> None:
        from scipy.sparse import csr_array

        self.strength, self.first, self.second = strength, first, second
        pairs, models = len(first), len(strength)
        places = (np.concatenate([first, second]), np.tile(np.arange(pairs), 2))
        self.onto_models = csr_array((np.repeat([1.0, -1.0], pairs), places), (models, pairs))
        self.models = models

    def __call__(self, counts: FloatArray) -> FloatArray:
        """Strengths (draws, m) for counts (3, pairs, draws)."""
        from scipy.special import expit

        votes, points = counts.sum(axis=0), counts[0] + counts[2] / 2
        at = np.repeat(self.strength[:, None], counts.shape[2], axis=1)
        bread = self.bread(votes.mean(axis=1))
        both_ends = abs(self.onto_models)
        for taken in range(_STEPS):
            p = at[self.first]
            p -= at[self.second]
            expit(p, out=p)
            expected = votes * p
            if taken < 2:
                own = both_ends @ (expected * (1 - p))
                scale = np.sqrt(own.mean(axis=1, keepdims=True) / np.maximum(own, 1e-9))
            move = scale * (bread @ (scale * (self.onto_models @ (points - expected))))
            at += move
            step = np.abs(move).max(axis=0)
            if (step <= _TOLERANCE).all():
                break
        found = at.T - at.T.mean(axis=1, keepdims=True)
        for k in np.flatnonzero(~(step <= _TOLERANCE)):
            found[k] = self.alone(counts[:, :, k])
        return np.asarray(found)

    def bread(self, votes: FloatArray) -> FloatArray:
        table = np.zeros((self.models, self.models))
        table[self.first, self.second] = votes
        _, _, information = half_ties(Pairs.of_counts(np.zeros_like(table), table + table.T))(self.strength)
        return centred_inverse(information, self.models)

    def alone(self, counts: FloatArray) -> FloatArray:
        """Strengths (m,) for counts (3, pairs) under which some may be infinite."""
        won, tied = np.zeros((2, self.models, self.models))
        won[self.first, self.second], won[self.second, self.first], tied[self.first, self.second] = counts
        found = bradley_terry(Pairs.of_counts(won, tied + tied.T))
        strength = found.strength
        strength += (self.strength - strength)[found.rated].mean() if found.rated.any() else 0.0
        status = np.array(found.standing.status)
        strength[status == "undefeated"] = inf
        strength[status == "winless"] = -inf
        return strength
