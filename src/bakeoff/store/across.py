"""One item in many runs, in one look."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bakeoff.errors import StoreError
from bakeoff.store.database import small


class Elsewhere(NamedTuple):
    """How the item ended in a run, and what was taken for its answer."""

    folder: Path
    repeat: int
    outcome: str
    value: float | None
    extracted: str | None


def across(folders: Sequence[Path], item: str) -> list[Elsewhere]:
    """The samples of an item in finished runs, in the order of `folders` and then of repeats.

    Runs whose samples are not compacted yet are left out.

    Raises:
        StoreError: a table cannot be read.
    """
    import duckdb

    tables = {str(folder / "samples.parquet"): folder for folder in folders}
    there = [table for table in tables if Path(table).is_file()]
    if not there:
        return []
    try:
        found = (
            small(threads=2)
            .execute(
                "SELECT filename, repeat, outcome, value, extracted FROM read_parquet(?, filename = true, "
                "union_by_name = true) WHERE item_id = ?",
                [there, item],
            )
            .fetchall()
        )
    except duckdb.Error as error:
        raise StoreError(
            f"a table of samples cannot be read: {str(error).splitlines()[0]}", "restore it from a copy"
        ) from error
    place = {table: number for number, table in enumerate(there)}
    found.sort(key=lambda row: (place[row[0]], row[1]))
    return [Elsewhere(tables[table], *rest) for table, *rest in found]
