"""Rows of a file of answers made elsewhere: JSON lines, CSV or Parquet, one at a time."""

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from bakeoff.errors import ModelError

Row = tuple[int, Mapping[str, Any]]
"""A place in the file, counted from 1 (a line; in Parquet a row), and the columns there."""

FORMATS = (".jsonl", ".csv", ".parquet")
_BATCH = 1024


def rows(path: Path) -> Iterator[Row]:
    """The rows of `path`, read as they are asked for: memory holds a row, or in Parquet a row group.

    CSV cells are text, as they stand: `007` stays `007`, and an empty cell is the empty text. JSON lines and
    Parquet keep their types.

    Raises:
        ModelError: another format, or a row that cannot be read; names the line.
    """
    match path.suffix.lower():
        case ".jsonl":
            return _json_lines(path)
        case ".csv":
            return _csv(path)
        case ".parquet":
            return _parquet(path)
    raise ModelError(
        f"{path} is not a file of recorded answers by its name", f"Formats: {', '.join(FORMATS)}."
    )


def place(path: Path, line: int) -> str:
    """`answers.csv line 7`, in the words of the format."""
    return f"{path.name} {'row' if path.suffix.lower() == '.parquet' else 'line'} {line}"


def _json_lines(path: Path) -> Iterator[Row]:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                row = orjson.loads(line)
            except orjson.JSONDecodeError as error:
                raise ModelError(f"{place(path, number)} is not JSON: {error}") from error
            if not isinstance(row, dict):
                raise ModelError(f"{place(path, number)} is JSON, but not an object")
            yield number, row


def _csv(path: Path) -> Iterator[Row]:
    csv.field_size_limit(2**31 - 1)
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, strict=True)
        try:
            header = next(reader, [])
            first = reader.line_num + 1
            for cells in reader:
                if cells:
                    if len(cells) != len(header):
                        raise ModelError(
                            f"{place(path, first)} has {len(cells)} cells, the header has {len(header)}"
                        )
                    yield first, dict(zip(header, cells, strict=True))
                first = reader.line_num + 1
        except (csv.Error, UnicodeDecodeError) as error:
            raise ModelError(f"{place(path, reader.line_num)} cannot be read as CSV: {error}") from error


def _parquet(path: Path) -> Iterator[Row]:
    import duckdb

    with duckdb.connect(config={"threads": 1}) as connection:
        try:
            # Else it draws on standard output as soon as a file takes two seconds.
            connection.execute("SET enable_progress_bar = false")
            result = connection.execute("SELECT * FROM read_parquet(?)", [str(path)])
            names = [column[0] for column in result.description or []]
            number = 0
            while batch := result.fetchmany(_BATCH):
                for cells in batch:
                    number += 1
                    yield number, dict(zip(names, cells, strict=True))
        except duckdb.Error as error:
            raise ModelError(f"{path} cannot be read as Parquet: {error}") from error
