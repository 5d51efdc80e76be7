"""Voters who ask the models who they are, and vote for one of them wherever they learn it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from bakeoff.arena.cleaning.steps import clean
from bakeoff.arena.cleaning.tagged import Tagged
from bakeoff.arena.moderation.probing import TAG
from bakeoff.arena.simulate.board import Seen, rating, seen
from bakeoff.arena.simulate.crowd import cast, crowd, joined, opposed, shown
from bakeoff.arena.simulate.scenario import NO_RULES, Case, Draw
from bakeoff.arena.simulate.stuffing import RULES, bots, cost
from bakeoff.arena.simulate.world import World, truth
from bakeoff.arena.votes.coded import Coded
from bakeoff.arena.votes.votes import Mask, Votes

TAGGED = "tag"
BOTH = "tag, voters"


@dataclass(frozen=True, slots=True)
class IdentityProbing:
    """`fans` of a contender ask in each of their `each` battles who answers, and leave battles without their
    model. A share `named` of them tells, in spite of black bars: there they vote for it, and elsewhere as
    people do. A share `tagged` of their prompts is marked as a question of that kind; of other people's
    prompts `curious` are, who vote as they always do.

    Raises:
        ValueError: fans or each below 1, or a share outside [0, 1].
    """

    fans: int = 100
    each: int = 30
    named: float = 0.3
    tagged: float = 0.5
    curious: float = 0.02
    name: str = "identity-probing"

    def __post_init__(self) -> None:
        for name in ("fans", "each"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be 1 or more, got {getattr(self, name)}")
        for name in ("named", "tagged", "curious"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must lie between 0 and 1, got {getattr(self, name)}")

    def boards(self, world: World, draw: Draw) -> Iterator[tuple[Case, Seen]]:
        """Boards with the tagged votes and without, and then under the rules on voters, too."""
        true, of = truth(world, world.strength), self.model(world)
        for attacked in (False, True):
            votes, wrong = self.votes(world, draw, attacked=attacked)
            yield Case(attacked, NO_RULES), seen(rating(votes), true, of)
            for name, rules in ((TAGGED, (Tagged(TAG),)), (BOTH, (Tagged(TAG), *RULES))):
                used = clean(votes, rules).used
                board = seen(rating(votes.where(used)), true, of)
                yield Case(attacked, name), replace(board, **cost(votes, used, wrong))

    def votes(self, world: World, draw: Draw, *, attacked: bool) -> tuple[Votes, Mask]:
        """People's votes, and behind them those of fans; and (n,) which were cast by a name."""
        world, rng = replace(world, gold=0.0), draw("people")
        pairs = shown(rng, world.votes, np.ones(world.models))
        honest = cast(world, crowd(world, rng, world.models), rng, world.strength, *pairs)
        asked = draw("curious").random(len(honest)) < self.curious
        if not attacked:
            return _marked(honest, asked), np.zeros(len(honest), dtype=np.bool_)
        rng = draw("fans")
        fans, named = self._fans(world, rng)
        asked = np.append(asked, rng.random(len(fans)) < self.tagged)
        return _marked(joined(honest, fans), asked), np.append(np.zeros(len(honest), dtype=np.bool_), named)

    def _fans(self, world: World, rng: Generator) -> tuple[Votes, Mask]:
        model, n = self.model(world), self.fans * self.each
        first, second = opposed(rng, np.full(n, model), np.delete(np.arange(world.models), model))
        votes = cast(world, bots(world, self.fans, rng), rng, world.strength, first, second)
        named = rng.random(n) < self.named
        for_it = np.where(first == model, 0, 1).astype(np.int8)
        return replace(votes, outcome=np.where(named, for_it, votes.outcome)), named

    def model(self, world: World) -> int:
        """The fans' model."""
        return world.models // 4

    def says(self, found: Mapping[Case, Seen]) -> str:
        """What names are worth, and what is left of it."""
        plain, cost = found[Case(False, NO_RULES)], found[Case(False, TAGGED)]
        bare, tag, both = (found[Case(True, rules)] for rules in (NO_RULES, TAGGED, BOTH))
        return (
            f"{self.fans:,} fans ask who answers in {self.each:,} battles each, learn it in "
            f"{100 * self.named:.0f} % and move their model by {bare.error - plain.error:+.1f} points; "
            f"without the {100 * self.tagged:.0f} % of their prompts that are tagged by "
            f"{tag.error - cost.error:+.1f}, and with the rules on voters, where "
            f"{100 * both.caught:.0f} % of those votes are set aside, by "
            f"{both.error - found[Case(False, BOTH)].error:+.1f}. Of honest votes the tag takes "
            f"{100 * cost.lost:.1f} %."
        )


def _marked(votes: Votes, asked: Mask) -> Votes:
    """The votes with the arena's tag where somebody asked who answers."""
    return replace(votes, tags=Coded((TAG,), np.where(asked, 0, -1).astype(np.int32)))
