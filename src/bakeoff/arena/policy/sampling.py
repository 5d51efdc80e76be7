"""Which pairs an arena shows: counts by day and pair, with the probability at which the sampler drew each.

A day that is over is closed: the digest of its counts enters the log, and they cannot be changed unseen.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Insert, func, select, union_all

from bakeoff.arena.policy.adopting import subject
from bakeoff.arena.policy.life import SERVED
from bakeoff.database.clock import current
from bakeoff.database.log import Event, events, lock, record
from bakeoff.database.tables import served as table
from bakeoff.database.tables import variant
from bakeoff.digest import digest
from bakeoff.errors import BakeoffError

CLOSED = "arena day"
_DAY_S = 86_400
_IN_FLIGHT_S = 3_600
"""So long after a day its last counts may still be on their way."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How often a pair was `shown` and voted on. `propensity` is the sum over the times it was shown of the
    probability, in (0, 1], with which the sampler then drew this pair.
    """

    first: str
    second: str
    shown: int = 0
    votes: int = 0
    propensity: float = 0.0


class Pair(NamedTuple):
    """The counts of a pair on a day. `propensity` is a sum as in `Tally`; `first_vote` is in seconds since
    1970, None where there was no vote.
    """

    first: str
    second: str
    shown: int
    votes: int
    propensity: float
    first_vote: float | None


@dataclass(frozen=True, slots=True)
class Day:
    """What was counted of a day (days since 1970, UTC). `digest` names all of it, whatever the order."""

    day: int
    shown: int
    votes: int
    digest: str


def day_of(at: float) -> int:
    """The day of a time in seconds since 1970."""
    return int(at // _DAY_S)


def as_date(day: int) -> date:
    """A day as a date."""
    return datetime.fromtimestamp(0, UTC).date() + timedelta(days=day)


def count(connection: Connection, arena: str, tallies: Iterable[Tally], *, at: float | None = None) -> None:
    """Add to the counts of the day; `at` (seconds since 1970) is for what is counted late.

    Raises:
        BakeoffError: a variant is not registered, or not in a state in which it may be shown; it is paired
            with itself; counts are below 0 or have no propensity in (0, 1] each; the day is to come, or
            closed.
    """
    now = current(connection)
    at = now if at is None else at
    if at > now:
        raise BakeoffError(f"{as_date(day_of(at))} has not come yet", "count what was shown")
    there = _registered(connection, arena)
    rows = [_row(arena, day_of(at), each, at, there) for each in tallies]
    if day_of(at) < day_of(now):
        lock(connection)
        if day_of(at) in closed(connection, arena):
            raise BakeoffError(f"{as_date(day_of(at))} is closed in {arena}", "its counts stay as they are")
    # In one order everywhere, so that two who count at once do not wait for each other.
    for row in sorted(rows, key=lambda row: (row["first"], row["second"])):
        connection.execute(_added(connection.dialect.name), row)


def close(connection: Connection, arena: str, day: int, *, actor: str) -> Day:
    """Put the digest of a day's counts into the log; of a day that is closed already nothing changes.

    Raises:
        BakeoffError: the day has not been over for an hour, or its counts changed since it was closed.
    """
    lock(connection)
    if day > last_to_close(connection):
        raise BakeoffError(f"{as_date(day)} has not been over for an hour", "close it later")
    made = in_all(day, pairs_of(connection, arena, day))
    if (before := closed(connection, arena).get(day)) is not None:
        if before != made:
            raise BakeoffError(
                f"the counts of {as_date(day)} changed since it was closed", "put them back from a copy"
            )
        return made
    record(
        connection,
        actor=actor,
        kind=CLOSED,
        subject=subject(arena),
        facts={"day": day, "shown": made.shown, "votes": made.votes, "digest": made.digest},
    )
    return made


def last_to_close(connection: Connection) -> int:
    """The last day of which no counts can be on their way any more."""
    return day_of(current(connection) - _IN_FLIGHT_S) - 1


def closed(connection: Connection, arena: str) -> dict[int, Day]:
    """The days that were closed, as their counts were then."""
    found: dict[int, Day] = {}
    for each in events(connection, subject(arena)):
        if each.kind == CLOSED and (day := read(each)) is not None:
            found.setdefault(day.day, day)
    return found


def read(entry: Event) -> Day | None:
    """The day that an entry closed; None where it cannot be read."""
    try:
        found = Day(**entry.facts)
    except TypeError:
        return None
    whole = isinstance(found.day, int) and isinstance(found.digest, str)
    return found if whole and 0 <= found.day < day_of(entry.at) else None


def days_with_counts(connection: Connection, arena: str) -> list[int]:
    """The days that have counts, in order."""
    query = select(table.c.day).where(table.c.arena == arena).distinct().order_by(table.c.day)
    return list(connection.execute(query).scalars())


def pairs_of(connection: Connection, arena: str, day: int) -> list[Pair]:
    """The counts of a day, in the order of names."""
    columns = (table.c[name] for name in ("first", "second", "shown", "votes", "propensity", "first_vote"))
    query = select(*columns).where(table.c.arena == arena, table.c.day == day)
    # Sorted here: databases sort texts each in a way of its own.
    found = (Pair(*row) for row in connection.execute(query))
    return sorted(found, key=lambda pair: (pair.first, pair.second))


def in_all(day: int, pairs: Sequence[Pair]) -> Day:
    """What was counted of a day, of its pairs in the order of names."""
    whole = digest([tuple(each) for each in pairs])
    return Day(day, sum(each.shown for each in pairs), sum(each.votes for each in pairs), whole)


def appearances(connection: Connection, arena: str) -> Iterator[tuple[int, str, int, int]]:
    """Day, variant, how often it was shown and how many votes it had, for all days and variants."""
    sides = union_all(
        *(
            select(table.c.day, side.label("name"), table.c.shown, table.c.votes).where(
                table.c.arena == arena
            )
            for side in (table.c.first, table.c.second)
        )
    ).subquery()
    query = (
        select(sides.c.day, sides.c.name, func.sum(sides.c.shown), func.sum(sides.c.votes))
        .group_by(sides.c.day, sides.c.name)
        .order_by(sides.c.day)
    )
    for day, name, shown, votes in connection.execute(query):
        yield int(day), str(name), int(shown), int(votes)


def first_votes(connection: Connection, arena: str) -> dict[str, float]:
    """When each variant had its first vote, in seconds since 1970; registered or not."""
    found: dict[str, float] = {}
    for side in (table.c.first, table.c.second):
        query = select(side, func.min(table.c.first_vote)).where(table.c.arena == arena, table.c.votes > 0)
        for name, at in connection.execute(query.group_by(side)):
            found[name] = min(at, found.get(name, at))
    return found


def _registered(connection: Connection, arena: str) -> dict[str, tuple[str, float]]:
    """The state of each variant, and since when it is registered."""
    query = select(variant.c.name, variant.c.state, variant.c.created).where(variant.c.arena == arena)
    return {row.name: (row.state, row.created) for row in connection.execute(query)}


def _row(
    arena: str, day: int, each: Tally, at: float, there: Mapping[str, tuple[str, float]]
) -> dict[str, Any]:
    for name in (each.first, each.second):
        state, since = there.get(name, ("", at))
        if not state or at < since:
            late = " then" if state else ""
            raise BakeoffError(
                f"{name} was not registered in {arena}{late}", "register it before it is shown"
            )
        # A vote may come after the state has changed; what is shown may not.
        if each.shown and state not in SERVED:
            raise BakeoffError(f"{name} is {state}, and is not to be shown", "draw another pair")
    if each.first == each.second:
        raise BakeoffError(f"{each.first} was paired with itself", "a pair is of two variants")
    if min(each.shown, each.votes) < 0:
        raise BakeoffError(f"shown and votes must not be below 0, got {each.shown} and {each.votes}")
    if not 0 <= each.propensity <= each.shown or bool(each.propensity) != bool(each.shown):
        raise BakeoffError(
            f"propensity must lie in (0, 1] for each of the {each.shown} times that {each.first} and "
            f"{each.second} were shown, got {each.propensity:g} in all",
            "it is the probability with which the sampler drew this pair",
        )
    first, second = sorted((each.first, each.second))
    return {
        "arena": arena,
        "day": day,
        "first": first,
        "second": second,
        "shown": each.shown,
        "votes": each.votes,
        "propensity": each.propensity,
        "first_vote": at if each.votes else None,
    }


@cache
def _added(dialect: str) -> Insert:
    """The statement that adds counts to those that are there."""
    if dialect == "postgresql":
        from sqlalchemy.dialects.postgresql import insert
    else:
        from sqlalchemy.dialects.sqlite import insert  # type: ignore[assignment]
    statement = insert(table)
    new = statement.excluded
    summed = {name: table.c[name] + new[name] for name in ("shown", "votes", "propensity")}
    first = func.coalesce(table.c.first_vote, new.first_vote)
    return statement.on_conflict_do_update(
        index_elements=[table.c.arena, table.c.day, table.c.first, table.c.second],
        set_=summed | {"first_vote": first},
    )
