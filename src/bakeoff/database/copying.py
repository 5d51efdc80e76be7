"""A copy of a database into an empty one of either kind: a backup, a restore, or a move."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, Table, Text, exists, func, insert, inspect, select, text
from sqlalchemy import table as table_named
from sqlalchemy.exc import DataError, IntegrityError

from bakeoff.database.engine import reading, shown_url, writing
from bakeoff.database.log import broken, head
from bakeoff.database.migrate import known_revisions, migrate, revision
from bakeoff.database.tables import metadata
from bakeoff.errors import StoreError

KEYS = "secret"
"""The table of what submitters lent; it is left out unless asked for."""
_BATCH_BYTES = 4_000_000
_MOST_ROWS = 1000


@dataclass(frozen=True, slots=True)
class Copied:
    """How many rows each table has in the copy, and the digest of the last entry of its log."""

    rows: Mapping[str, int]
    head: str


def copy(source: Engine, target: Engine, *, keys: bool = False) -> Copied:
    """Copy everything as it is at one moment, while others write: the copy is whole, or empty.

    Jobs that run keep their leases, which run out by themselves if their workers do not come over. Lent keys
    are copied only with `keys`. Memory does not grow with the number of rows.

    Raises:
        StoreError: the target is not empty, or the source is; the source is not of this bakeoff's revision,
            its log is not whole, or it has a row that the target cannot keep.
    """
    if empty(source):
        raise StoreError(f"{shown_url(source.url)} is empty: there is nothing to copy", "look at its address")
    if not empty(target):
        raise StoreError(f"{shown_url(target.url)} is not empty", "copy into a database without any rows")
    migrate(target)
    tables = [each for each in metadata.sorted_tables if keys or each.name != KEYS]
    with reading(source) as old:
        _check_revision(old, source)
        with writing(target) as new:
            rows = {table.name: _copied(table, old, new, target) for table in tables}
            _check_log(old, new, source)
        return Copied(rows, head(old))


def empty(engine: Engine) -> bool:
    """Whether a database has no rows, in tables of ours or of others."""
    with reading(engine) as connection:
        names = [each for each in inspect(connection).get_table_names() if each != "alembic_version"]
        found = (exists(select(text("1")).select_from(table_named(each))) for each in names)
        return not any(connection.execute(select(each)).scalar_one() for each in found)


def _copied(table: Table, old: Connection, new: Connection, target: Engine) -> int:
    """Copy the rows of a table, and count them in the copy."""
    rows, longest = _size(table, old)
    try:
        for batch in _batches(table, old, longest):
            new.execute(insert(table), batch)
    except (DataError, IntegrityError) as error:
        reason = str(error.orig).splitlines()[0]
        raise StoreError(
            f"{shown_url(target.url)} cannot keep a row of {table.name}: {reason}", "nothing was copied"
        ) from None
    there, _ = _size(table, new)
    if there != rows:
        raise StoreError(f"{table.name} has {rows:,} rows, and its copy {there:,}", "nothing was copied")
    _continue_ids(table, new)
    return there


def _size(table: Table, connection: Connection) -> tuple[int, int]:
    """The number of rows, and the length of the longest in characters."""
    texts = [func.coalesce(func.length(each), 0) for each in table.c if isinstance(each.type, Text)]
    row = connection.execute(select(func.count(), func.max(sum(texts))).select_from(table)).one()
    return int(row[0]), int(row[1] or 0)


def _batches(table: Table, connection: Connection, longest: int) -> Iterator[list[dict[str, Any]]]:
    """The rows in the order of their keys, as many at once as memory is sure to hold."""
    size = max(1, min(_MOST_ROWS, _BATCH_BYTES // max(1, longest)))
    query = select(table).order_by(*table.primary_key)
    found = connection.execute(query, execution_options={"yield_per": size})
    for batch in found.mappings().partitions():
        yield [dict(row) for row in batch]


def _continue_ids(table: Table, connection: Connection) -> None:
    """Let new rows have ids above those that were copied. SQLite does so by itself."""
    column = table.autoincrement_column
    if connection.dialect.name == "sqlite" or column is None:
        return
    connection.execute(
        text("SELECT setval(pg_get_serial_sequence(:table, :column), :next, false)"),
        {
            "table": table.name,
            "column": column.name,
            "next": connection.execute(select(func.coalesce(func.max(column), 0) + 1)).scalar_one(),
        },
    )


def _check_revision(connection: Connection, source: Engine) -> None:
    found, newest = revision(connection), known_revisions()[0]
    if found != newest:
        raise StoreError(
            f"{shown_url(source.url)} is of revision {found or 'none'}, and this bakeoff of {newest}",
            "any command of boards brings it up to date",
        )


def _check_log(old: Connection, new: Connection, source: Engine) -> None:
    if head(old) != head(new):
        raise StoreError("the log of the copy does not end as the log does", "nothing was copied")
    if problem := broken(new):
        raise StoreError(
            f"the log of {shown_url(source.url)} is not whole: {problem}",
            "nothing was copied; a copy of the file, or pg_dump, keeps it as it is",
        )
