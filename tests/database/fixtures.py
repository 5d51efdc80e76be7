"""Fixtures of the rooms that use the database: each test runs on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import Engine, make_url
from sqlalchemy.engine import URL

from bakeoff.database import open_database
from tests.database.databases import KINDS, emptied, fresh_postgres, postgres_server, with_tables

__all__ = ["database", "engine", "prepared", "server"]


@pytest.fixture(scope="session")
def server() -> Iterator[URL]:
    # Not under pytest's own folder, of which later sessions clear away all but the newest.
    with TemporaryDirectory() as folder, postgres_server(Path(folder)) as url:
        yield url


@pytest.fixture(scope="session")
def prepared(server: URL) -> Iterator[URL]:
    """A database on the server that has its tables: to empty one is quicker than to make one."""
    with fresh_postgres(server) as url:
        with_tables(url).dispose()
        yield url


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[URL]:
    """The address of an empty database; for a test that has an `engine`, too, that one's."""
    if request.param == "sqlite":
        yield make_url(f"sqlite:///{tmp_path / 'test.db'}")
    elif "engine" in request.fixturenames:
        with emptied(request.getfixturevalue("prepared")) as url:
            yield url
    else:
        with fresh_postgres(request.getfixturevalue("server")) as url:
            yield url


@pytest.fixture
def engine(database: URL) -> Iterator[Engine]:
    """An open database with its tables."""
    there = database.get_backend_name() == "postgresql"
    opened = open_database(database) if there else with_tables(database)
    yield opened
    opened.dispose()
