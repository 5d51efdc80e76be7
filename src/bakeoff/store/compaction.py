"""From the journals of a run to one sorted table, without holding its samples in memory.

A database that sorts rows keeps them whole, hundreds of megabytes of them. So only their keys are sorted
here; the lines are then copied aside in that order, and what lies aside becomes the table, row group by row
group.
"""

import os
from array import array
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bakeoff.store.database import COPIES, MEMORY, SMALL, VECTOR, small
from bakeoff.store.record import COLUMNS

if TYPE_CHECKING:
    import duckdb

_MEGABYTE = 1024 * 1024
_ROW_GROUP = 2048
_KEY = ("item_id", "repeat", "finished_at")


def write_table(journals: Sequence[Path], earlier: Path | None, target: Path) -> None:
    """Write the latest row of each (item, repeat) to the Parquet file `target`, sorted by both.

    `earlier` is the table that the journals go on from, if there is one.

    Raises:
        duckdb.Error: a line is no sample, or the disk is full.
        OSError: the disk is full.
    """
    unloaded, ordered = target.with_suffix(".earlier"), target.with_suffix(".ordered")
    try:
        if earlier is not None:
            _unload(earlier, unloaded)
            journals = [unloaded, *journals]
        longest = _longest(journals)
        _write_ordered(journals, longest, ordered)
        _load(ordered, longest, target)
    finally:
        unloaded.unlink(missing_ok=True)
        ordered.unlink(missing_ok=True)


def _unload(table: Path, target: Path) -> None:
    with _connect(target.parent) as db:
        db.execute(f"COPY (FROM read_parquet({_quoted(table)})) TO {_quoted(target)} (FORMAT json)")


def _load(lines: Path, longest: int, target: Path) -> None:
    wide = min(lines.stat().st_size // _MEGABYTE, VECTOR * longest)
    with _connect(target.parent, longest, wide, reads=[lines]) as db:
        db.execute(
            f"COPY (FROM {_lines([lines], COLUMNS, longest)}) TO {_quoted(target)} "
            f"(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {_ROW_GROUP})"
        )


def _write_ordered(journals: Sequence[Path], longest: int, target: Path) -> None:
    """Copy the latest line of each (item, repeat), sorted by both."""
    files = [os.open(path, os.O_RDONLY) for path in journals]
    try:
        starts = [_line_starts(path) for path in journals]
        with target.open("wb") as out:
            for number in _order(journals, longest):
                which = 0
                while number >= len(starts[which]) - 1:
                    number -= len(starts[which]) - 1
                    which += 1
                start, end = starts[which][number], starts[which][number + 1]
                out.write(os.pread(files[which], end - start, start))
    finally:
        for file in files:
            os.close(file)


def _line_starts(path: Path) -> "array[int]":
    """Where each line begins, and where the last one ends."""
    starts = array("Q", [0])
    with path.open("rb") as file:
        for line in file:
            starts.append(starts[-1] + len(line))
    return starts


def _order(journals: Sequence[Path], longest: int) -> Iterator[int]:
    """The numbers of the lines to keep, in the order of their keys; lines count on from file to file."""
    lines = _lines(journals, {name: COLUMNS[name] for name in _KEY}, longest)
    with _connect(journals[0].parent, longest, reads=journals) as db:
        db.execute(f"CREATE TEMP VIEW lines AS FROM {lines} SELECT *, row_number() OVER () - 1 AS number")
        found = db.execute(
            "SELECT number FROM lines QUALIFY "
            "row_number() OVER (PARTITION BY item_id, repeat ORDER BY finished_at DESC, number DESC) = 1 "
            "ORDER BY item_id, repeat"
        )
        while rows := found.fetchmany(4096):
            for (number,) in rows:
                yield number


def _connect(
    folder: Path, longest: int = 0, wide: int = 0, *, reads: Sequence[Path] = ()
) -> "duckdb.DuckDBPyConnection":
    """A connection for the lines of `reads`, up to `longest` megabytes each, `wide` megabytes at once."""
    import duckdb

    if longest == 1 and sum(path.stat().st_size for path in reads) <= SMALL * _MEGABYTE:
        return small(threads=1)
    memory = MEMORY + 8 * longest + COPIES * wide
    db = duckdb.connect(":memory:", config={"memory_limit": f"{memory}MB", "threads": 1})
    db.execute(f"SET temp_directory = {_quoted(folder / '.spill')}")
    db.execute("SET enable_progress_bar = false")  # it would draw over our output
    return db


def _lines(journals: Sequence[Path], columns: Mapping[str, str], longest: int) -> str:
    """The table of `columns` of the lines, in their order."""
    files = ", ".join(map(_quoted, journals))
    types = ", ".join(f"'{name}': '{kind}'" for name, kind in columns.items())
    return (
        f"read_json([{files}], format = 'newline_delimited', columns = {{{types}}}, "
        f"maximum_object_size = {longest * _MEGABYTE})"
    )


def _longest(journals: Sequence[Path]) -> int:
    """Megabytes that the longest line fits into. DuckDB reads through a buffer of twice that."""
    longest = 0
    for path in journals:
        with path.open("rb") as file:
            longest = max(longest, max(map(len, file), default=0))
    return longest // _MEGABYTE + 1


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
