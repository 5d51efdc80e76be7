"""All that the checks look at, read from the database at one moment."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Row, select

from bakeoff.arena.policy.adopting import Adopted, at, subject, versions
from bakeoff.arena.policy.history import History, Step, histories
from bakeoff.arena.policy.life import PUBLIC, State
from bakeoff.arena.policy.propensity import Overshown, overshown
from bakeoff.arena.policy.ratings import Rated, publications_in
from bakeoff.arena.policy.releases import Given, given_in
from bakeoff.arena.policy.rules import Policy
from bakeoff.arena.policy.sampling import (
    Day,
    appearances,
    day_of,
    days_with_counts,
    first_votes,
    in_all,
    pairs_of,
)
from bakeoff.arena.policy.variant import Rating
from bakeoff.database.clock import current
from bakeoff.database.log import Event, events
from bakeoff.database.tables import variant

DUE = PUBLIC | {State.TESTING}
"""States in which a variant is due a fair share of appearances."""


@dataclass(frozen=True, slots=True)
class Shown:
    """How often a variant was shown on a day (days since 1970, UTC), and the votes on it."""

    day: int
    shown: int
    votes: int


@dataclass(frozen=True, slots=True)
class Ledger:
    """The log's entries on an arena and what they say, its rows as they are, and its counts by variant and
    day.

    `policy` is the one it is held to; what happened under an earlier version is held to that. `at` is the
    time in seconds since 1970.
    """

    policy: Policy
    at: float
    entries: tuple[Event, ...]
    adopted: tuple[Adopted, ...]
    histories: Mapping[str, History]
    rated: tuple[Rated, ...]
    given: tuple[Given, ...]
    rows: Mapping[str, Row[Any]]
    first_votes: Mapping[str, float]
    shown: Mapping[str, tuple[Shown, ...]]
    days: tuple[Day, ...]
    overshown: tuple[Overshown, ...]

    @property
    def today(self) -> int:
        """The day it was read (days since 1970, UTC)."""
        return day_of(self.at)

    def rules(self, entry: int) -> Policy:
        """The policy in force when an entry was written."""
        return at(self.adopted, entry, self.policy)

    def votes(self, name: str, since: int, until: int) -> int:
        """The votes on a variant in these days, both included."""
        return sum(each.votes for each in self.shown.get(name, ()) if since <= each.day <= until)

    def rating(self, name: str, entry: int) -> Rating | None:
        """The last rating of a variant that was published before an entry was written."""
        before = (
            each.ratings[name] for each in reversed(self.rated) if each.entry < entry and name in each.ratings
        )
        return next(before, None)

    def due(self) -> dict[int, list[str]]:
        """The variants that were due a fair share all day long, on each day that has counts."""
        return {
            day.day: [name for name, each in self.histories.items() if _all_day(each.steps, day.day)]
            for day in self.days
        }


def before(ledger: Ledger, day: int) -> Ledger:
    """The ledger without its counts from a day on (days since 1970, UTC)."""
    return replace(
        ledger,
        shown={
            name: over
            for name, days in ledger.shown.items()
            if (over := tuple(each for each in days if each.day < day))
        },
        days=tuple(each for each in ledger.days if each.day < day),
        overshown=tuple(each for each in ledger.overshown if each.day < day),
    )


def read_ledger(connection: Connection, policy: Policy) -> Ledger:
    """The ledger of the arena of a policy."""
    arena = policy.name
    whole, variants = subject(arena), f"variant {arena}/"
    entries = tuple(
        # Facts as their digest sees them: it takes a list of pairs, or an empty one, for an object.
        replace(each, facts=dict(each.facts))
        for each in events(connection)
        if each.subject == whole or each.subject.startswith(variants)
    )
    there, overshown = _days(connection, arena)
    rows = connection.execute(select(variant).where(variant.c.arena == arena).order_by(variant.c.created))
    return Ledger(
        policy=policy,
        at=current(connection),
        entries=entries,
        adopted=versions(entries),
        histories=histories(entries, arena),
        rated=publications_in(entries),
        given=given_in(entries),
        rows={row.name: row for row in rows},
        first_votes=first_votes(connection, arena),
        shown=_by_name(connection, arena),
        days=there,
        overshown=overshown,
    )


def _days(connection: Connection, arena: str) -> tuple[tuple[Day, ...], tuple[Overshown, ...]]:
    """What was counted, and the pairs that were shown too often; memory holds the pairs of one day."""
    there: list[Day] = []
    found: list[Overshown] = []
    for day in days_with_counts(connection, arena):
        pairs = pairs_of(connection, arena, day)
        there.append(in_all(day, pairs))
        found += overshown(day, pairs)
    return tuple(there), tuple(found)


def _by_name(connection: Connection, arena: str) -> dict[str, tuple[Shown, ...]]:
    found: dict[str, list[Shown]] = {}
    for day, name, shown, votes in appearances(connection, arena):
        found.setdefault(name, []).append(Shown(day, shown, votes))
    return {name: tuple(each) for name, each in found.items()}


def _all_day(steps: tuple[Step, ...], day: int) -> bool:
    before = [each for each in steps if day_of(each.at) < day]
    during = [each for each in steps if day_of(each.at) == day]
    return bool(before) and all(each.state in DUE for each in (before[-1], *during))
