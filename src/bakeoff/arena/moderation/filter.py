"""What a filter of prompts is, and what it says."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Verdict:
    """On one prompt. `reason` tells its writer why it is not taken, and is empty for one that is; `warning`
    is shown before an allowed one is sent. `tags` are kept with the battle, so that cleaning can set it
    aside. `failure` says why the filter could not judge; `allowed` is then what it does in that case.
    """

    allowed: bool
    reason: str = ""
    warning: str = ""
    tags: tuple[str, ...] = ()
    failure: str = ""


ALLOWED = Verdict(allowed=True)


class Filter(Protocol):
    """Judges one prompt at a time. The version goes up whenever it judges otherwise by the same settings.

    What goes wrong with one prompt is a `Verdict.failure`, not an exception: prompts are written by anybody.
    """

    @property
    def name(self) -> str:
        """By which it is recorded."""
        ...

    @property
    def version(self) -> int:
        """Of its rules."""
        ...

    async def judge(self, prompt: str) -> Verdict:
        """What is to be done with a prompt."""
        ...
