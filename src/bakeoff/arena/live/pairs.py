"""The pair of the next battle, by the arena's rule and the votes so far."""

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class _Kept:
    """Probabilities, and what they are of: who is shown, who of these is private, who rested then."""

    shown: frozenset[str]
    private: frozenset[str]
    resting: frozenset[str]
    probabilities: "PairProbabilities"


class Pairs:
    """Draws the pairs of one arena. Probabilities are kept until as many votes are new as the arena says, or
    other models may be shown.
    """

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._images = frozenset(each.name for each in arena.models if each.images)
        self._named = frozenset(each.name for each in arena.models)
        self._kept: dict[bool, _Kept] = {}
        self._votes = 0

    def voted(self) -> None:
        """There is one more vote."""
        self._votes += 1

    def expected(
        self, live: LiveArena, battle: str, *, images: bool = False, resting: frozenset[str] = frozenset()
    ) -> Draw | None:
        """What `next` is going to draw, unless the database says that other models may be shown by now; None
        where probabilities are to be computed first.
        """
        kept = self._kept.get(images)
        if kept is None or kept.resting != resting or self._due(kept):
            return None
        return _drawn(kept, live, battle)

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
        kept = self._kept.get(images)
        if kept is None or (kept.shown, kept.private) != (shown, private) or self._due(kept):
            counts = pair_counts(connection, self._arena.name)
            found = probabilities(know(counts, shown, private), self._arena.pairing)
            self._votes = max(self._votes, found.votes)
        else:
            found = kept.probabilities
        self._kept[images] = kept = _Kept(shown, private, resting, found)
        return _drawn(kept, live, battle)

    def _due(self, kept: _Kept) -> bool:
        return due(kept.probabilities, self._votes, self._arena.pairing)


def _drawn(kept: _Kept, live: LiveArena, battle: str) -> Draw:
    return draw(kept.probabilities, seed=live.seed, arena=live.name, battle=battle)
