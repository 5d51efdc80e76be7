"""Rows of the evaluation data: read, chosen, written as JSON lines."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]


def read_rows(file: Path) -> list[dict[str, Any]]:
    """All rows of a JSON lines or Parquet file, in its order; columns of JSON text stay text."""
    if file.suffix == ".jsonl":
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    import duckdb

    table = duckdb.sql(f"SELECT * FROM '{file}'")
    return [dict(zip(table.columns, values, strict=True)) for values in table.fetchall()]


def write_rows(rows: Iterable[Row], file: Path) -> Path:
    """The rows as JSON lines in `file`, which is returned."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    file.write_text("".join(lines), encoding="utf-8")
    return file


def decoded(row: Row) -> dict[str, Any]:
    """The row with its target as an index and its metadata as a mapping, whichever way the file has them."""
    meta = row["meta"]
    return {**row, "target": int(row["target"]), "meta": json.loads(meta) if isinstance(meta, str) else meta}
