"""DuckDB, begun once a process for all that is small: that takes ten times as long as a small query."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

SMALL = 16
"""Megabytes that need no folder to spill into."""
MEMORY = 256
"""Megabytes at most, for lines of the usual size; a hundred thousand samples need a fifth."""
# DuckDB reads and writes so many rows at once, and holds them this often on the way.
VECTOR, COPIES = 2048, 5


def small(threads: int) -> "duckdb.DuckDBPyConnection":
    """A connection for lines of less than a megabyte, `SMALL` megabytes in all. What it names is temporary.

    With one thread rows keep their order; with more they may lose it.
    """
    db = _shared(threads).cursor()
    db.execute("SET enable_progress_bar = false")  # it would draw over our output
    return db


@cache
def _shared(threads: int) -> "duckdb.DuckDBPyConnection":
    import duckdb

    settings = {
        "threads": threads,
        "memory_limit": f"{MEMORY + 8 + COPIES * SMALL}MB",
        "temp_directory": "",
        "preserve_insertion_order": threads == 1,
        # A run that goes on or is judged anew has other files under the same names.
        "enable_external_file_cache": False,
    }
    return duckdb.connect(":memory:", config=settings)
