"""Files of one JSON object a line."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from bakeoff.errors import StoreError, TaskError


def json_lines(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The JSON objects of a file, one a line, each with its place for errors; empty lines are passed over.

    Raises:
        StoreError: the file cannot be read.
        TaskError: a line that is no JSON object.
    """
    try:
        lines = path.read_bytes().removeprefix(b"\xef\xbb\xbf").splitlines()
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror or error}") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        place = f"{path}:{number}"
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise TaskError(f"{place}: this is not JSON: {error.msg}", "one JSON object a line") from None
        if not isinstance(row, dict):
            raise TaskError(f"{place}: a line is a JSON object, got {type(row).__name__}")
        yield place, row


def listed(value: Any) -> list[Any]:
    """What several people said: a list as it is, one by itself as a list of one, none for null."""
    return value if isinstance(value, list) else [] if value is None else [value]


def is_number(value: Any) -> bool:
    """Whether a JSON value is a number; true and false are none."""
    return type(value) in (int, float)
