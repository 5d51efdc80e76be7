"""An arena whose truth is known: models of stated strengths, and people who vote on them.

A voter prefers the first answer of a pair by the log-odds z, the difference of the models' strengths, plus
the voter's own taste for either, plus what the difference of their lengths is worth. Outcomes follow Rao &
Kupper 1967: P(first) = 1 / (1 + e^(η - z)), P(second) = 1 / (1 + e^(η + z)), else a tie.
"""

from dataclasses import dataclass
from math import atanh

import numpy as np

from bakeoff.errors import BakeoffError
from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.ratings.battles import Pairs
from bakeoff.stats.ratings.bradley_terry import bradley_terry
from bakeoff.stats.ratings.scale import POINTS, scores

_LIMITS = {
    "models": (10, 1_000),
    "votes": (200, 10_000_000),
    "providers": (2, 1_000),
    "spread": (1.0, 1_000.0),
    "ties": (0.01, 0.9),
    "per_voter": (1.0, 1e6),
    "zipf": (0.0, 3.0),
    "taste": (0.0, 1_000.0),
    "gold": (0.0, 0.5),
    "care": (0.5, 1.0),
    "days": (1, 3_650),
    "style": (-10.0, 10.0),
    "confounding": (-3.0, 3.0),
    "lengths": (0.0, 3.0),
}


@dataclass(frozen=True, slots=True)
class World:
    """What is true. `models` have strengths at the quantiles of a normal distribution with a standard
    deviation of `spread` Elo points, the strongest first, and belong to `providers` in turn.

    `votes` are cast within `days` days; `ties` is the share of ties between two equal models. Voters have
    `per_voter` votes each on average, the k-th most active as k^-`zipf`; each has a taste of their own for
    every model, normal with standard deviation `taste` in points. A share `gold` of pairs is known, and a
    person gets `care` of them right.

    The logarithm of an answer's length is normal with standard deviation `lengths`, and a mean that rises by
    `confounding` for each `spread` of strength. `style` is what length is worth to voters, in log-odds for
    one unit of (a - b) / (a + b); .75 is about what LMArena published in 2024. 0 records no lengths.

    Raises:
        BakeoffError: a parameter outside its limits, fewer than two models for each provider, or than
            20 votes for each model.
    """

    models: int = 20
    votes: int = 20_000
    providers: int = 5
    spread: float = 120.0
    ties: float = 0.27
    per_voter: float = 20.0
    zipf: float = 0.8
    taste: float = 50.0
    gold: float = 0.02
    care: float = 0.95
    days: int = 30
    style: float = 0.0
    confounding: float = 0.3
    lengths: float = 0.5

    def __post_init__(self) -> None:
        for name, (least, most) in _LIMITS.items():
            if not least <= (value := getattr(self, name)) <= most:
                raise BakeoffError(
                    f"{name} of a simulated arena must lie between {least:,} and {most:,}, got {value:,}",
                    f"choose {name} within these limits",
                )
        if 2 * self.providers > self.models:
            raise BakeoffError(
                f"each of {self.providers} providers needs two models, and there are {self.models} models",
                "have more models, or fewer providers",
            )
        if self.votes < 20 * self.models:
            raise BakeoffError(
                f"votes of a simulated arena must be 20 for each of its {self.models:,} models at least, got "
                f"{self.votes:,}",
                f"have {20 * self.models:,} votes, or fewer models",
            )

    @property
    def voters(self) -> int:
        """How many people vote."""
        return max(2, round(self.votes / self.per_voter))

    @property
    def strength(self) -> FloatArray:
        """(models,) in natural log-odds with mean 0, the strongest first."""
        from scipy.special import ndtri

        return np.asarray(-self.spread / POINTS * ndtri((np.arange(self.models) + 0.5) / self.models))

    def of_provider(self, provider: int) -> IntArray:
        """The models of a provider, who are numbered from 0; the strongest first."""
        return np.arange(provider, self.models, self.providers)

    @property
    def provider(self) -> tuple[str, ...]:
        """The provider of each model."""
        return tuple(f"provider {1 + model % self.providers}" for model in range(self.models))


def names(models: int) -> tuple[str, ...]:
    """Names whose letters are in the order of the models' numbers."""
    return tuple(f"model {1 + model:04d}" for model in range(models))


def chances(world: World, z: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The probabilities that the first wins and that the second does, at log-odds of any shape."""
    from scipy.special import expit

    eta = 2 * atanh(world.ties)
    return np.asarray(expit(z - eta)), np.asarray(expit(-z - eta))


def truth(world: World, strength: FloatArray) -> FloatArray:
    """(K,) The scores, mean 1000, at which endless votes put models of these strengths (K,) in log-odds: by
    endless voters, on all pairs alike, at equal style.

    They are the Bradley-Terry fit of the expected outcomes, with ties as half. It is nearer together than the
    strengths are, because a tie says less than a win and tastes differ: that is what a board can find out.
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    z = np.subtract.outer(strength, strength)[..., None] + 2**0.5 * world.taste / POINTS * nodes
    won, lost = (found @ (weights / weights.sum()) for found in chances(world, z))
    apart = ~np.eye(len(strength), dtype=bool)
    tied = np.where(apart, 1 - won - lost, 0.0)
    return scores(bradley_terry(Pairs.of_counts(np.where(apart, won, 0.0), (tied + tied.T) / 2)))
