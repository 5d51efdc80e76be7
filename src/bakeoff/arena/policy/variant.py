"""A variant of a model as an arena knows it: whose it is, what exactly is run, and what it scored."""

from dataclasses import asdict, dataclass
from math import isfinite
from typing import Literal

from bakeoff.arena.policy.life import State
from bakeoff.digest import digest
from bakeoff.errors import BakeoffError

Licence = Literal["proprietary", "open_weights", "open_source"]
Access = Literal["private", "public"]
Z = 1.959963984540054
"""The 97.5 % quantile of a normal: scores have intervals of 95 %."""


@dataclass(frozen=True, slots=True)
class Artefact:
    """What is run: weights by their digest, or a model of an API by its name there and the date of that
    version; with the digest of its system prompt and its decoding, where it has one.

    Raises:
        BakeoffError: it names neither weights nor a dated model of an API.
    """

    weights: str = ""
    api_model: str = ""
    api_date: str = ""
    system_prompt: str = ""
    decoding: str = ""

    def __post_init__(self) -> None:
        if not self.weights and not (self.api_model and self.api_date):
            raise BakeoffError(
                "an artefact is named by the digest of its weights, or by api_model and api_date",
                "without one nobody can tell whether the public model is the one that was tested",
            )

    @property
    def digest(self) -> str:
        """Two variants of one digest are the same model under the same conditions."""
        return digest(asdict(self))


@dataclass(frozen=True, slots=True)
class Rating:
    """A score in points with its 95 % interval, from so many votes.

    Raises:
        BakeoffError: a number is not finite, the score lies outside the interval, or `votes` is below 0.
    """

    score: float
    low: float
    high: float
    votes: int

    def __post_init__(self) -> None:
        if not all(map(isfinite, (self.score, self.low, self.high))):
            raise BakeoffError(f"a rating needs a score and an interval, got {self.score}", "rate no others")
        if not self.low <= self.score <= self.high:
            raise BakeoffError(f"the score {self.score:g} lies outside [{self.low:g}, {self.high:g}]")
        if self.votes < 0:
            raise BakeoffError(f"votes must not be below 0, got {self.votes}")

    @property
    def width(self) -> float:
        """The width of the interval, in points."""
        return self.high - self.low

    @property
    def se(self) -> float:
        """The standard error that the interval stands for, in points."""
        return self.width / (2 * Z)


@dataclass(frozen=True, slots=True)
class Variant:
    """A row. `access` says how it was tested: a private variant is public from its release on. `before` is
    the state that a dispute interrupted; `rating` the last that was published. Times are seconds since 1970.
    """

    arena: str
    name: str
    provider: str
    family: str
    licence: Licence
    access: Access
    artefact: Artefact
    state: State
    before: State | None
    rating: Rating | None
    created: float
    changed: float
