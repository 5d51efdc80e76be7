"""A model that failed for long, asked once more."""

from typing import Protocol, runtime_checkable

from bakeoff.model.protocol import Model


@runtime_checkable
class Revives(Protocol):
    """What an engine may offer beside `Model`, if it gives up a server that answers nothing any more."""

    def revive(self) -> None:
        """Ask it again: it may have come back."""
        ...


def revive(model: Model) -> None:
    """Let a model try again; one that never gives up needs nothing."""
    if isinstance(model, Revives):
        model.revive()
