"""Bots that hide among ordinary votes, and do not wait until anybody could have read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from bakeoff.arena.answering.pace import STEADY
from bakeoff.arena.cleaning.machine_pace import MachinePace
from bakeoff.arena.cleaning.steps import clean
from bakeoff.arena.simulate.board import Seen, rating, seen
from bakeoff.arena.simulate.pauses import GLANCES, READS, SCANS, SKIMS, lengths, pauses
from bakeoff.arena.simulate.scenario import NO_RULES, Case, Draw
from bakeoff.arena.simulate.stuffing import BOTS, QUARANTINE, RULES, Stuffing, cost
from bakeoff.arena.simulate.world import World, truth
from bakeoff.arena.votes.votes import Votes
from bakeoff.stats.arrays import FloatArray

PACE = "and pace"
HIDDEN = Stuffing("camouflaged", accounts=100, each=10, days=30, camouflaged=30)
"""What gets through all rules that look at votes alone."""


@dataclass(frozen=True, slots=True)
class Paced:
    """An attack whose votes come `waits_s` after the answers, log-normal with a standard deviation of a
    quarter. People read, skim, scan or glance, a quarter of them each, which is assumed.

    Raises:
        ValueError: `waits_s` not above 0 or not finite.
    """

    attack: Stuffing = HIDDEN
    waits_s: float = 0.1
    name: str = "machine-pace"

    def __post_init__(self) -> None:
        if not 0 < self.waits_s < float("inf"):
            raise ValueError(f"waits_s must be above 0 and finite, got {self.waits_s}")

    def boards(self, world: World, draw: Draw) -> Iterator[tuple[Case, Seen]]:
        """Each board without known pairs: without rules, with those on votes, and with pace before them."""
        true, of = truth(world, world.strength), self.attack.model(world)
        for attacked in (False, True):
            votes = self.votes(world, draw, attacked=attacked)
            yield Case(attacked, NO_RULES), seen(rating(votes.where(votes.gold < 0)), true, of)
            wrong = self.attack.wrong(world, votes)
            for name, rules in ((QUARANTINE, RULES), (PACE, (MachinePace(), *RULES))):
                used = clean(votes, rules).used
                board = seen(rating(votes.where(used)), true, of)
                yield Case(attacked, name), replace(board, **cost(votes, used, wrong))

    def votes(self, world: World, draw: Draw, *, attacked: bool) -> Votes:
        """The attack's votes, each with the lengths of its answers and the seconds after them."""
        votes, rng = self.attack.votes(world, draw, attacked=attacked), draw("pauses")
        words = lengths(rng, len(votes))
        style = votes.style.copy()
        style[..., 0] = words
        return replace(votes, style=style, seconds=self._seconds(rng, votes, words))

    def _seconds(self, rng: Generator, votes: Votes, words: FloatArray) -> FloatArray:
        _, voter = np.unique(votes.voter, return_inverse=True)
        kinds = (READS, SKIMS, SCANS, GLANCES)
        kind = voter % len(kinds)
        seconds = np.choose(kind, [pauses(rng, each, voter, words, STEADY) for each in kinds])
        waited = self.waits_s * np.exp(rng.normal(0, 0.25, len(votes)))
        return np.where(votes.voter >= BOTS, waited, seconds)

    def says(self, found: Mapping[Case, Seen]) -> str:
        """What looking at the clock adds."""
        plain, bare = found[Case(False, NO_RULES)], found[Case(True, NO_RULES)]
        ruled, paced, cost = found[Case(True, QUARANTINE)], found[Case(True, PACE)], found[Case(False, PACE)]
        return (
            f"{self.attack.accounts:,} accounts that hide {self.attack.each:,} votes for one model among "
            f"{self.attack.camouflaged:,} ordinary ones and vote {self.waits_s:g} s after the answers move "
            f"it by {bare.error - plain.error:+.1f} points, under rules that look at votes alone by "
            f"{ruled.error - plain.error:+.1f}; with pace {100 * paced.caught:.0f} % of those votes go, and "
            f"{paced.error - cost.error:+.1f} are left. Of honest votes {100 * cost.lost:.1f} % go without "
            "an attack. Bots that wait longer are not found by this."
        )
