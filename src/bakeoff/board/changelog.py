"""What happened on a board: the log's entries on it, its submissions and its tasks, a page at a time."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Connection, Row, Text, and_, cast, func, literal, or_, select

from bakeoff.database.log import Event
from bakeoff.database.tables import event, submission
from bakeoff.errors import BakeoffError

TOPICS = {
    "rules": ("board version", "board said anew", "method change"),
    "snapshots": ("snapshot",),
    "submissions": ("submitted", "identified", "submission %", "scored", "key lent", "key destroyed"),
    "flags": ("flag %",),
    "posts": ("post %",),
    "votes": ("voted",),
}
"""Kinds of entries by what they are about; `%` stands for any end."""
MOST = 200


@dataclass(frozen=True, slots=True)
class Told:
    """Entries of a board, the newest first. `matching` of `total` are of the topic that was asked for;
    `older` is the number to ask for those `before`, None where there are none.
    """

    entries: tuple[Event, ...]
    matching: int
    total: int
    older: int | None


def told(
    connection: Connection, board: str, *, topic: str = "", before: int | None = None, most: int = 50
) -> Told:
    """The newest `most` entries of a board; of one topic (`TOPICS`), and with a number below `before`.

    Raises:
        BakeoffError: there is no such topic, or `most` lies outside [1, `MOST`].
    """
    if topic and topic not in TOPICS:
        raise BakeoffError(f"the log has no topic {topic}", f"it has {', '.join(TOPICS)}")
    if not 1 <= most <= MOST:
        raise BakeoffError(f"from 1 to {MOST} entries are given at once, not {most}")
    all_ = _on(board)
    matching = and_(all_, _about(TOPICS[topic])) if topic else all_
    newest = select(event).where(matching).order_by(event.c.number.desc()).limit(most + 1)
    if before is not None:
        newest = newest.where(event.c.number < min(max(before, 0), 2**63 - 1))
    rows = connection.execute(newest).all()
    return Told(
        entries=tuple(map(_event, rows[:most])),
        matching=_count(connection, matching),
        total=_count(connection, all_),
        older=rows[most - 1].number if len(rows) > most else None,
    )


def last_moves(connection: Connection, numbers: Iterable[int]) -> Mapping[int, Event]:
    """The entry by which each of these submissions came into the state that it is in, by its number."""
    subjects = {f"submission {number}": number for number in numbers}
    query = select(event).where(event.c.subject.in_(subjects), event.c.kind.like("submission %"))
    rows = connection.execute(query.order_by(event.c.number))
    return {subjects[row.subject]: _event(row) for row in rows}


def _on(board: str) -> ColumnElement[bool]:
    tasks = f"task {board}/"
    rows = select(literal("submission ") + cast(submission.c.id, Text)).where(submission.c.board == board)
    return or_(
        event.c.subject == f"board {board}",
        # Not LIKE, which tells no case apart on SQLite.
        func.substr(event.c.subject, 1, len(tasks)) == tasks,
        event.c.subject.in_(rows),
    )


def _about(kinds: Sequence[str]) -> ColumnElement[bool]:
    return or_(*(event.c.kind.like(each) for each in kinds))


def _count(connection: Connection, which: ColumnElement[bool]) -> int:
    return int(connection.execute(select(func.count()).select_from(event).where(which)).scalar_one())


def _event(row: Row[Any]) -> Event:
    facts = orjson.loads(row.facts)
    return Event(row.number, row.at, row.actor, row.kind, row.subject, row.reason, facts, row.previous)
