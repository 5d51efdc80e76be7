"""Why a turn came to nothing, for the voter and for whoever runs the arena."""

from collections.abc import Mapping
from dataclasses import dataclass

from bakeoff.arena.battles.life import Void
from bakeoff.nouns import Failure, FailureKind

_SENTENCES: Mapping[Void, str] = {
    Void.TIMEOUT: "One of the two models did not answer in time.",
    Void.MODEL_ERROR: "One of the two models could not answer.",
    Void.EMPTY: "One of the two models gave an empty answer.",
    Void.TOO_LONG: "The conversation became too long for one of the two models.",
    Void.STOPPED: "The server stopped while the models were answering.",
    Void.MODERATED: "This prompt is not taken here.",
}
_KINDS = {
    FailureKind.TIMEOUT: Void.TIMEOUT,
    FailureKind.STALLED: Void.TIMEOUT,
    FailureKind.CONTEXT_LENGTH: Void.TOO_LONG,
}


@dataclass(frozen=True, slots=True)
class Voided:
    """A turn that does not count, and no model lost by it.

    `detail` is what the engine said. It may name a model: it is for a log, never for a voter, as is by which
    `sides` it was, 0 for left and 1 for right.
    """

    reason: Void
    detail: str = ""
    sides: tuple[int, ...] = ()

    @property
    def sentence(self) -> str:
        """What the voter is told: not which model it was."""
        return f"{_SENTENCES[self.reason]} This battle does not count."


def voided_by(failure: Failure) -> Voided:
    """What a failure in the place of an answer makes of a turn."""
    reason = _KINDS.get(failure.kind, Void.MODEL_ERROR)
    return Voided(reason, f"{failure.kind}: {failure.message}")
