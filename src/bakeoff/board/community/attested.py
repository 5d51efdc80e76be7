"""Rows that change, held to the log: each entry on one has the digest of the row as that change left it.

Whoever edits such a row behind the log's back is found by `disagreements`, and the row cannot be changed any
further, so that nothing is built on the edit.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, Row, Table, insert, select, update

from bakeoff.database.log import Event, events, record
from bakeoff.digest import digest
from bakeoff.errors import BakeoffError

_MOST = 2**63
"""No database has a number as high."""


def added(
    connection: Connection, table: Table, values: Mapping[str, Any], *, actor: str, kind: str, **told: Any
) -> int:
    """Add a row and the entry that tells of it (`told` as for `record`). Returns the row's number."""
    number = connection.execute(insert(table).values(**values).returning(table.c.id)).scalar_one()
    _record(connection, table, int(number), actor=actor, kind=kind, **told)
    return int(number)


def changed(
    connection: Connection,
    table: Table,
    number: int,
    values: Mapping[str, Any],
    *,
    subject: str,
    actor: str,
    kind: str,
    **told: Any,
) -> None:
    """Change a row and add the entry that tells of it. What is checked before is read under the log's `lock`.

    Raises:
        BakeoffError: the row is not as the last entry on it says.
    """
    last = None
    for each in events(connection, subject):
        if _is_on(each, table) and each.facts[table.name] == number:
            last = each.facts["row"]
    if last != _digest(row(connection, table, number)):
        raise BakeoffError(
            f"{table.name} {number} is not as the log says, and stays as it is",
            "somebody changed it in the database: bakeoff board verify",
        )
    connection.execute(update(table).where(table.c.id == number).values(**values))
    _record(connection, table, number, subject=subject, actor=actor, kind=kind, **told)


def row(connection: Connection, table: Table, number: int) -> Row[Any]:
    """A row by its number.

    Raises:
        BakeoffError: there is none.
    """
    found = None
    if 0 < number < _MOST:
        found = connection.execute(select(table).where(table.c.id == number)).one_or_none()
    if found is None:
        raise BakeoffError(f"there is no {table.name} {number}")
    return found


def disagreements(
    connection: Connection, table: Table, subject: Callable[[Row[Any]], str], within: Callable[[str], bool]
) -> Iterator[str]:
    """Where rows and log disagree, of the rows whose subject is `within`; nothing where they do not."""
    told = {each.facts[table.name]: each for each in events(connection) if _is_on(each, table)}
    there = {found.id: found for found in connection.execute(select(table).order_by(table.c.id))}
    for number, found in there.items():
        last = told.get(number)
        if not within(subject(found)) and not (last and within(last.subject)):
            continue
        if last is None:
            yield f"{table.name} {number}: the log does not know it"
        elif _digest(found) != last.facts["row"]:
            yield f"{table.name} {number}: it was changed after entry {last.number} of the log"
    for number in sorted(told.keys() - there.keys()):
        if within(told[number].subject):
            yield f"{table.name} {number}: the log tells of it, and it is gone"


def _record(
    connection: Connection, table: Table, number: int, *, facts: Mapping[str, Any] | None = None, **told: Any
) -> None:
    attested = {str(table.name): number, "row": _digest(row(connection, table, number))}
    record(connection, facts=dict(facts or {}) | attested, **told)


def _is_on(entry: Event, table: Table) -> bool:
    return entry.kind.startswith(f"{table.name} ")


def _digest(found: Row[Any]) -> str:
    # A column that a later version adds, and that is empty, changes nothing.
    return digest({str(name): value for name, value in found._asdict().items() if value is not None})
