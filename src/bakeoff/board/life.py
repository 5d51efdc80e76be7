"""The life of a submission: which states there are, and which may follow which."""

from collections.abc import Mapping
from enum import StrEnum

from bakeoff.errors import BakeoffError


class State(StrEnum):
    """Where a submission stands."""

    DRAFT = "draft"
    VALIDATING = "validating"
    QUEUED = "queued"
    RUNNING = "running"
    PREEMPTED = "preempted"
    SCORING = "scoring"
    REVIEW = "review"
    PUBLISHED = "published"
    REJECTED = "rejected"
    FAILED = "failed"
    WITHDRAWN = "withdrawn"
    SUPERSEDED = "superseded"

    @property
    def ended(self) -> bool:
        """Whether nothing follows any more."""
        return not FOLLOWING[self]

    @property
    def active(self) -> bool:
        """Whether it is on its way: work may still be done for it."""
        return self in _ACTIVE


FOLLOWING: Mapping[State, frozenset[State]] = {
    State.DRAFT: frozenset({State.VALIDATING, State.WITHDRAWN}),
    State.VALIDATING: frozenset({State.QUEUED, State.REJECTED, State.FAILED, State.WITHDRAWN}),
    State.QUEUED: frozenset({State.RUNNING, State.FAILED, State.WITHDRAWN}),
    State.RUNNING: frozenset({State.PREEMPTED, State.SCORING, State.FAILED, State.WITHDRAWN}),
    State.PREEMPTED: frozenset({State.RUNNING, State.FAILED, State.WITHDRAWN}),
    State.SCORING: frozenset({State.REVIEW, State.FAILED}),
    State.REVIEW: frozenset({State.PUBLISHED, State.REJECTED, State.WITHDRAWN}),
    State.PUBLISHED: frozenset({State.SUPERSEDED, State.WITHDRAWN}),
    # A failure that was ours is tried again, from the look on: runs go on where they were.
    State.FAILED: frozenset({State.VALIDATING, State.WITHDRAWN}),
    State.REJECTED: frozenset(),
    State.WITHDRAWN: frozenset(),
    State.SUPERSEDED: frozenset({State.WITHDRAWN}),
}
_ACTIVE = frozenset(
    {State.VALIDATING, State.QUEUED, State.RUNNING, State.PREEMPTED, State.SCORING, State.REVIEW}
)
GIVES_REASON = frozenset({State.REJECTED, State.FAILED, State.WITHDRAWN, State.SUPERSEDED, State.PREEMPTED})
"""States that nobody may put a submission into without saying why."""


def check_move(now: State, then: State, reason: str) -> None:
    """Whether a submission may go from one state to another.

    Raises:
        BakeoffError: it may not, or the reason is missing.
    """
    if then not in FOLLOWING[now]:
        ways = ", ".join(sorted(FOLLOWING[now])) or "nothing: it has ended"
        raise BakeoffError(f"a submission that is {now} cannot become {then}", f"what can follow is {ways}")
    if then in GIVES_REASON and not reason.strip():
        raise BakeoffError(f"a submission becomes {then} for a reason, and none was given", "say why")
