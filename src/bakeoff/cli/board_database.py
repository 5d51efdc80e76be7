"""The database of the board commands, and who uses it."""

import getpass
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bakeoff.errors import BakeoffError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine


@contextmanager
def opened(database: str | None) -> "Iterator[Engine]":
    """The database, its tables brought up to date."""
    try:
        from bakeoff.database import database_url, open_database
        from bakeoff.database.migrate import migrate
    except ImportError:
        raise BakeoffError(
            "boards need SQLAlchemy and Alembic, which are not installed", "pip install 'bakeoff[board]'"
        ) from None
    engine = open_database(database_url(database))
    try:
        migrate(engine)
        yield engine
    finally:
        engine.dispose()


def user() -> str:
    """The name under which the log keeps what is done here."""
    return getpass.getuser()
