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
from bakeoff.arena.cleaning.newcomer_crowd import NewcomerCrowd
from bakeoff.arena.cleaning.steps import clean
from bakeoff.arena.simulate.board import Seen, rating, seen
from bakeoff.arena.simulate.crowd import Crowd, cast, columns, crowd, joined, opposed, shown
from bakeoff.arena.simulate.scenario import NO_RULES, Case, Draw
from bakeoff.arena.simulate.world import World, truth
from bakeoff.arena.votes.votes import Mask, Votes
from bakeoff.stats.ratings.scale import POINTS

RULES: tuple[Filter, ...] = (DailyCap(cap=50), GoldPairs(), AnomalousVoters(), NewcomerCrowd())
QUARANTINE = "quarantine"
BOTS = 1 << 40
"""Pseudonyms of bots start here, far beyond those of people."""
_DAY_US = 86_400_000_000


@dataclass(frozen=True, slots=True)
class Stuffing:
    """`accounts` with `each` votes. Those `for one model` know the answers of a contender by their manner,
    choose them, and skip pairs without them; those `at random` vote on any pair, and in question is the
    leader, who has most to lose. All do it within the last `days` days, and click at random on known pairs,
    which they do not know.

    Those for one model may be `camouflaged`: each has so many more votes on average, over all days, on pairs
    without that model, as people vote.

    Raises:
        ValueError: accounts, each or days below 1, or camouflaged below 0.
    """

    name: str
    accounts: int = 20
    each: int = 50
    how: Literal["for one model", "at random"] = "for one model"
    days: int = 3
    camouflaged: int = 0

    def __post_init__(self) -> None:
        for name in ("accounts", "each", "days"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be 1 or more, got {getattr(self, name)}")
        if self.camouflaged < 0:
            raise ValueError(f"camouflaged must be 0 or more, got {self.camouflaged}")

    def boards(self, world: World, draw: Draw) -> Iterator[tuple[Case, Seen]]:
        """Each board without known pairs, which are no votes on models."""
        true, of = truth(world, world.strength), self.model(world)
        for attacked in (False, True):
            votes = self.votes(world, draw, attacked=attacked)
            fair = votes.gold < 0
            yield Case(attacked, NO_RULES), seen(rating(votes.where(fair)), true, of)
            used = clean(votes, RULES).used
            board = seen(rating(votes.where(used)), true, of)
            yield Case(attacked, QUARANTINE), replace(board, **cost(votes, used, self.wrong(world, votes)))

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
        voter = BOTS + np.repeat(np.arange(self.accounts), self.each)
        last = min(self.days, world.days)
        at = (world.days - last) * _DAY_US + rng.integers(0, last * _DAY_US, n)
        stuffed = columns(world.models, first, second, outcome, voter, at, gold)
        return joined(stuffed, self._ordinary(world, rng)) if self.camouflaged else stuffed

    def _ordinary(self, world: World, rng: Generator) -> Votes:
        """The bots' votes on other models, as people vote."""
        people = bots(world, self.accounts, rng)
        others = np.arange(world.models) != self.model(world)
        pairs = shown(rng, self.accounts * self.camouflaged, others.astype(np.float64))
        return cast(world, people, rng, world.strength, *pairs)

    def wrong(self, world: World, votes: Votes) -> Mask:
        """(n,) The bots' votes on models that are no camouflage."""
        bots = (votes.voter >= BOTS) & (votes.gold < 0)
        model = self.model(world)
        return bots & ((votes.model_a == model) | (votes.model_b == model)) if self.camouflaged else bots

    def model(self, world: World) -> int:
        """The model in question."""
        return world.models // 4 if self.how == "for one model" else 0

    def says(self, found: Mapping[Case, Seen]) -> str:
        """What the bots do, and what is left of it."""
        plain, cost = found[Case(False, NO_RULES)], found[Case(False, QUARANTINE)]
        bare, ruled = found[Case(True, NO_RULES)], found[Case(True, QUARANTINE)]
        whom = "a contender" if self.how == "for one model" else "the leader"
        least = AnomalousVoters().at_least
        few = f" Voters with fewer than {least} votes are judged together only." if self.each < least else ""
        among = f" among {self.camouflaged:,} ordinary ones" if self.camouflaged else ""
        hidden = (
            " Newcomers are held against voters with more votes; where these may be bought, none is flagged."
            if self.camouflaged
            else ""
        )
        return (
            f"{self.accounts:,} accounts with {self.each:,} votes each {self.how}{among} move {whom} by "
            f"{bare.error - plain.error:+.1f} points; with {100 * ruled.caught:.0f} % of their votes set "
            f"aside, by {ruled.error - cost.error:+.1f}. Of honest votes the rules set aside "
            f"{100 * ruled.lost:.1f} %, {100 * cost.lost:.1f} % without an attack.{few}{hidden}"
        )


def bots(world: World, accounts: int, rng: Generator) -> Crowd:
    """Accounts of bots with tastes of their own, equally active, for votes that they cast as people do."""
    taste = rng.normal(0, world.taste / POINTS, (accounts, world.models))
    return Crowd(np.full(accounts, 1 / accounts), taste, BOTS)


def cost(votes: Votes, used: Mask, wrong: Mask) -> dict[str, float]:
    """Of votes on models: the share of people's that went, of people of whom all went, and of the wrong."""
    people = (votes.voter < BOTS) & (votes.gold < 0)
    cast_by, kept_by = (np.unique(votes.voter[mask]) for mask in (people, people & used))
    return {
        "lost": float(1 - used[people].mean()),
        "alarms": 1 - len(kept_by) / len(cast_by),
        "caught": float(1 - used[wrong].mean()) if wrong.any() else float("nan"),
    }
