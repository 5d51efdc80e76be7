"""The samples of a run as a table: compaction to Parquet, and queries over either form."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bakeoff.errors import StoreError
from bakeoff.nouns import Sample
from bakeoff.store.compaction import write_table
from bakeoff.store.database import COPIES, MEMORY, SMALL, VECTOR, small
from bakeoff.store.files import sync_folder, unwritable
from bakeoff.store.journal import journal_rows
from bakeoff.store.manifest import FileRecord
from bakeoff.store.record import COLUMNS, Row, from_row

if TYPE_CHECKING:
    import duckdb

_PARQUET = "samples.parquet"
_JOURNALS = "journal-*.jsonl"
_MEGABYTE = 1024 * 1024
_JUDGED = {"right": "outcome = 'scored' AND value = 1", "wrong": "outcome = 'scored' AND value < 1"}


def journal_path(folder: Path, worker: int = 0) -> Path:
    """The journal of one worker."""
    return folder / f"journal-{worker}.jsonl"


def compact(folder: Path) -> FileRecord:
    """Turn the journals of a run into `samples.parquet`, then remove them.

    The latest record of each (item, repeat) stays; rows are sorted by item and repeat. The file is written
    aside, synced and renamed, so a kill at any point leaves the journals or the finished table. Called again
    after such a kill it just finishes.

    Raises:
        StoreError: a journal is damaged, or the disk is full.
    """
    target = folder / _PARQUET
    if _journals(folder):
        _write_parquet(folder, target)
    for path in folder.glob(_JOURNALS):
        path.unlink()
    sync_folder(folder)
    if not target.exists():
        raise StoreError(f"{folder} holds no samples", "run the task again")
    with _connect(folder) as db:
        rows = _one(db, "SELECT count(*) FROM samples")
    with target.open("rb") as file:
        digest = "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
    return FileRecord(digest=digest, bytes=target.stat().st_size, rows=rows)


def finished_keys(folder: Path, *, again: Sequence[str] = ()) -> set[tuple[str, int]]:
    """(item id, repeat) of every sample on disk, without those whose outcome is in `again`."""
    keys: dict[tuple[str, int], str] = {}
    if (folder / _PARQUET).exists():
        with _connect(folder) as db:
            rows = db.execute("SELECT item_id, repeat, outcome FROM parquet").fetchall()
        keys.update({(item, repeat): outcome for item, repeat, outcome in rows})
    for path in _journals(folder):
        keys.update({(row["item_id"], row["repeat"]): row["outcome"] for row in journal_rows(path)})
    return {key for key, outcome in keys.items() if outcome not in again}


def has_samples(folder: Path) -> bool:
    """Whether any sample of a run is on disk."""
    return (folder / _PARQUET).exists() or bool(_journals(folder))


def query(folder: Path, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Rows of a SQL query over the run's `samples` table, whose columns are `record.COLUMNS`.

    Works while the run goes on, too: the latest record of each (item, repeat) counts.
    """
    with _connect(folder) as db:
        rows: list[tuple[Any, ...]] = db.execute(sql, parameters).fetchall()
        return rows


def stream(folder: Path, sql: str, parameters: Sequence[Any] = ()) -> Iterator[Row]:
    """`query` a few hundred rows at a time, each a mapping of its columns, so that memory stays flat."""
    with _connect(folder) as db:
        found = db.execute(sql, parameters)
        names = [column[0] for column in found.description]
        while rows := found.fetchmany(256):
            for row in rows:
                yield dict(zip(names, row, strict=True))


def read_samples(
    folder: Path, *, outcome: str | None = None, item_id: str | None = None, limit: int | None = None
) -> Iterator[Sample]:
    """Samples in the order of their ids, a few hundred at a time, so that memory stays flat.

    `outcome` may also be `right` (scored 1) or `wrong` (scored below 1).
    """
    conditions: list[str] = ["true"]
    parameters: list[str] = []
    if outcome in _JUDGED:
        conditions.append(_JUDGED[outcome])
    elif outcome is not None:
        conditions.append("outcome = ?")
        parameters.append(outcome)
    if item_id is not None:
        conditions.append("item_id = ?")
        parameters.append(item_id)
    columns = ", ".join(f'"{name}"' for name in COLUMNS)
    sql = f"SELECT {columns} FROM samples WHERE {' AND '.join(conditions)} ORDER BY item_id, repeat"
    if limit is not None:
        sql += f" LIMIT {int(limit)}"
    with _connect(folder) as db:
        found = db.execute(sql, parameters)
        while rows := found.fetchmany(256):
            for row in rows:
                yield from_row(dict(zip(COLUMNS, row, strict=True)))


