"""With which probability each pair is drawn next."""

from dataclasses import dataclass, field

import numpy as np

from bakeoff.stats.arrays import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class PairProbabilities:
    """By `rule`, after so many `votes`: pairs of `models`, which are in the order of their names. `first` and
    `second` (P,) are places in `models`, first < second, in the order of both; `probability` (P,) adds up to
    1, and is above 0 for each pair.

    Raises:
        ValueError: a probability that is not above 0, or they do not add up to 1.
    """

    rule: str
    votes: int
    models: tuple[str, ...]
    first: IntArray
    second: IntArray
    probability: FloatArray
    upto: FloatArray = field(init=False, repr=False)
    """(P,) Sums of the probabilities up to each pair's own."""

    def __post_init__(self) -> None:
        if not (self.probability > 0).all() or abs(float(self.probability.sum()) - 1) > 1e-9:
            raise ValueError("the probabilities of pairs must be above 0 and add up to 1")
        object.__setattr__(self, "upto", np.cumsum(self.probability))

    def of(self, one: str, other: str) -> float:
        """The probability of a pair, whichever comes first; 0 where it is none of these."""
        if not {one, other} <= set(self.models):
            return 0.0
        a, b = sorted(map(self.models.index, (one, other)))
        return float(self.probability[(self.first == a) & (self.second == b)].sum())

    @property
    def shares(self) -> dict[str, float]:
        """The share of all appearances that each model is to have; they add up to 1."""
        sides = np.concatenate([self.first, self.second])
        shown = np.bincount(sides, np.tile(self.probability, 2) / 2, len(self.models))
        return dict(zip(self.models, shown.tolist(), strict=True))
