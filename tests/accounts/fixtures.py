"""One transaction on a database of either kind, in which a test does everything."""

import pytest

from bakeoff.database import writing
from tests.database.fixtures import database, engine, prepared, server

__all__ = ["connection", "database", "engine", "prepared", "server"]

GOOD = "correct horse battery"
"""A password that may be chosen."""


@pytest.fixture
def connection(engine):
    with writing(engine) as opened:
        yield opened
