"""So many votes of one voter on one day."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bakeoff.arena.cleaning.duplicates import rank_within
from bakeoff.arena.cleaning.filter import Flags, flags
from bakeoff.arena.votes.votes import Votes, grouped


@dataclass(frozen=True, slots=True)
class DailyCap:
    """The first `cap` votes of each voter on each day (UTC) stay. Those without a voter or time are unjudged.

    Votes of one moment are in the order of the battles' numbers.

    Raises:
        ValueError: `cap` below 1.
    """

    cap: int
    name: ClassVar[str] = "daily cap"
    version: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if self.cap < 1:
            raise ValueError(f"cap is how many votes of a day stay, at least 1, got {self.cap}")

    def __call__(self, votes: Votes) -> Flags:
        """Flag the votes of a day beyond the cap."""
        voters, _ = grouped(votes.voter)
        known = (voters >= 0) & ~np.isnat(votes.at)
        days = np.where(known, votes.at.astype("datetime64[D]").astype(np.int64), 0)
        _, days = np.unique(days, return_inverse=True)
        group = np.where(known, voters * (days.max(initial=0) + 1) + days, -1)
        place = rank_within(group, votes.at, votes.key)
        return flags(
            known & (place >= self.cap), f"more than {self.cap} votes on one day", int((~known).sum())
        )
