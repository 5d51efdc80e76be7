"""Whose doing it is that a model cannot be opened. A plain `ModelError` is the model's own."""

from bakeoff.errors import ModelError


class NotThereError(ModelError):
    """What was named is not there, or may not be had: a name, a revision, terms that were not accepted."""


class MachineError(ModelError):
    """This machine cannot do it now: its network, its disk, a library, a device. Later it may."""
