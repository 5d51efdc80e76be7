"""The log of what happened: only ever added to, and each entry holds the digest of the one before.

Whoever changes or removes an entry breaks the chain behind it. Cutting off its end breaks nothing, which is
why snapshots keep the digest of the entry that was last when they were made.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson
from sqlalchemy import Connection, Row, Select, insert, select, text

from bakeoff.database.clock import current
from bakeoff.database.tables import event
from bakeoff.digest import canonical_json, digest

START = "sha256:" + "0" * 64
"""What stands for the entry before the first."""
_LOCK = 7_203_114_051
"""Any number, the same for all that write to the log."""


@dataclass(frozen=True, slots=True)
class Event:
    """One entry: at that time (seconds since 1970, UTC) `actor` did `kind` to `subject`, for that reason."""

    number: int
    at: float
    actor: str
    kind: str
    subject: str
    reason: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    previous: str = START

    @property
    def digest(self) -> str:
        """Names the entry and, through `previous`, all before it."""
        return digest(
            {
                "number": self.number,
                "at": self.at,
                "actor": self.actor,
                "kind": self.kind,
                "subject": self.subject,
                "reason": self.reason,
                "facts": dict(self.facts),
                "previous": self.previous,
            }
        )


def record(
    connection: Connection,
    *,
    actor: str,
    kind: str,
    subject: str,
    reason: str = "",
    facts: Mapping[str, Any] | None = None,
) -> Event:
    """Add an entry, in the transaction of what it tells of: both are kept, or neither."""
    lock(connection)
    last = connection.execute(
        select(event.c.number, event.c.digest).order_by(event.c.number.desc()).limit(1)
    ).one_or_none()
    number, previous = (last.number + 1, last.digest) if last else (1, START)
    made = Event(number, current(connection), actor, kind, subject, reason, dict(facts or {}), previous)
    connection.execute(
        insert(event).values(
            number=made.number,
            at=made.at,
            actor=actor,
            kind=kind,
            subject=subject,
            reason=reason,
            facts=canonical_json(dict(made.facts)).decode(),
            previous=previous,
            digest=made.digest,
        )
    )
    return made


def lock(connection: Connection) -> None:
    """Let nobody else write to the log, nor take this lock, until the transaction ends."""
    if connection.dialect.name == "postgresql":  # SQLite has one writer at a time by itself
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})


def events(connection: Connection, subject: str | None = None) -> Iterator[Event]:
    """The entries in order: all, or those on one subject."""
    query = select(event).order_by(event.c.number)
    if subject is not None:
        query = query.where(event.c.subject == subject)
    yield from map(_event, _rows(connection, query))


def head(connection: Connection) -> str:
    """The digest of the last entry."""
    found = connection.execute(select(event.c.digest).order_by(event.c.number.desc()).limit(1)).scalar()
    return found or START


def broken(connection: Connection) -> str | None:
    """Where the log is not as it was written, in words; None where it is whole."""
    previous = START
    for number, row in enumerate(_rows(connection, select(event).order_by(event.c.number)), 1):
        try:
            each = _event(row)
        except orjson.JSONDecodeError:
            return f"entry {number} was changed after it was written: its facts cannot be read"
        if each.number != number:
            return f"entry {number} is missing"
        if each.previous != previous:
            return f"entry {number} does not follow the one before it"
        if each.digest != row.digest:
            return f"entry {number} was changed after it was written"
        previous = each.digest
    return None


def _rows(connection: Connection, query: Select[Any]) -> Iterator[Row[Any]]:
    """The rows as they come, so that memory stays flat."""
    yield from connection.execute(query, execution_options={"yield_per": 1000})


def _event(row: Row[Any]) -> Event:
    return Event(
        row.number,
        row.at,
        row.actor,
        row.kind,
        row.subject,
        row.reason,
        orjson.loads(row.facts),
        row.previous,
    )
