"""What a scenario is: one way to cheat, what is true, and the boards with and without rules."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, Protocol

from numpy.random import Generator

from bakeoff.arena.simulate.board import Seen
from bakeoff.arena.simulate.world import World

Draw = Callable[[str], Generator]
"""Random numbers by what they are for; the same each time that one asks for the same purpose."""
NO_RULES = "none"


class Case(NamedTuple):
    """A board: of votes with or without the attack, under these rules."""

    attacked: bool
    rules: str


class Scenario(Protocol):
    """A frozen dataclass whose fields are the attack's parameters."""

    @property
    def name(self) -> str:
        """What it is called on the command line."""
        ...

    def boards(self, world: World, draw: Draw) -> Iterator[tuple[Case, Seen]]:
        """One replication: what each board shows of the cheater."""
        ...

    def says(self, found: Mapping[Case, Seen]) -> str:
        """What was found, in a sentence, from the means over replications."""
        ...
