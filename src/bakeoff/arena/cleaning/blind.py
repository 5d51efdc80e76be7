"""Votes of people who saw whose answers they were."""

from dataclasses import dataclass
from typing import ClassVar

from bakeoff.arena.cleaning.filter import Flags, flags
from bakeoff.arena.votes.votes import Votes


@dataclass(frozen=True, slots=True)
class NotBlind:
    """Battles that were not blind. Where nobody recorded it they stay, unjudged."""

    name: ClassVar[str] = "not blind"
    version: ClassVar[int] = 1

    def __call__(self, votes: Votes) -> Flags:
        """Flag what is known not to be blind."""
        return flags(votes.blind == 0, "the models' names were seen", int((votes.blind < 0).sum()))
