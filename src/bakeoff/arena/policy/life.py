"""The life of a variant: which states there are, and which may follow which.

    registered → testing → provisional ⇄ listed
             ↘ ────────── ↗    ↘ inactive, retired ↩

Any can become withdrawn, which ends it, or disputed, which is settled by going back or on. None is deleted.
"""

from collections.abc import Mapping
from enum import StrEnum

from bakeoff.errors import BakeoffError


class State(StrEnum):
    """Where a variant stands. Testing is before its release, provisional and listed after it."""

    REGISTERED = "registered"
    TESTING = "testing"
    PROVISIONAL = "provisional"
    LISTED = "listed"
    INACTIVE = "inactive"
    RETIRED = "retired"
    WITHDRAWN = "withdrawn"
    DISPUTED = "disputed"


UNRELEASED = frozenset({State.REGISTERED, State.TESTING})
PUBLIC = frozenset({State.PROVISIONAL, State.LISTED})
REMOVED = frozenset({State.INACTIVE, State.RETIRED, State.WITHDRAWN})
SERVED = frozenset({State.TESTING, State.PROVISIONAL, State.LISTED, State.INACTIVE})
"""States in which a variant may be shown to voters."""

_ENDS = frozenset({State.WITHDRAWN, State.DISPUTED})
FOLLOWING: Mapping[State, frozenset[State]] = {
    State.REGISTERED: frozenset({State.TESTING, State.PROVISIONAL}) | _ENDS,
    State.TESTING: frozenset({State.PROVISIONAL}) | _ENDS,
    State.PROVISIONAL: frozenset({State.LISTED, State.INACTIVE, State.RETIRED}) | _ENDS,
    State.LISTED: frozenset({State.PROVISIONAL, State.INACTIVE, State.RETIRED}) | _ENDS,
    State.INACTIVE: frozenset({State.PROVISIONAL, State.RETIRED}) | _ENDS,
    State.RETIRED: frozenset({State.PROVISIONAL}) | _ENDS,
    State.WITHDRAWN: frozenset(),
    State.DISPUTED: frozenset(),  # as in the state before, or back into it
}


def following(now: State, before: State | None = None) -> frozenset[State]:
    """The states that may follow; `before` is the one in which a variant was when it became disputed."""
    if now is State.DISPUTED and before is not None:
        return (FOLLOWING[before] | {before}) - {State.DISPUTED}
    return FOLLOWING[now]


def needs_reason(now: State, then: State) -> bool:
    """Whether nobody may make this move without saying why."""
    return bool({now, then} & (REMOVED | {State.DISPUTED}))


def check_move(now: State, then: State, reason: str, before: State | None = None) -> None:
    """Whether a variant may go from one state to another.

    Raises:
        BakeoffError: it may not, or the reason is missing.
    """
    ways = following(now, before)
    if then not in ways:
        said = ", ".join(sorted(ways)) or "nothing: it has ended"
        raise BakeoffError(f"a variant that is {now} cannot become {then}", f"what can follow is {said}")
    if needs_reason(now, then) and not reason.strip():
        raise BakeoffError(
            f"a variant that is {now} becomes {then} for a reason, and none was given", "say why"
        )
