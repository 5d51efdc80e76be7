"""Ballots that are stuffed: accounts that vote for one model, or click at random."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.random import Generator

from bakeoff.arena.cleaning.anomalous_voters import AnomalousVoters
from bakeoff.arena.cleaning.daily_cap import DailyCap
from bakeoff.arena.cleaning.filter import Filter
from bakeoff.arena.cleaning.gold_pairs import GoldPairs
from bakeoff.arena.cleaning.steps import clean
from bakeoff.arena.simulate.board import Seen, rating, seen
from bakeoff.arena.simulate.crowd import cast, columns, crowd, joined, opposed, shown
from bakeoff.arena.simulate.scenario import NO_RULES, Case, Draw
from bakeoff.arena.simulate.world import World, truth
from bakeoff.arena.votes.votes import Mask, Votes

RULES: tuple[Filter, ...] = (DailyCap(cap=50), GoldPairs(), AnomalousVoters(), AnomalousVoters())
"""Voters are judged twice: the first time bots are part of the crowd that they are held against."""
QUARANTINE = "quarantine"
_BOTS = 1 << 40
"""Pseudonyms of bots start here, far beyond those of people."""
_DAY_US = 86_400_000_000


@dataclass(frozen=True, slots=True)
class Stuffing:
    """`accounts` with `each` votes. Those `for one model` know the answers of a contender by their manner,
    choose them, and skip pairs without them; those `at random` vote on any pair, and in question is the
    leader, who has most to lose. All do it within the last `days` days, and click at random on known pairs,
    which they do not know.

    Raises:
        ValueError: accounts, each or days below 1.
    """

    name: str
    accounts: int = 20
    each: int = 50
    how: Literal["for one model", "at random"] = "for one model"
    days: int = 3

    def __post_init__(self) -> None:
        for name in ("accounts", "each", "days"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be 1 or more, got {getattr(self, name)}")

    def boards(self, world: World, draw: Draw) -> Iterator[tuple[Case, Seen]]:
        """Each board without known pairs, which are no votes on models."""
        true, of = truth(world, world.strength), self.model(world)
        for attacked in (False, True):
            votes = self.votes(world, draw, attacked=attacked)
            bots = votes.voter >= _BOTS
            fair = votes.gold < 0
            yield Case(attacked, NO_RULES), seen(rating(votes.where(fair)), true, of)
            used = clean(votes, RULES).used
            board = seen(rating(votes.where(used)), true, of)
            yield Case(attacked, QUARANTINE), replace(board, **_cost(votes, used, fair, bots))

    def votes(self, world: World, draw: Draw, *, attacked: bool) -> Votes:
        """People's votes, and behind them those of the bots."""
        rng = draw("people")
        people = crowd(world, rng, world.models)
        first, second = shown(rng, world.votes, np.ones(world.models))
        honest = cast(world, people, rng, world.strength, first, second)
        return joined(honest, self.stuffed(world, draw("bots"))) if attacked else honest

    def stuffed(self, world: World, rng: Generator) -> Votes:
        """The bots' votes."""
        n = self.accounts * self.each
        model = self.model(world)
        if self.how == "at random":
            first, second = shown(rng, n, np.ones(world.models))
            outcome = rng.integers(0, 2, n)
        else:
            others = np.delete(np.arange(world.models), model)
            first, second = opposed(rng, np.full(n, model), others)
            outcome = (first != model).astype(np.int64)
        gold = np.where(rng.random(n) < world.gold, rng.integers(0, 2, n), -1)
        outcome = np.where(gold >= 0, rng.integers(0, 2, n), outcome)
        voter = _BOTS + np.repeat(np.arange(self.accounts), self.each)
        last = min(self.days, world.days)
        at = (world.days - last) * _DAY_US + rng.integers(0, last * _DAY_US, n)
        return columns(world.models, first, second, outcome, voter, at, gold)

    def model(self, world: World) -> int:
        """The model in question."""
        return world.models // 4 if self.how == "for one model" else 0

    def says(self, found: Mapping[Case, Seen]) -> str:
        """What the bots do, and what is left of it."""
        plain, cost = found[Case(False, NO_RULES)], found[Case(False, QUARANTINE)]
        bare, ruled = found[Case(True, NO_RULES)], found[Case(True, QUARANTINE)]
        whom = "a contender" if self.how == "for one model" else "the leader"
        least = AnomalousVoters().at_least
        few = f" Voters with fewer than {least} votes are not judged." if self.each < least else ""
        return (
            f"{self.accounts:,} accounts with {self.each:,} votes each {self.how} move {whom} by "
            f"{bare.error - plain.error:+.1f} points; with {100 * ruled.caught:.0f} % of their votes set "
            f"aside, by {ruled.error - cost.error:+.1f}. Of honest votes the rules set aside "
            f"{100 * cost.lost:.1f} %.{few}"
        )


def _cost(votes: Votes, used: Mask, fair: Mask, bots: Mask) -> dict[str, float]:
    """Of votes on models (`fair`): the share of people's that went, of people of whom all went, of bots'."""
    people, theirs = fair & ~bots, fair & bots
    cast_by, kept_by = (np.unique(votes.voter[mask]) for mask in (people, people & used))
    return {
        "lost": float(1 - used[people].mean()),
        "alarms": 1 - len(kept_by) / len(cast_by),
        "caught": float(1 - used[theirs].mean()) if theirs.any() else float("nan"),
    }
