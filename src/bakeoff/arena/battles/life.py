"""The life of a battle: which states there are, and which may follow which.

    answering ⇄ answered → voted
            ↘   ↙
       void, abandoned

Voted, void and abandoned are ends.
"""

from collections.abc import Mapping
from enum import StrEnum


class State(StrEnum):
    """Where a battle stands. Abandoned is one that nobody voted on before it ran out."""

    ANSWERING = "answering"
    ANSWERED = "answered"
    VOTED = "voted"
    VOID = "void"
    ABANDONED = "abandoned"


class Void(StrEnum):
    """Why a battle does not count. A refusal, or an answer cut at the token limit, is none of these: both
    are answers.
    """

    TIMEOUT = "timeout"
    MODEL_ERROR = "model_error"
    EMPTY = "empty"
    TOO_LONG = "too_long"
    STOPPED = "stopped"
    """The server ended while models were answering."""
    MODERATED = "moderated"


OPEN = frozenset({State.ANSWERING, State.ANSWERED})
FOLLOWING: Mapping[State, frozenset[State]] = {
    State.ANSWERING: frozenset({State.ANSWERED, State.VOID, State.ABANDONED}),
    State.ANSWERED: frozenset({State.ANSWERING, State.VOTED, State.VOID, State.ABANDONED}),
    State.VOTED: frozenset(),
    State.VOID: frozenset(),
    State.ABANDONED: frozenset(),
}


def before(then: State) -> tuple[State, ...]:
    """The states from which a battle may come into another."""
    return tuple(state for state in State if then in FOLLOWING[state])
