import pytest

from tests.board.recorded import little
from tests.database.fixtures import *  # noqa: F403


@pytest.fixture
def board(tmp_path):
    """A board of one small suite of two tasks."""
    return little(tmp_path)
