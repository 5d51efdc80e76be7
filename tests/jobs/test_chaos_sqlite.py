"""In a file of its own, so that both databases have their chaos at the same time."""

import pytest

from tests.jobs.chaos import chaos


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_every_job_ends_and_every_unit_is_written_once_whoever_is_killed(engine, database):
    print("\nSQLite:", chaos(engine, database))
