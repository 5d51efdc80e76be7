"""Battles that wait for a vote, and what must not be told as long as they do."""

from sqlalchemy import Connection, func, select

from bakeoff.arena.battles.life import OPEN
from bakeoff.arena.policy.sampling import day_of
from bakeoff.database.clock import current
from bakeoff.database.tables import battle as table


def tellable(connection: Connection, arena: str) -> int:
    """The first day (days since 1970, UTC) whose counts are not to be told yet: today, or that of the oldest
    battle without a vote. Whoever sees counts of models grow while a battle of their own begins, or end the
    day with it, learns who was drawn.
    """
    states = [state.value for state in OPEN]
    query = select(func.min(table.c.opened)).where(table.c.arena == arena, table.c.state.in_(states))
    oldest = connection.execute(query).scalar()
    now = current(connection)
    return day_of(now if oldest is None else min(oldest, now))
