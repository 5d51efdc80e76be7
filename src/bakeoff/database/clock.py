"""The database's own clock: machines that share a database need not agree on the time."""

from typing import Any

from sqlalchemy import Connection, Double, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement


class now(FunctionElement[float]):  # noqa: N801 (reads as the SQL function that it is)
    """Seconds since 1970 in UTC, at the moment the statement runs."""

    type = Double()
    inherit_cache = True


@compiles(now, "sqlite")
def _sqlite(_element: now, _compiler: Any, **_: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(now, "postgresql")
def _postgresql(_element: now, _compiler: Any, **_: Any) -> str:
    # Not now(), which stands still in a transaction.
    return "extract(epoch FROM clock_timestamp())::double precision"


def current(connection: Connection) -> float:
    """The time as the database has it."""
    return float(connection.execute(select(now())).scalar_one())
