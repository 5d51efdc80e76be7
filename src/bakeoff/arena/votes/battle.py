"""One vote."""

from dataclasses import dataclass
from datetime import datetime
from math import inf
from typing import Literal, get_args

from bakeoff.arena.votes.pseudonym import is_pseudonym
from bakeoff.arena.votes.style import Style

Outcome = Literal["a", "b", "tie", "both_bad"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
"""In this order wherever an outcome is a number."""


@dataclass(frozen=True, slots=True)
class Battle:
    """Two answers to one prompt, and which of them somebody preferred. None is "not recorded".

    `voter` and `prompt` are pseudonyms, so that no name or address can come in by mistake; a voter may be a
    judge. `at` has a time zone. `blind` says whether the voter did not see the models' names. `gold` is the
    outcome that is known to be right, where the pair was set to find out about voters. `share` is what `a`
    got, in [0, 1], from a judge that gave probabilities; `outcome` is then its nearer side. `seconds` passed
    between the end of the answers and the vote.

    Raises:
        ValueError: a field that cannot be so, by name.
    """

    id: str
    model_a: str
    model_b: str
    outcome: Outcome
    voter: str | None = None
    prompt: str | None = None
    at: datetime | None = None
    language: str | None = None
    tags: tuple[str, ...] = ()
    blind: bool | None = None
    gold: Outcome | None = None
    share: float | None = None
    prompt_text: str | None = None
    answer_a: str | None = None
    answer_b: str | None = None
    style_a: Style | None = None
    style_b: Style | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("id", "model_a", "model_b"):
            if not getattr(self, name):
                raise ValueError(f"{name} is empty")
        if self.model_a == self.model_b:
            raise ValueError(f"model_a and model_b are both {self.model_a!r}: that is no battle")
        for name in ("outcome", "gold"):
            value = getattr(self, name)
            if value not in OUTCOMES and not (name == "gold" and value is None):
                raise ValueError(f"{name} is one of {', '.join(OUTCOMES)}, got {value!r}")
        for name in ("voter", "prompt"):
            value = getattr(self, name)
            if value is not None and not is_pseudonym(value):
                raise ValueError(f"{name} is a pseudonym of 16 hex digits, got {value!r}")
        if self.at is not None and self.at.tzinfo is None:
            raise ValueError(f"at has no time zone: {self.at.isoformat()}")
        if self.share is not None and not 0 <= self.share <= 1:
            raise ValueError(f"share lies between 0 and 1, got {self.share}")
        if self.seconds is not None and not 0 <= self.seconds < inf:
            raise ValueError(f"seconds are a time that passed, got {self.seconds}")
        if any("," in tag or not tag for tag in self.tags):
            raise ValueError(f"a tag is not empty and has no comma, got {self.tags!r}")


def nearer(share: float) -> Outcome:
    """The outcome on whose side of one half a judge's probability for `a` lies."""
    return "a" if share > 0.5 else "b" if share < 0.5 else "tie"
