"""Rows from Parquet, through DuckDB."""

import base64
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

from bakeoff.errors import TaskError
from bakeoff.task.rows.source import Row

_BATCH = 256


def parquet_rows(paths: Sequence[Path]) -> Iterator[Row]:
    """The rows of the files, one file after the other, in file order, a few hundred in memory at a time.

    Decimals become numbers, dates and times ISO texts, bytes base64 texts: a row is JSON.

    Raises:
        TaskError: DuckDB cannot read a file.
    """
    import duckdb

    for path in paths:
        with duckdb.connect(":memory:") as connection:
            connection.execute("SET enable_progress_bar = false")
            try:
                result = connection.execute("SELECT * FROM read_parquet(?)", [str(path)])
                names = [each[0] for each in result.description]
                number = 0
                while batch := result.fetchmany(_BATCH):
                    for values in batch:
                        number += 1
                        columns = {name: _plain(value) for name, value in zip(names, values, strict=True)}
                        yield Row(f"{path}: row {number}", columns)
            except duckdb.Error as error:
                raise TaskError(f"{path} cannot be read as Parquet: {error}") from None


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return base64.b64encode(bytes(value)).decode("ascii")
    if isinstance(value, UUID):
        return str(value)
    return str(value)
