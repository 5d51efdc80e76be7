"""Prompts that come again and again."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bakeoff.arena.cleaning.filter import Flags, flags
from bakeoff.arena.votes.votes import Votes, grouped
from bakeoff.seed import item_seed

UInts = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class DuplicatePrompts:
    """Of each prompt no more than `cap` battles, drawn by the ids of the battles.

    Prompts are the same if their texts are, without regard to case and white space, or by the id that the
    source gave them. Battles without a prompt stay, unjudged.

    Raises:
        ValueError: `cap` below 1.
    """

    cap: int
    seed: int = 0
    name: ClassVar[str] = "duplicate prompts"
    version: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if self.cap < 1:
            raise ValueError(f"cap is how many battles of a prompt stay, at least 1, got {self.cap}")

    def __call__(self, votes: Votes) -> Flags:
        """Flag the battles beyond the cap."""
        prompts, _ = grouped(votes.prompt)
        place = rank_within(prompts, drawn(votes.key, self.seed, self.name), votes.key)
        going = (prompts >= 0) & (place >= self.cap)
        return flags(going, f"the prompt has more than {self.cap} battles", int((prompts < 0).sum()))


def drawn(keys: UInts, seed: int, purpose: str) -> UInts:
    """A number for each key that looks random and depends on key, seed and purpose alone (SplitMix64)."""
    start = np.uint64(item_seed(seed, "arena", "", purpose))
    with np.errstate(over="ignore"):
        mixed = keys + (start + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def rank_within(groups: NDArray[np.int64], first: NDArray[np.generic], then: UInts) -> NDArray[np.int64]:
    """The place of each row in its group, from 0, in the order of `first` and, where that ties, `then`."""
    order = np.lexsort((then, first, groups))
    ordered = groups[order]
    begins = np.r_[True, ordered[1:] != ordered[:-1]] if len(ordered) else np.zeros(0, dtype=bool)
    starts = np.flatnonzero(begins)
    places = np.arange(len(order)) - np.repeat(starts, np.diff(np.r_[starts, len(order)]))
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = places
    return ranks