def _write_parquet(folder: Path, target: Path) -> None:
    import duckdb

    aside = target.with_name(f".{_PARQUET}.part")
    try:
        write_table(_journals(folder), target if target.exists() else None, aside)
    except duckdb.Error as error:
        aside.unlink(missing_ok=True)
        raise _explained(folder, error) from error
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise unwritable(target, error) from error
    try:
        with aside.open("rb+") as file:
            os.fsync(file.fileno())
        aside.replace(target)
        sync_folder(folder)
    except OSError as error:
        raise unwritable(target, error) from error


def _sizes(db: "duckdb.DuckDBPyConnection", parquet: Path) -> tuple[int, int]:
    """Megabytes of the row group with most in it, and of all."""
    found = db.execute(
        "SELECT max(size), sum(size) FROM (SELECT sum(total_uncompressed_size) AS size "
        f"FROM parquet_metadata('{_quoted(parquet)}') GROUP BY row_group_id)"
    ).fetchone()
    widest, whole = found or (0, 0)
    return int(widest or 0) // _MEGABYTE, int(whole or 0) // _MEGABYTE


def _connect(folder: Path) -> "duckdb.DuckDBPyConnection":
    """A connection with the view `samples`: the latest record of each (item, repeat)."""
    import duckdb

    parquet, journals = folder / _PARQUET, _journals(folder)
    # DuckDB reads lines through a buffer of twice the longest one, per thread.
    longest = max((_longest_line(path) for path in journals), default=0) // _MEGABYTE + 1
    whole = sum(path.stat().st_size for path in journals) // _MEGABYTE
    wide = min(whole, VECTOR * longest)
    db = small(threads=2)
    if parquet.exists():
        widest, packed = _sizes(db, parquet)
        wide, whole = max(wide, widest), whole + packed
    if longest > 1 or whole > SMALL:
        db.close()
        db = duckdb.connect(":memory:", config={"threads": 2})
        db.execute(f"SET memory_limit = '{MEMORY + 8 * longest + COPIES * wide}MB'")
        db.execute(f"SET temp_directory = '{_quoted(folder / '.spill')}'")
        db.execute("SET preserve_insertion_order = false")
        db.execute("SET enable_progress_bar = false")  # it would draw over our output
    sources = []
    if parquet.exists():
        # A run written before a column existed has it empty.
        empty = ", ".join(f'NULL::{kind} AS "{name}"' for name, kind in COLUMNS.items())
        db.execute(
            f"CREATE TEMP VIEW parquet AS SELECT {empty} WHERE false "
            f"UNION ALL BY NAME SELECT * FROM read_parquet('{_quoted(parquet)}')"
        )
        sources.append("SELECT * FROM parquet")
    if journals:
        files = ", ".join(f"'{_quoted(path)}'" for path in journals)
        columns = ", ".join(f"'{name}': '{kind}'" for name, kind in COLUMNS.items())
        db.execute(
            f"CREATE TEMP VIEW journal AS SELECT * FROM read_json([{files}], format = 'newline_delimited', "
            f"columns = {{{columns}}}, maximum_object_size = {longest * _MEGABYTE})"
        )
        sources.append("SELECT * FROM journal")
    if not sources:
        db.close()
        raise StoreError(f"{folder} holds no samples yet", "wait for the run to begin, or resume it")
    everything = " UNION ALL BY NAME ".join(sources)
    if journals:
        everything = (
            f"SELECT * FROM ({everything}) QUALIFY "
            "row_number() OVER (PARTITION BY item_id, repeat ORDER BY finished_at DESC) = 1"
        )
    db.execute(f"CREATE TEMP VIEW samples AS {everything}")
    return db


def _journals(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob(_JOURNALS) if path.stat().st_size > 0)


def _longest_line(path: Path) -> int:
    with path.open("rb") as file:
        return max(map(len, file), default=0)


def _one(db: "duckdb.DuckDBPyConnection", sql: str) -> int:
    row = db.execute(sql).fetchone()
    assert row is not None
    return int(row[0])


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")


def _explained(folder: Path, error: Exception) -> StoreError:
    text = str(error)
    if "No space left" in text or "disk" in text.lower():
        return StoreError(
            f"the disk is full: could not write the samples of {folder}",
            "the journal is whole; free some space, then resume the run",
        )
    return StoreError(
        f"the journal of {folder} cannot be read: {text.splitlines()[0]}", "see the line it names"
    )
