"""Rows from JSON: a line each, or one list."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from bakeoff.errors import TaskError
from bakeoff.task.rows.source import Row


def jsonl_rows(path: Path) -> Iterator[Row]:
    """One row per line, read line by line. Empty lines are passed over.

    Raises:
        TaskError: a line that is not a JSON object, with its number.
    """
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            if line.strip():
                yield Row(f"{path}:{number}", _row(line, f"{path}:{number}"))


def json_rows(path: Path) -> Iterator[Row]:
    """The objects of one JSON list. The whole file is read at once: large data belongs in JSONL or Parquet.

    Raises:
        TaskError: the file is not a JSON list of objects.
    """
    rows = _parsed(path.read_bytes().removeprefix(b"\xef\xbb\xbf"), str(path))
    if not isinstance(rows, list):
        raise TaskError(f"{path}: expected a JSON list of rows, got {type(rows).__name__}")
    for number, row in enumerate(rows, 1):
        place = f"{path}: row {number}"
        yield Row(place, _mapping(row, place))


def _row(line: bytes, place: str) -> dict[str, Any]:
    return _mapping(_parsed(line, place), place)


def _parsed(text: bytes, place: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}" if error.lineno > 1 else f"column {error.colno}"
        raise TaskError(
            f"{place}: this is not JSON: {error.msg} ({where})", "one JSON object per line"
        ) from None


def _mapping(row: Any, place: str) -> dict[str, Any]:
    if not isinstance(row, dict):
        raise TaskError(f"{place}: a row is a JSON object with named columns, got {type(row).__name__}")
    return row
