"""Filters one after the other, and the way from raw votes to those that are used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bakeoff.arena.cleaning.filter import Filter, parameters
from bakeoff.arena.votes.coded import Coded
from bakeoff.arena.votes.votes import Mask, Votes


@dataclass(frozen=True, slots=True)
class Step:
    """What one filter did: of `before` battles those of `reasons` went; `unjudged` ones it had to leave."""

    name: str
    version: int
    parameters: Mapping[str, Any]
    before: int
    reasons: Mapping[str, int]
    unjudged: int

    @property
    def flagged(self) -> int:
        """Battles set aside."""
        return sum(self.reasons.values())

    @property
    def after(self) -> int:
        """Battles left."""
        return self.before - self.flagged


@dataclass(frozen=True, slots=True, eq=False)
class Cleaned:
    """n raw battles: `used` (n,) True where one counts, and `why` (n,) not, as "filter: reason".

    Nothing is deleted: what is set aside is still there, and can be taken back by leaving a filter out.
    """

    used: Mask
    why: Coded
    steps: tuple[Step, ...]


def clean(votes: Votes, filters: Sequence[Filter]) -> Cleaned:
    """Ask each filter about what those before it left.

    The order of filters matters where a filter counts (caps, voters): put those that look at one battle
    alone first. The order of battles does not.
    """
    names: list[str] = []
    codes = np.full(len(votes), -1, dtype=np.int32)
    left = votes
    steps = []
    for rule in filters:
        found = rule(left)
        steps.append(
            Step(rule.name, rule.version, parameters(rule), len(left), found.reasons.counts(), found.unjudged)
        )
        rows = np.flatnonzero(codes < 0)[found.mask]
        codes[rows] = found.reasons.codes[found.mask] + len(names)
        names += [f"{rule.name}: {reason}" for reason in found.reasons.names]
        left = left.where(~found.mask)
    return Cleaned(codes < 0, Coded(tuple(names), codes), tuple(steps))
