"""A model whose answers are padded, because people like long ones."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import log

import numpy as np

from bakeoff.arena.simulate.board import Seen, rating, rating_at_equal_length, seen
from bakeoff.arena.simulate.crowd import cast, crowd, shown
from bakeoff.arena.simulate.scenario import NO_RULES, Case, Draw
from bakeoff.arena.simulate.world import World, truth
from bakeoff.arena.votes.votes import Votes

CONTROL = "style control"


@dataclass(frozen=True, slots=True)
class StyleHacking:
    """The model in the middle makes its answers `times` as long, and no better; length is worth `style` to
    voters (`World.style`). True is what answers are worth at equal length. Honest worlds have long answers
    too: stronger models write more.

    Raises:
        ValueError: `times` not above 0, or a style of 0.
    """

    times: float = 2.0
    style: float = 0.75
    name: str = "style-hacking"

    def __post_init__(self) -> None:
        if not self.times > 0 or not self.style:
            raise ValueError(f"times must be above 0 and style not 0, got {self.times} and {self.style}")

    def boards(self, world: World, draw: Draw) -> Iterator[tuple[Case, Seen]]:
        """Each board without and with style control."""
        true, of = truth(world, world.strength), self.model(world)
        for attacked in (False, True):
            votes = self.votes(world, draw, attacked=attacked)
            yield Case(attacked, NO_RULES), seen(rating(votes), true, of)
            yield Case(attacked, CONTROL), seen(rating_at_equal_length(votes), true, of)

    def votes(self, world: World, draw: Draw, *, attacked: bool) -> Votes:
        """People's votes on all pairs alike, with the lengths of both answers. No pair is known."""
        world, rng = replace(world, style=self.style, gold=0.0), draw("people")
        longer = np.zeros(world.models)
        longer[self.model(world)] = log(self.times) if attacked else 0.0
        people = crowd(world, rng, world.models)
        pairs = shown(rng, world.votes, np.ones(world.models))
        return cast(world, people, rng, world.strength, *pairs, longer=longer)

    def model(self, world: World) -> int:
        """The model that pads."""
        return world.models // 2

    def says(self, found: Mapping[Case, Seen]) -> str:
        """What padding is worth, and what is left of it."""
        plain, bare = found[Case(False, NO_RULES)], found[Case(True, NO_RULES)]
        control, cost = found[Case(True, CONTROL)], found[Case(False, CONTROL)]
        return (
            f"Answers {self.times:g} times as long are worth {bare.error - plain.error:+.1f} points; at "
            f"equal length the model is {control.error:+.1f} from its truth. In honest votes its interval "
            f"gets {100 * (cost.width / plain.width - 1):.0f} % wider."
        )
