"""What happens in a battle between its opening and its vote."""

from collections.abc import Container, Iterable
from typing import Any

from sqlalchemy import Connection, insert, select, update

from bakeoff.arena.answering.answer import Answer
from bakeoff.arena.battles.life import OPEN, State, Void
from bakeoff.arena.battles.limits import DEFAULT, Limits
from bakeoff.arena.battles.live_arena import live_arena
from bakeoff.arena.battles.opening import add_turn
from bakeoff.arena.battles.prompt import Prompt, kept
from bakeoff.arena.battles.rows import cannot_move, move, own, row_of
from bakeoff.arena.votes.style import style_of
from bakeoff.database.clock import current, now
from bakeoff.database.tables import answer
from bakeoff.database.tables import battle as table
from bakeoff.database.tables.live import SIDES
from bakeoff.errors import BakeoffError


def answered(connection: Connection, battle: str, sides: tuple[Answer, Answer]) -> None:
    """Both have answered, left and right: the turn ends, and the voter may vote from now on.

    Raises:
        BakeoffError: there is no such battle, or its models are not answering: it may have become void.
        ValueError: an answer is empty, which is none.
    """
    if any(not side.text.strip() for side in sides):
        raise ValueError("an answer is empty: the battle is void")
    before = row_of(connection, battle, hold=True)
    if not move(connection, battle, State.ANSWERED):
        raise cannot_move(before)
    rows = [_answer(battle, before.turns, name, side) for name, side in zip(SIDES, sides, strict=True)]
    connection.execute(insert(answer), rows)


def next_turn(
    connection: Connection, battle: str, voter: str, prompt: Prompt, *, limits: Limits = DEFAULT
) -> None:
    """Ask both models once more.

    Raises:
        BakeoffError: the voter has no such battle, its models are answering, it has ended, or it has as many
            turns as it may.
    """
    before = own(connection, battle, voter, hold=True)
    if before.turns >= limits.turns:
        raise BakeoffError(f"a battle has {limits.turns} turns at most", "vote, or begin another one")
    number = before.turns + 1
    if not move(connection, battle, State.ANSWERING, turns=number):
        raise cannot_move(before)
    add_turn(connection, battle, number, prompt, live_arena(connection, before.arena).salt)


def void(connection: Connection, battle: str, reason: Void) -> None:
    """A battle that cannot be judged: it counts for nobody and against nobody.

    Raises:
        BakeoffError: there is no such battle, or it has ended.
    """
    before = row_of(connection, battle, hold=True)
    if not move(connection, battle, State.VOID, void=reason.value):
        raise cannot_move(before)


def leave(connection: Connection, battle: str, voter: str) -> None:
    """The voter does not want to vote.

    Raises:
        BakeoffError: the voter has no such battle, or it has ended.
    """
    before = own(connection, battle, voter, hold=True)
    if not move(connection, battle, State.ABANDONED):
        raise cannot_move(before)


def stop_unfinished(connection: Connection, arena: str) -> int:
    """At a server's start: nobody answers any more in battles of before. They become void; how many."""
    return _end(connection, arena, [State.ANSWERING], None, {"state": State.VOID, "void": Void.STOPPED})


def stop_lost(connection: Connection, arena: str, answering: Container[str], older_than: float) -> int:
    """Battles whose models have been answering for more seconds than that, and are not among those that are
    `answering`, by their ids: what was to end them was lost. They become void; how many.
    """
    query = select(table.c.id).where(
        table.c.arena == arena,
        table.c.state == State.ANSWERING.value,
        table.c.changed < current(connection) - older_than,
    )
    lost = [battle for battle in connection.execute(query).scalars() if battle not in answering]
    return sum(move(connection, each, State.VOID, void=Void.STOPPED.value) for each in lost)


def abandon_old(connection: Connection, arena: str, older_than: float) -> int:
    """Battles in which nothing has happened for so many seconds run out; how many."""
    return _end(connection, arena, OPEN, older_than, {"state": State.ABANDONED})


def _end(
    connection: Connection,
    arena: str,
    states: Iterable[State],
    older_than: float | None,
    values: dict[str, Any],
) -> int:
    changed = update(table).where(
        table.c.arena == arena, table.c.state.in_([state.value for state in states])
    )
    if older_than is not None:
        changed = changed.where(table.c.changed < current(connection) - older_than)
    written = {name: value.value for name, value in values.items()}
    return connection.execute(changed.values(changed=now(), **written)).rowcount


def _answer(battle: str, number: int, name: str, side: Answer) -> dict[str, Any]:
    style = style_of(side.text if side.shown is None else side.shown)
    return {
        "battle": battle,
        "number": number,
        "side": name,
        "text": kept(side.text),
        "shown": None if side.shown is None else kept(side.shown),
        "finish": side.finish.value,
        "refused": side.refused,
        "first_token_s": side.first_token_s,
        "total_s": side.total_s,
        "tokens": side.tokens,
        "scrubbed": side.scrubbed,
        "length": style.length,
        "headers": style.headers,
        "lists": style.lists,
        "bold": style.bold,
    }
