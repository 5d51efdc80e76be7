"""The database of the board commands, and who uses it."""

import getpass
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from bakeoff.errors import BakeoffError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine


# Every command of boards comes by here before it imports what is not there.
if not all(map(find_spec, ("sqlalchemy", "alembic", "nacl"))):
    raise BakeoffError(
        "boards and arenas need SQLAlchemy, Alembic and PyNaCl, which are not all installed",
        "pip install 'bakeoff[board]'",
    )


@contextmanager
def opened(database: str | None) -> "Iterator[Engine]":
    """The database, its tables brought up to date."""
    from bakeoff.database import database_url, open_database
    from bakeoff.database.migrate import migrate

    engine = open_database(database_url(database))
    try:
        migrate(engine)
        yield engine
    finally:
        engine.dispose()


def user() -> str:
    """The name under which the log keeps what is done here."""
    return getpass.getuser()
