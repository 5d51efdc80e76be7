"""Fixtures of the rooms that use the database: each test runs on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import Engine, make_url
from sqlalchemy.engine import URL

from tests.database.databases import KINDS, fresh_postgres, postgres_server, with_tables

__all__ = ["database", "engine", "server"]


@pytest.fixture(scope="session")
def server() -> Iterator[URL]:
    # Not under pytest's own folder, of which later sessions clear away all but the newest.
    with TemporaryDirectory() as folder, postgres_server(Path(folder)) as url:
        yield url


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[URL]:
    """The address of an empty database."""
    if request.param == "sqlite":
        yield make_url(f"sqlite:///{tmp_path / 'test.db'}")
        return
    with fresh_postgres(request.getfixturevalue("server")) as url:
        yield url


@pytest.fixture
def engine(database: URL) -> Iterator[Engine]:
    """An open database with its tables."""
    opened = with_tables(database)
    yield opened
    opened.dispose()
