"""Votes between pairs of models, one by one and counted."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff.stats.arrays import FloatArray, as_numbers

Int32Array = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Battles:
    """Votes, each between two of `models` models, which have numbers from 0.

    `first` and `second` (n,) are the two models of each vote, as they were shown; `outcome` (n,) is what
    `first` scored: 1 for a win, 0 for a loss, .5 for a tie; `weight` (n,), at least 0, is how much the vote
    counts, None for 1 each. A weight is importance, not frequency: a vote of weight 2 pulls as two votes do,
    but is one vote's evidence.

    Raises:
        ValueError: no models, arrays of different lengths, numbers that are no model's, a model against
            itself, another outcome, a weight below 0 or not finite.
    """

    models: int
    first: Int32Array
    second: Int32Array
    outcome: FloatArray
    weight: FloatArray | None = None

    def __post_init__(self) -> None:
        if self.models < 1:
            raise ValueError(f"models must be 1 or more, got {self.models}")
        first, second = (_as_models(self, name) for name in ("first", "second"))
        outcome = np.asarray(self.outcome, dtype=np.float64)
        if not len(first) == len(second) == len(outcome):
            raise ValueError(
                f"each vote has a first model, a second and an outcome, got {len(first)}, {len(second)} "
                f"and {len(outcome)}"
            )
        if (itself := first == second).any():
            at = int(itself.argmax())
            raise ValueError(f"vote {at} is between model {first[at]} and itself")
        if (wrong := ~((outcome == 0) | (outcome == 0.5) | (outcome == 1))).any():
            at = int(wrong.argmax())
            raise ValueError(f"the outcome of vote {at} must be 0, 0.5 or 1, got {outcome[at]}")
        if self.weight is not None:
            object.__setattr__(self, "weight", _as_weights(self.weight, len(first)))
        object.__setattr__(self, "first", first)
        object.__setattr__(self, "second", second)
        object.__setattr__(self, "outcome", outcome)

    def __len__(self) -> int:
        return len(self.first)

    @property
    def weights(self) -> FloatArray:
        """The weight of each vote (n,), 1 where none was given."""
        return np.ones(len(self)) if self.weight is None else self.weight

    def between(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which votes (n,) are between two models for which `chosen` (models,) is true."""
        return np.asarray(chosen[self.first] & chosen[self.second])

    def among(self, chosen: NDArray[np.bool_]) -> "Battles":
        """The votes between two models for which `chosen` (models,) is true, those renumbered from 0."""
        if chosen.all():
            return self
        number = np.cumsum(chosen, dtype=np.int32) - 1
        kept = self.between(chosen)
        return Battles(
            int(chosen.sum()),
            number[self.first[kept]],
            number[self.second[kept]],
            self.outcome[kept],
            None if self.weight is None else self.weight[kept],
        )


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """What the votes between each two models add up to, which is all that a rating needs of them.

    All arrays are (models, models), with zeros on the diagonal. `won[i, j]` is the weight of the votes in
    which i beat j, `tied`, symmetric, that of their ties; `won_squares` and `tied_squares` are the sums of
    the squared weights, for the intervals.

    Raises:
        ValueError: arrays that are not square, of different sizes or not finite, an entry below 0, ties that
            are not symmetric, or a model against itself.
    """

    won: FloatArray
    tied: FloatArray
    won_squares: FloatArray
    tied_squares: FloatArray

    def __post_init__(self) -> None:
        for name in ("won", "tied", "won_squares", "tied_squares"):
            table = _as_table(getattr(self, name), name)
            if table.shape != np.shape(self.won):
                raise ValueError(
                    f"{name} must have the shape of won, {np.shape(self.won)}, got {table.shape}"
                )
            if name.startswith("tied") and not np.array_equal(table, table.T):
                raise ValueError(f"{name} must be symmetric: a tie is one for both models")
            object.__setattr__(self, name, table)

    @classmethod
    def of_counts(cls, won: ArrayLike, tied: ArrayLike) -> "Pairs":
        """Pairs from numbers of votes, each of weight 1."""
        wins, ties = (as_numbers(values, name, ndim=2) for values, name in ((won, "won"), (tied, "tied")))
        return cls(wins, ties, wins, ties)

    @property
    def models(self) -> int:
        """How many models."""
        return len(self.won)

    @property
    def battles(self) -> FloatArray:
        """The weight of all votes between each two models, symmetric."""
        return self.won + self.won.T + self.tied

    @property
    def points(self) -> FloatArray:
        """What the row scored against the column, ties as half."""
        return self.won + self.tied / 2

    def add(self, first: int, second: int, outcome: float, weight: float = 1.0) -> None:
        """Count one more vote, in place: the one change that a live board makes at every vote.

        Raises:
            ValueError: as for a vote among `Battles`.
        """
        _check_vote(self.models, first, second, outcome, weight)
        if outcome == 0.5:
            for i, j in ((first, second), (second, first)):
                self.tied[i, j] += weight
                self.tied_squares[i, j] += weight**2
            return
        winner, loser = (first, second) if outcome == 1 else (second, first)
        self.won[winner, loser] += weight
        self.won_squares[winner, loser] += weight**2

    def among(self, chosen: NDArray[np.bool_]) -> "Pairs":
        """The votes between two models for which `chosen` (models,) is true, those renumbered from 0."""
        if chosen.all():
            return self
        at = np.ix_(chosen, chosen)
        return Pairs(self.won[at], self.tied[at], self.won_squares[at], self.tied_squares[at])

    def reweighted(self, least: float = 50.0) -> "Pairs":
        """Each pair of models counted alike, by votes of weight 1 / max(n, least) for the pair's number n.

        A rating is then what it would be if all pairs met equally often, whichever the sampler preferred
        (Chiang et al. 2024, arXiv 2403.04132, equations 4 to 7, with the floor of the arena-rank package).
        """
        if not least > 0:
            raise ValueError(f"least must be above 0, got {least}")
        weight = 1 / np.maximum(self.battles, least)
        square = weight**2
        return Pairs(
            self.won * weight, self.tied * weight, self.won_squares * square, self.tied_squares * square
        )


