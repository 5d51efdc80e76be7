"""In a file of its own, so that both databases have their chaos at the same time."""

import pytest

from tests.board.chaos import chaos


@pytest.mark.slow
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_every_submission_is_evaluated_whole_whoever_is_killed(engine, database, board, tmp_path):
    print("\npostgresql:", chaos(engine, database, board, tmp_path))
