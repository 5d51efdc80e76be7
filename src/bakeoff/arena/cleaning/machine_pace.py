"""Voters who vote faster than anybody reads."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bakeoff.arena.cleaning.filter import Flags, flags
from bakeoff.arena.votes.votes import Votes, grouped


@dataclass(frozen=True, slots=True)
class MachinePace:
    """All votes of voters whose votes come faster than people read and move a hand, as a rule.

    A vote is too fast if it comes sooner after the end of the answers than both could be read at
    `words_per_s`, or than `hand_s`, whichever is less: people read while answers are written, and may only
    have to click when they end. 20 words a second is twice the rate at which people look for a single word
    (scanning, 600 a minute: Carver 1990, "Reading Rate"). A voter goes if `share` of at least `at_least`
    timed votes are too fast. Bots that wait a second are not found by this; people in a hurry stay.

    Votes without a voter, a time, or lengths in words are unjudged.

    Raises:
        ValueError: a parameter is not above 0, or `share` above 1.
    """

    words_per_s: float = 20.0
    hand_s: float = 0.5
    share: float = 0.8
    at_least: int = 10
    name: ClassVar[str] = "machine pace"
    version: ClassVar[int] = 1

    def __post_init__(self) -> None:
        for name in ("words_per_s", "hand_s", "share", "at_least"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} lies above 0, got {getattr(self, name)}")
        if self.share > 1:
            raise ValueError(f"share is a part of a voter's votes, at most 1, got {self.share}")

    def __call__(self, votes: Votes) -> Flags:
        """Flag every vote of the voters found."""
        by, voters = grouped(votes.voter)
        words = votes.style[:, :, 0].astype(np.float64).sum(axis=1)
        known = (by >= 0) & ~np.isnan(votes.seconds) & ~np.isnan(words)
        fast = known & (votes.seconds < np.minimum(words / self.words_per_s, self.hand_s))
        timed = np.bincount(by[known], minlength=len(voters))
        found = np.bincount(by[fast], minlength=len(voters))
        machine = (timed >= self.at_least) & (found >= self.share * timed)
        going = (by >= 0) & np.append(machine, False)[by]
        return flags(going, "the voter votes faster than anybody reads", int((~known & ~going).sum()))