def pairs_of(battles: Battles) -> Pairs:
    """The votes counted."""
    m = battles.models
    code = battles.first.astype(np.int64)
    code *= m
    code += battles.second
    code *= 3
    code += (2 * battles.outcome).astype(np.int8)
    if battles.weight is None:
        return Pairs.of_counts(*_counted(code, None, m))
    return Pairs(*_counted(code, battles.weight, m), *_counted(code, battles.weight**2, m))


def reweighted(battles: Battles, least: float = 50.0) -> Battles:
    """The votes with the weights of `Pairs.reweighted`, for what needs them one by one."""
    together = pairs_of(battles).battles[battles.first, battles.second]
    weight = battles.weights / np.maximum(together, least)
    return Battles(battles.models, battles.first, battles.second, battles.outcome, weight)


def _counted(
    code: NDArray[np.int64], weight: FloatArray | None, models: int
) -> tuple[FloatArray, FloatArray]:
    cells = np.bincount(code, weight, 3 * models**2).reshape(models, models, 3).astype(np.float64, copy=False)
    lost, tied, won = np.moveaxis(cells, 2, 0)
    return won + lost.T, tied + tied.T


def _as_models(battles: Battles, name: str) -> Int32Array:
    given: NDArray[Any] = np.asarray(getattr(battles, name))
    if given.ndim != 1 or (given.dtype.kind not in "iu" and given.size):
        raise ValueError(f"{name} must be a row of models' numbers, got {given.dtype} of shape {given.shape}")
    if given.size and not 0 <= given.min() <= given.max() < battles.models:
        outside = given.min() if given.min() < 0 else given.max()
        raise ValueError(f"{name} holds model {outside}; models have numbers from 0 to {battles.models - 1}")
    return np.asarray(given, dtype=np.int32)


def _as_weights(weight: ArrayLike, n: int) -> FloatArray:
    weights = np.asarray(weight, dtype=np.float64)
    if weights.shape != (n,):
        raise ValueError(f"each vote needs its weight, got {n} votes and weights of shape {weights.shape}")
    if (wrong := ~(np.isfinite(weights) & (weights >= 0))).any():
        at = int(wrong.argmax())
        raise ValueError(f"the weight of vote {at} must be finite and at least 0, got {weights[at]}")
    return weights


def _as_table(values: ArrayLike, name: str) -> FloatArray:
    table = as_numbers(values, name, ndim=2).copy()  # `add` writes into it
    if table.shape[0] != table.shape[1]:
        raise ValueError(f"{name} must be square, a row and a column for each model, got {table.shape}")
    if (table < 0).any():
        raise ValueError(f"{name} must be at least 0, got {table.min()}")
    if np.diag(table).any():
        raise ValueError(f"{name} has votes between model {int(np.diag(table).argmax())} and itself")
    return table


def _check_vote(models: int, first: int, second: int, outcome: float, weight: float) -> None:
    if first == second or not (0 <= first < models and 0 <= second < models):
        raise ValueError(f"a vote is between two of the models 0 to {models - 1}, got {first} and {second}")
    if outcome not in (0, 0.5, 1):
        raise ValueError(f"the outcome of a vote must be 0, 0.5 or 1, got {outcome}")
    if not 0 <= weight < np.inf:
        raise ValueError(f"the weight of a vote must be finite and at least 0, got {weight}")
