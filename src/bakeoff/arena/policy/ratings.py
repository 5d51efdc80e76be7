"""Published ratings: each publication is an entry of the log, and no row that was in one leaves the next."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, update

from bakeoff.arena.policy.adopting import subject
from bakeoff.arena.policy.life import PUBLIC
from bakeoff.arena.policy.variant import Rating
from bakeoff.arena.policy.variants import variants
from bakeoff.database.log import Event, events, lock, record
from bakeoff.database.tables import variant as table
from bakeoff.digest import canonical_json
from bakeoff.errors import BakeoffError

KIND = "arena rated"


@dataclass(frozen=True, slots=True)
class Rated:
    """A publication: the ratings by variant, and the number and time (seconds since 1970) of its entry."""

    ratings: Mapping[str, Rating]
    entry: int
    at: float


def rate(
    connection: Connection, arena: str, ratings: Mapping[str, Rating], *, data: str, method: str, actor: str
) -> None:
    """Publish ratings. `data` is the digest of the votes and `method` the name of how they were rated, so
    that anybody with both can do it again. A row that was removed keeps its last rating, whether it is rated
    or not.

    Raises:
        BakeoffError: a variant is not registered, or a public one that has a rating is left out.
    """
    lock(connection)
    there = {each.name: each for each in variants(connection, arena)}
    if unknown := sorted(ratings.keys() - there.keys()):
        raise BakeoffError(f"{unknown[0]} is not registered in {arena}", "register it before it is rated")
    rated = {name for name, each in there.items() if each.rating and each.state in PUBLIC}
    if missing := sorted(rated - ratings.keys()):
        raise BakeoffError(
            f"{', '.join(missing)} had a rating, and is left out", "a row goes by a rule of the policy alone"
        )
    if not data or not method:
        raise BakeoffError("a publication names its votes by their digest, and its method", "say both")
    for name, each in ratings.items():
        written = canonical_json(asdict(each)).decode()
        connection.execute(
            update(table).where(table.c.arena == arena, table.c.name == name).values(rating=written)
        )
    record(
        connection,
        actor=actor,
        kind=KIND,
        subject=subject(arena),
        facts={
            "data": data,
            "method": method,
            "ratings": {name: asdict(each) for name, each in sorted(ratings.items())},
        },
    )


def publications(connection: Connection, arena: str) -> tuple[Rated, ...]:
    """All publications of an arena, in their order."""
    return publications_in(events(connection, subject(arena)))


def publications_in(entries: Iterable[Event]) -> tuple[Rated, ...]:
    """The publications that entries of the log tell of, as far as they can be read."""
    return tuple(found for each in entries if each.kind == KIND and (found := read(each)) is not None)


def read(entry: Event) -> Rated | None:
    """The publication that an entry tells of; None where it cannot be read."""
    try:
        ratings = {name: Rating(**each) for name, each in dict(entry.facts["ratings"]).items()}
    except (KeyError, TypeError, ValueError, BakeoffError):
        return None
    return Rated(ratings, entry.number, entry.at)
