"""The rows of a file of votes, whatever its kind, without ever holding all of them."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from bakeoff.errors import BakeoffError

if TYPE_CHECKING:
    from bakeoff.task.rows.source import Row

_BATCH = 512
_LONGEST = 256 * 1024 * 1024


def rows_of(path: Path) -> "Iterator[Row]":
    """The rows of a CSV, JSONL, JSON or Parquet file, each with its place for messages.

    Raises:
        BakeoffError: no such file, a kind we do not read, or a row that is broken, with its place.
    """
    if not path.is_file():
        raise BakeoffError(f"there is no file {path}", "check the path")
    read = _readers().get(path.suffix.lower())
    if read is None:
        raise BakeoffError(
            f"{path}: votes come as {', '.join(_readers())}, not {path.suffix or 'a file without an ending'}",
            "rename the file by what is in it",
        )
    yield from read(path)


def _json_rows(path: Path) -> "Iterator[Row]":
    """The objects of one list, or one a line: both are called .json out there."""
    with path.open("rb") as file:
        start = file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return _listed(path) if start == b"[" else _readers()[".jsonl"](path)


def _listed(path: Path) -> "Iterator[Row]":
    import duckdb

    from bakeoff.task.rows.source import Row

    with duckdb.connect(":memory:", config={"threads": 1}) as db:
        db.execute("SET enable_progress_bar = false")
        number = 0
        try:
            found = db.execute(
                "SELECT json FROM read_json_objects(?, format = 'array', maximum_object_size = ?)",
                [str(path), _LONGEST],
            )
            while rows := found.fetchmany(_BATCH):
                for (text,) in rows:
                    number += 1
                    yield Row(f"{path}: row {number}", _object(text, f"{path}: row {number}"))
        except duckdb.Error as error:
            raise BakeoffError(f"{path}: after row {number}: this is not JSON: {error}") from None


def _object(text: str, place: str) -> Mapping[str, object]:
    try:
        row = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise BakeoffError(f"{place}: this is not JSON: {error.msg}") from None
    if not isinstance(row, dict):
        raise BakeoffError(f"{place}: a row is a JSON object with named columns, got {type(row).__name__}")
    return row


@cache
def _readers() -> "Mapping[str, Callable[[Path], Iterator[Row]]]":
    """By the ending of a file's name; the room of tasks has them, and is heavy."""
    from bakeoff.task.rows.jsonl import jsonl_rows
    from bakeoff.task.rows.parquet import parquet_rows
    from bakeoff.task.rows.table import csv_rows

    return {
        ".csv": csv_rows,
        ".jsonl": jsonl_rows,
        ".ndjson": jsonl_rows,
        ".json": _json_rows,
        ".parquet": lambda path: parquet_rows([path]),
    }
