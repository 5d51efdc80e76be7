"""What a filter is, and what it says."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from bakeoff.arena.votes.coded import Coded, coded
from bakeoff.arena.votes.votes import Mask, Votes


@dataclass(frozen=True, slots=True, eq=False)
class Flags:
    """What a filter sets aside of n battles. `reasons` (n,) names why; none where the battle stays.

    `unjudged` battles stay because what the filter needs to know of them was not recorded.
    """

    reasons: Coded
    unjudged: int = 0

    @property
    def mask(self) -> Mask:
        """(n,) True where a battle goes."""
        return self.reasons.codes >= 0


@runtime_checkable
class Filter(Protocol):
    """Which battles do not count. A frozen dataclass whose fields are its parameters.

    The version goes up whenever other battles go under the same parameters. The answer depends on the
    battles and not on their order.
    """

    name: ClassVar[str]
    version: ClassVar[int]

    def __call__(self, votes: Votes) -> Flags:
        """Flag each of the battles that goes."""
        ...


def parameters(rule: Filter) -> dict[str, Any]:
    """What a filter was told, as JSON has it."""
    return asdict(rule)  # type: ignore[call-overload,no-any-return]  # a protocol cannot ask for a dataclass


def flags(going: Mask, reason: str, unjudged: int = 0) -> Flags:
    """Flags that all have one reason."""
    return Flags(Coded((reason,), np.where(going, 0, -1).astype(np.int32)), unjudged)


def flags_of(reasons: Sequence[str | None], unjudged: int = 0) -> Flags:
    """Flags by a reason for each battle, None where it stays."""
    return Flags(coded(reasons), unjudged)
