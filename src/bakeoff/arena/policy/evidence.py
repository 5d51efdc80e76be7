"""When a row is more than preliminary: enough votes after its release, and a narrow enough interval."""

from typing import Any

from sqlalchemy import Connection, func, select

from bakeoff.arena.policy.life import PUBLIC
from bakeoff.arena.policy.rules import Preliminary
from bakeoff.arena.policy.sampling import as_date, day_of
from bakeoff.arena.policy.variant import Variant
from bakeoff.database.log import events
from bakeoff.database.tables import served
from bakeoff.errors import BakeoffError


def checked_evidence(connection: Connection, found: Variant, rule: Preliminary) -> dict[str, Any]:
    """What a row can be listed with: its fresh votes and the interval of its published rating.

    Raises:
        BakeoffError: they are fewer than the rule asks for, there is no rating, or its interval is wider.
    """
    day = release_day(connection, found)
    fresh = 0 if day is None else votes_on(connection, found, day + 1, None)
    if fresh < rule.fresh_votes:
        since = "its release" if day is None else str(as_date(day))
        raise BakeoffError(
            f"{found.name} has {fresh:,} fresh votes, and is provisional until it has {rule.fresh_votes:,}",
            f"votes of days after {since} are fresh: by those before it was chosen",
        )
    if found.rating is None:
        raise BakeoffError(f"{found.name} has no published rating", "rate it first")
    if found.rating.width > rule.width:
        raise BakeoffError(
            f"the interval of {found.name} is {found.rating.width:.1f} points wide, and it is provisional "
            f"until that is at most {rule.width:g}",
            "it needs more votes",
        )
    return {"fresh": fresh, "low": found.rating.low, "high": found.rating.high}


def release_day(connection: Connection, found: Variant) -> int | None:
    """The day on which a variant became public for the first time; None for one that never was."""
    kinds = {f"variant {state}" for state in PUBLIC}
    subject = f"variant {found.arena}/{found.name}"
    return next((day_of(each.at) for each in events(connection, subject) if each.kind in kinds), None)


def votes_on(connection: Connection, found: Variant, since: int, until: int | None) -> int:
    """The votes on a variant from a day on up to the day `until` (both included)."""
    return votes_between(connection, found.arena, since, until, found.name).get(found.name, 0)


def votes_between(
    connection: Connection, arena: str, since: int, until: int | None, name: str | None = None
) -> dict[str, int]:
    """The votes on each variant that has any, or on that one, in these days (both included)."""
    found: dict[str, int] = {}
    for side in (served.c.first, served.c.second):
        query = select(side, func.sum(served.c.votes)).where(served.c.arena == arena, served.c.day >= since)
        if until is not None:
            query = query.where(served.c.day <= until)
        if name is not None:
            query = query.where(side == name)
        for each, votes in connection.execute(query.group_by(side)):
            found[each] = found.get(each, 0) + int(votes)
    return found
