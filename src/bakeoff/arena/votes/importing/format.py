"""What an importer is."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from bakeoff.arena.votes.battle import Battle
from bakeoff.arena.votes.importing.fields import Fields


class Untaken(NamedTuple):
    """A battle that was offered and not taken. The reason is one of few, so that it can be counted."""

    reason: str


@dataclass(frozen=True, slots=True)
class Format:
    """A way in which votes are published. A file is of it if it has `columns` and any of `one_of`.

    `battles` gives what is in one row, usually one battle.
    """

    name: str
    about: str
    columns: frozenset[str]
    battles: Callable[[Fields], Iterator[Battle | Untaken]]
    one_of: frozenset[str] = frozenset()


NO_VERDICT = Untaken("no verdict")
ITSELF = Untaken("a model against itself")
