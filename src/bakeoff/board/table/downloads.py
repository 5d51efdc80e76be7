"""What is seen of a board, to take away: the same rows in the same order with the same columns."""

import csv
import io
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from bakeoff.board.table.columns import Cell, Kind, Reader
from bakeoff.board.table.seen import Line, Seen


def as_csv(found: Seen, *, page: bool = False) -> bytes:
    """A header and the rows of all pages, or of the one `page`, as RFC 4180 has it, in UTF-8.

    Numbers have all their digits, what is missing is empty. Text that a spreadsheet would take for a formula
    has an apostrophe before it.
    """
    cells = _cells(found)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([disarmed(name) for name, _, _ in cells])
    for line in _lines(found, page):
        writer.writerow([_csv_cell(read(line.row)) for _, read, _ in cells])
    return out.getvalue().encode()


def as_json(found: Seen, *, page: bool = False) -> bytes:
    """One object: which board, snapshot and view it is, its columns, and the `rows` as objects by the names
    of CSV, each with the `key` of its row.
    """
    return orjson.dumps(_told(found) | {"rows": list(_objects(found, page, key=True))})


def as_parquet(found: Seen, *, page: bool = False) -> bytes:
    """The table of CSV, with its types; text is as it is."""
    from bakeoff.store.database import small

    columns = ", ".join(f"'{name}': '{_TYPES[kind]}'" for name, _, kind in _cells(found))
    with tempfile.TemporaryDirectory() as folder:
        lines, table = Path(folder) / "rows.jsonl", Path(folder) / "rows.parquet"
        lines.write_bytes(b"".join(orjson.dumps(each) + b"\n" for each in _objects(found, page)))
        # Names are made of letters, digits, points, hyphens and underscores alone.
        small(threads=1).execute(
            f"COPY (SELECT * FROM read_json(?, format = 'newline_delimited', columns = {{{columns}}})) "  # noqa: S608
            f"TO '{_quoted(table)}' (FORMAT parquet, COMPRESSION zstd)",
            [str(lines)],
        )
        return table.read_bytes()


def disarmed(text: str) -> str:
    """`text` with an apostrophe before it where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) else text


_TYPES: dict[Kind, str] = {
    "text": "VARCHAR",
    "date": "DATE",
    "ranks": "BIGINT",
    "number": "BIGINT",
    "share": "DOUBLE",
    "raw": "DOUBLE",
    "dollars": "DOUBLE",
    "seconds": "DOUBLE",
    "billions": "DOUBLE",
}


def _cells(found: Seen) -> list[tuple[str, Reader, Kind]]:
    """What is written of each row: a name, how it is read, and of which kind; each name once."""
    named = {name: (name, read, each.kind) for each in found.columns for name, read in each.cells}
    return list(named.values())


def _lines(found: Seen, page: bool) -> tuple[Line, ...]:
    return found.rows if page else found.every


def _csv_cell(value: Cell) -> Cell:
    return disarmed(value) if isinstance(value, str) else value


def _objects(found: Seen, page: bool, *, key: bool = False) -> Iterator[dict[str, Cell]]:
    cells = _cells(found)
    for line in _lines(found, page):
        named: dict[str, Cell] = {"key": line.key} if key else {}
        yield named | {name: read(line.row) for name, read, _ in cells}


def _told(found: Seen) -> dict[str, Any]:
    snapshot = found.table.snapshot
    return {
        "board": snapshot.board,
        "version": snapshot.version,
        "snapshot": found.table.digest,
        "made": snapshot.made,
        "level": snapshot.level,
        "unit": snapshot.unit,
        "lower_is_better": found.table.lower,
        "notes": snapshot.notes,
        "query": found.view.query(),
        "n": found.total,
        "matching": found.matching,
        "columns": [
            {"key": each.key, "title": each.title, "name": each.name, "kind": each.kind}
            for each in found.columns
        ],
    }


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")
