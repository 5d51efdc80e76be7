"""The register of data that was given out: who received which votes, and when. It is part of the log."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, select

from bakeoff.arena.policy.adopting import in_force
from bakeoff.arena.policy.adopting import subject as of_arena
from bakeoff.arena.policy.sampling import as_date, day_of
from bakeoff.database.clock import current
from bakeoff.database.log import Event, events, lock, record
from bakeoff.database.tables import variant
from bakeoff.errors import BakeoffError

KIND = "data released"
EVERYONE = "everyone"
"""Who receives what is published for all."""


@dataclass(frozen=True, slots=True)
class Given:
    """Votes of the days `since` to `until` (days since 1970, both included), of which a `share` (0 to 1) was
    given to `provider`; `data` is the digest of what was given. `at` is in seconds since 1970.
    """

    provider: str
    since: int
    until: int
    share: float
    data: str
    entry: int
    at: float


def give(
    connection: Connection,
    arena: str,
    provider: str,
    *,
    since: int,
    until: int,
    share: float,
    data: str,
    actor: str,
) -> None:
    """Enter what a provider, or `EVERYONE`, is given, before it is.

    Raises:
        BakeoffError: the range is empty, votes of it are younger than the policy's delay, the share is not
            the policy's, there is no digest, or the provider is known in another spelling.
    """
    lock(connection)
    rule = in_force(connection, arena).releases
    if since > until:
        raise BakeoffError(f"{as_date(since)} to {as_date(until)} is no range of days")
    first = until + rule.delay_days + 1
    if day_of(current(connection)) < first:
        raise BakeoffError(
            f"votes of {as_date(until)} are given out from {as_date(first)} on, to everyone alike",
            f"the policy of {arena} says {rule.delay_days} days",
        )
    if share != rule.share:
        raise BakeoffError(
            f"the share given out must be {rule.share:g}, got {share:g}", "it is the same for everyone"
        )
    if not provider.strip() or not data.strip():
        raise BakeoffError("a release names who receives it, and its data by their digest", "say both")
    _check_spelling(connection, arena, provider)
    record(
        connection,
        actor=actor,
        kind=KIND,
        subject=of_arena(arena),
        facts={"provider": provider, "since": since, "until": until, "share": share, "data": data},
    )


def given(connection: Connection, arena: str) -> tuple[Given, ...]:
    """All that was given out, in its order."""
    return given_in(events(connection, of_arena(arena)))


def given_in(entries: Iterable[Event]) -> tuple[Given, ...]:
    """What entries of the log say was given out, as far as they can be read."""
    return tuple(found for each in entries if each.kind == KIND and (found := read(each)) is not None)


def read(entry: Event) -> Given | None:
    """What an entry says was given out; None where it cannot be read."""
    try:
        given_out = Given(
            provider=str(entry.facts["provider"]),
            since=int(entry.facts["since"]),
            until=int(entry.facts["until"]),
            share=float(entry.facts["share"]),
            data=str(entry.facts["data"]),
            entry=entry.number,
            at=entry.at,
        )
    except (KeyError, TypeError, ValueError):
        return None
    return given_out if given_out.since <= given_out.until else None


def _check_spelling(connection: Connection, arena: str, provider: str) -> None:
    """In two spellings one provider would seem to have been given half as much."""
    there = select(variant.c.provider).where(variant.c.arena == arena).distinct()
    for known in (*connection.execute(there).scalars(), EVERYONE):
        if known != provider and known.casefold() == provider.casefold():
            raise BakeoffError(f"{provider} is known as {known}", "write it so")
