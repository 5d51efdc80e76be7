"""The samples of a run as files to keep: what may leave the folder, row by row."""

import csv
import io
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import orjson

from bakeoff.board.table.downloads import disarmed
from bakeoff.store import COLUMNS, Manifest
from bakeoff.store.database import MEMORY
from bakeoff.store.selection import Selection, leaving_rows

_MEGABYTE = 1024 * 1024
_AT_ONCE = 200
"""Rows that are sent together."""


def as_json_lines(folder: Path, manifest: Manifest, chosen: Selection) -> Iterator[bytes]:
    """A line for each sample, with the columns of `store.COLUMNS`."""
    lines = _lines(folder, manifest, chosen)
    while some := b"".join(islice(lines, _AT_ONCE)):
        yield some


def _lines(folder: Path, manifest: Manifest, chosen: Selection) -> Iterator[bytes]:
    return (orjson.dumps(row) + b"\n" for row in leaving_rows(folder, manifest, chosen))


def as_csv(folder: Path, manifest: Manifest, chosen: Selection) -> Iterator[bytes]:
    """A header and a row for each sample, as RFC 4180 has it, in UTF-8.

    What is missing is empty. Text that a spreadsheet would take for a formula has an apostrophe before it.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for number, row in enumerate(leaving_rows(folder, manifest, chosen), 1):
        writer.writerow(
            disarmed(cell) if isinstance(cell, str) else "" if cell is None else cell for cell in row.values()
        )
        if number % _AT_ONCE == 0:
            yield out.getvalue().encode()
            out.seek(0)
            out.truncate()
    yield out.getvalue().encode()


def as_parquet(folder: Path, manifest: Manifest, chosen: Selection, to: Path) -> None:
    """The table of CSV in `to`, with its types; text is as it is."""
    import duckdb

    columns = ", ".join(f"'{name}': '{kind}'" for name, kind in COLUMNS.items())
    target = str(to).replace("'", "''")
    with tempfile.TemporaryDirectory() as aside:
        path, longest = Path(aside) / "samples.jsonl", 0
        with path.open("wb") as lines:
            for line in _lines(folder, manifest, chosen):
                lines.write(line)
                longest = max(longest, len(line))
        megabytes = longest // _MEGABYTE + 1
        settings = {"threads": 1, "memory_limit": f"{MEMORY + 8 * megabytes}MB", "temp_directory": aside}
        with duckdb.connect(":memory:", config=settings) as db:
            db.execute("SET enable_progress_bar = false")  # it would draw over our output
            db.execute(
                f"COPY (SELECT * FROM read_json(?, format = 'newline_delimited', columns = {{{columns}}}, "  # noqa: S608
                f"maximum_object_size = {megabytes * _MEGABYTE})) "
                f"TO '{target}' (FORMAT parquet, COMPRESSION zstd)",
                [str(path)],
            )
