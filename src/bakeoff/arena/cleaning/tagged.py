"""Votes that carry a tag, such as the arena's own `unsampled`."""

from dataclasses import dataclass
from typing import ClassVar

from bakeoff.arena.cleaning.filter import Flags, flags
from bakeoff.arena.votes.votes import Votes


@dataclass(frozen=True, slots=True)
class Tagged:
    """Battles with `tag`."""

    tag: str
    name: ClassVar[str] = "tag"
    version: ClassVar[int] = 1

    def __call__(self, votes: Votes) -> Flags:
        """Flag what has the tag."""
        return flags(votes.tagged(self.tag), f"tagged {self.tag}")
