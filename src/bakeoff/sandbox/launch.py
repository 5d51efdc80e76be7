"""What a tier is: a way to start the interpreter where it can do no harm."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from bakeoff.sandbox.limits import Limits


def _nothing() -> None:
    pass


@dataclass(frozen=True, slots=True)
class Launch:
    """A command that runs a program confined, with its standard input and output as the only way in and out.

    `env` is its whole environment, `user` the user id to start it as (None: ours), `pass_fds` descriptors it
    inherits; the caller closes them. `end` is called once it has ended, for what a kill leaves behind.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    user: int | None = None
    pass_fds: tuple[int, ...] = ()
    end: Callable[[], None] = _nothing


class Tier(Protocol):
    """One way to confine Python. `name` says which, with versions, for the record of each sample."""

    @property
    def name(self) -> str:
        """Which one this is."""
        ...

    def __hash__(self) -> int: ...

    def launch(self, source: str, limits: Limits) -> Launch:
        """How to run the Python program `source` within `limits`."""
        ...
