"""How much one voter may do."""

from dataclasses import dataclass

from sqlalchemy import Connection, func, or_, select, text

from bakeoff.arena.battles.life import OPEN, State
from bakeoff.database.clock import now
from bakeoff.database.tables import battle as table
from bakeoff.errors import BakeoffError

_DAY_S = 86_400


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one voter: `open` battles without a vote at once; `votes` and `battles` in 24 hours, those battles
    that were left or void among them. `turns` are of one battle. All at least 1.

    Raises:
        ValueError: a limit is below 1.
    """

    open: int = 3
    votes: int = 200
    battles: int = 400
    turns: int = 10

    def __post_init__(self) -> None:
        if min(self.open, self.votes, self.battles, self.turns) < 1:
            raise ValueError(f"limits are at least 1, got {self}")


DEFAULT = Limits()


def check_limits(connection: Connection, arena: str, voter: str, limits: Limits) -> None:
    """Whether a voter may begin another battle. It holds in this transaction, until it ends.

    Raises:
        BakeoffError: not now.
    """
    _wait_for(connection, voter)
    since = now() - _DAY_S
    query = (
        select(table.c.state, func.count())
        .where(table.c.arena == arena, table.c.voter == voter)
        .where(or_(table.c.changed >= since, table.c.state.in_([state.value for state in OPEN])))
        .group_by(table.c.state)
    )
    counts: dict[str, int] = dict(connection.execute(query).all())
    waiting = sum(counts.get(state, 0) for state in OPEN)
    if waiting >= limits.open:
        raise BakeoffError(
            f"you have {waiting} {'battle' if waiting == 1 else 'battles'} without a vote",
            "vote in one of them, or leave it, before you begin another",
        )
    if counts.get(State.VOTED, 0) >= limits.votes:
        raise BakeoffError(
            f"you have given {counts[State.VOTED]} votes in 24 hours, as many as one voter may",
            "come again tomorrow",
        )
    if sum(counts.values()) >= limits.battles:
        raise BakeoffError(
            f"you have begun {sum(counts.values())} battles in 24 hours, as many as one voter may",
            "come again tomorrow",
        )


def _wait_for(connection: Connection, voter: str) -> None:
    """Let a voter begin one battle at a time, or several at once could each be the last that is allowed."""
    if connection.dialect.name == "postgresql":  # SQLite has one writer at a time by itself
        key = int(voter, 16) - 2**63
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})
