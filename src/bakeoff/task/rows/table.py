"""Rows from CSV. Every value is a text."""

import csv
from collections.abc import Iterator
from pathlib import Path

from bakeoff.errors import TaskError
from bakeoff.task.rows.source import Row

_LONGEST_CELL = 2**31 - 1


def csv_rows(path: Path) -> Iterator[Row]:
    """One row per record of a CSV file with a header line, UTF-8.

    Raises:
        TaskError: no header, a column named twice, a record of another width, or broken quoting, with the
            line it starts on.
    """
    # The csv module refuses cells over 128 kB, which a passage of text can have.
    csv.field_size_limit(_LONGEST_CELL)
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, strict=True)
        line = 1
        try:
            header = next(reader, None)
            if not header:
                raise TaskError(f"{path}:1: the first line must name the columns")
            if len(set(header)) < len(header):
                twice = next(name for name in header if header.count(name) > 1)
                raise TaskError(f"{path}:1: the column {twice!r} is there twice")
            line = reader.line_num + 1
            for cells in reader:
                place = f"{path}:{line}"
                line = reader.line_num + 1
                if not cells:
                    continue
                if len(cells) != len(header):
                    raise TaskError(
                        f"{place}: {len(cells)} cells, but the header names {len(header)} columns",
                        "a comma or a line break inside a cell needs quotes around the cell",
                    )
                yield Row(place, dict(zip(header, cells, strict=True)))
        except csv.Error as error:
            raise TaskError(f"{path}:{line}: this is not CSV: {error}") from None
        except UnicodeDecodeError as error:
            raise TaskError(
                f"{path}: after line {line}: not UTF-8: {error.reason}", "save it as UTF-8"
            ) from None
