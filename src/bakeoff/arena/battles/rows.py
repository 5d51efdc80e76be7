"""The row of a battle: whose it is, and how it moves."""

from typing import Any

from sqlalchemy import Connection, Row, select, update

from bakeoff.arena.answering.voided import Voided
from bakeoff.arena.battles.life import State, Void, before
from bakeoff.database.clock import now
from bakeoff.database.tables import battle as table
from bakeoff.errors import BakeoffError


def row_of(connection: Connection, battle: str, *, hold: bool = False) -> Row[Any]:
    """The row of a battle.

    Raises:
        BakeoffError: there is none of that id.
    """
    if not battle.isprintable():  # of an address that was typed: PostgreSQL takes no NUL
        raise _unknown()
    query = select(table).where(table.c.id == battle)
    row = connection.execute(query.with_for_update() if hold else query).one_or_none()
    if row is None:
        raise _unknown()
    return row


def own(connection: Connection, battle: str, voter: str, *, hold: bool = False) -> Row[Any]:
    """The row of a voter's own battle. Whether another's is there is not told. With `hold` nobody else moves
    it until the transaction ends.

    Raises:
        BakeoffError: the voter has no battle of that id.
    """
    row = row_of(connection, battle, hold=hold)
    if row.voter != voter:
        raise _unknown()
    return row


def move(connection: Connection, battle: str, then: State, **values: Any) -> bool:
    """Put a battle into another state, if it may come into it: of several at once one does.

    Whether it was moved; nothing changes otherwise.
    """
    states = [state.value for state in before(then)]
    changed = (
        update(table)
        .where(table.c.id == battle, table.c.state.in_(states))
        .values({"state": then.value, "changed": now()} | values)
    )
    return connection.execute(changed).rowcount == 1


def cannot_move(row: Row[Any]) -> BakeoffError:
    """Why a battle does not move as was asked, in words that name no model."""
    match State(row.state):
        case State.ANSWERING:
            return BakeoffError("the models are still answering", "wait until both answers are whole")
        case State.ANSWERED:
            return BakeoffError("both models have answered already", "vote, or ask something more")
        case State.VOTED:
            return BakeoffError("this battle has its vote already", "begin another one")
        case State.ABANDONED:
            return BakeoffError("this battle ran out before anybody voted", "begin another one")
        case State.VOID:
            return BakeoffError(Voided(Void(row.void)).sentence, "no model loses by it; begin another one")


def _unknown() -> BakeoffError:
    return BakeoffError("you have no battle of that id", "begin a new one")
