"""The pair of the next battle, by the arena's rule and the votes so far."""

from typing import TYPE_CHECKING

from sqlalchemy import Connection

from bakeoff.arena.battles.as_votes import pair_counts
from bakeoff.arena.battles.live_arena import LiveArena
from bakeoff.arena.definition.definition import Arena
from bakeoff.arena.pairing.draw import Draw, draw
from bakeoff.arena.pairing.knowledge import know
from bakeoff.arena.pairing.rules import due, probabilities
from bakeoff.arena.policy.life import SERVED, UNRELEASED
from bakeoff.arena.policy.variants import states
from bakeoff.errors import BakeoffError

if TYPE_CHECKING:
    from bakeoff.arena.pairing.pair_probabilities import PairProbabilities


class Pairs:
    """Draws the pairs of one arena. Probabilities are kept until as many votes are new as the arena says, or
    other models may be shown.
    """

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._images = frozenset(each.name for each in arena.models if each.images)
        self._named = frozenset(each.name for each in arena.models)
        self._kept: dict[bool, tuple[tuple[frozenset[str], frozenset[str]], PairProbabilities]] = {}
        self._votes = 0

    def voted(self) -> None:
        """There is one more vote."""
        self._votes += 1

    def next(
        self,
        connection: Connection,
        live: LiveArena,
        battle: str,
        *,
        images: bool = False,
        resting: frozenset[str] = frozenset(),
    ) -> Draw:
        """The pair of a battle; with `images` of models that take them alone, and without those `resting`.

        Raises:
            BakeoffError: no two models may meet.
        """
        there = {
            name: state for name, state in states(connection, self._arena.name).items() if name in self._named
        }
        shown = frozenset(name for name, state in there.items() if state in SERVED)
        if images:
            shown &= self._images
            if len(shown) < 2:
                raise BakeoffError("fewer than two models here take images", "ask without one")
        shown -= resting
        if len(shown) < 2:
            raise BakeoffError("fewer than two models answer at present", "try again in a few minutes")
        private = frozenset(name for name, state in there.items() if state in UNRELEASED) & shown
        before, found = self._kept.get(images, (None, None))
        if found is None or before != (shown, private) or due(found, self._votes, self._arena.pairing):
            counts = pair_counts(connection, self._arena.name)
            found = probabilities(know(counts, shown, private), self._arena.pairing)
            self._kept[images] = ((shown, private), found)
            self._votes = max(self._votes, found.votes)
        return draw(found, seed=live.seed, arena=live.name, battle=battle)
