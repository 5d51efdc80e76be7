"""What is to be done once a day: close days that are over, and find who has too few votes."""

from dataclasses import dataclass

from sqlalchemy import Connection

from bakeoff.arena.policy.adopting import in_force
from bakeoff.arena.policy.inactivity import idle
from bakeoff.arena.policy.life import State
from bakeoff.arena.policy.sampling import close, closed, days_with_counts, last_to_close
from bakeoff.arena.policy.variants import move, variants
from bakeoff.database.log import lock


@dataclass(frozen=True, slots=True)
class Kept:
    """The days that were closed (days since 1970) and the variants that became inactive."""

    closed: tuple[int, ...]
    inactive: tuple[str, ...]


def keep(connection: Connection, arena: str, *, actor: str) -> Kept:
    """Close all days that are over, then apply the rule of inactivity to all rows alike.

    Raises:
        BakeoffError: the arena has no policy, or the counts of a closed day changed since.
    """
    lock(connection)
    rule = in_force(connection, arena).inactivity
    last = last_to_close(connection)
    there = closed(connection, arena)
    due = [day for day in days_with_counts(connection, arena) if day <= last and day not in there]
    for day in due:
        close(connection, arena, day, actor=actor)
    asleep = idle(connection, tuple(variants(connection, arena)), rule)
    reason = f"fewer than {rule.votes:,} votes in {rule.days} days"
    for name in asleep:
        move(connection, arena, name, State.INACTIVE, actor=actor, reason=reason)
    return Kept(tuple(due), asleep)
