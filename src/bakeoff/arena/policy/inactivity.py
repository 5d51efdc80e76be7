"""The rule by which public rows become inactive: too few votes, and nothing else."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from bakeoff.arena.policy.evidence import votes_between, votes_on
from bakeoff.arena.policy.life import PUBLIC
from bakeoff.arena.policy.rules import Inactivity
from bakeoff.arena.policy.sampling import day_of
from bakeoff.arena.policy.variant import Variant
from bakeoff.database.clock import current
from bakeoff.database.log import events
from bakeoff.errors import BakeoffError


def checked_idle(connection: Connection, found: Variant, rule: Inactivity) -> dict[str, Any]:
    """With what a row becomes inactive: its votes in the days of the rule.

    Raises:
        BakeoffError: it was not public for so many whole days, or has as many votes as the rule asks for.
    """
    today = day_of(current(connection))
    if not _long_public(connection, found, rule, today):
        raise BakeoffError(
            f"{found.name} has not been public for {rule.days} whole days",
            "a row is inactive by its votes in that time, and by nothing else",
        )
    votes = votes_on(connection, found, today - rule.days, today - 1)
    if votes >= rule.votes:
        raise BakeoffError(
            f"{found.name} has {votes:,} votes in the last {rule.days} days, and is inactive below "
            f"{rule.votes:,}",
            "there is no other way to become inactive",
        )
    return {"votes": votes, "days": rule.days}


def idle(connection: Connection, there: Sequence[Variant], rule: Inactivity) -> tuple[str, ...]:
    """The names of those rows of an arena that are to become inactive now."""
    public = [each for each in there if each.state in PUBLIC]
    if not public:
        return ()
    today = day_of(current(connection))
    votes = votes_between(connection, public[0].arena, today - rule.days, today - 1)
    few = (each for each in public if votes.get(each.name, 0) < rule.votes)
    return tuple(each.name for each in few if _long_public(connection, each, rule, today))


def _long_public(connection: Connection, found: Variant, rule: Inactivity, today: int) -> bool:
    since = public_since(connection, found)
    return since is not None and since < today - rule.days


def public_since(connection: Connection, found: Variant) -> int | None:
    """The day on which a row became public for the last time; None while it is not."""
    since = None
    for each in events(connection, f"variant {found.arena}/{found.name}"):
        public = each.kind.removeprefix("variant ") in PUBLIC
        if each.kind.startswith("variant ") and not public:
            since = None
        elif public and since is None:
            since = day_of(each.at)
    return since
