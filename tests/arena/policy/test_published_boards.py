"""What boards that were published do to rows, as their own tables show it."""

import pytest
from scipy.stats import fisher_exact

from bakeoff.arena.policy.checks.removal import fisher
from bakeoff.arena.policy.checks.retraction import vanished

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def boards(data_dir):
    """The votes and licences of each published text board, by date and model."""
    import duckdb

    found = {}
    file = data_dir / "arena_history" / "lmarena_text_history.parquet"
    with duckdb.connect() as connection:
        for date, model, votes, licence in connection.sql(
            f"SELECT snapshot, model, votes, license FROM '{file}' ORDER BY snapshot"
        ).fetchall():
            found.setdefault(date, {})[model] = (votes, licence)
    return found


def test_a_hundred_rows_vanished_from_published_boards(boards):
    gone = list(vanished(list(boards.values())))
    assert (len(boards) - 1, len({place for place, _ in gone}), len(gone)) == (91, 21, 106)


def test_a_row_that_vanished_and_came_back_is_found(boards):
    dates = list(boards)
    gone = [
        dates[place]
        for place, name in vanished(list(boards.values()))
        if name.endswith("Maverick-03-26-Experimental")
    ]
    assert gone == ["2025-04-13"]


def test_open_models_fell_silent_more_often_than_closed_ones(boards):
    """From 2025-06-03 to 2025-08-04 the votes on 118 of 128 open models stood still; on 52 of 72 others."""
    old, new = boards["2025-06-03"], boards["2025-08-04"]
    silent = {True: [0, 0], False: [0, 0]}
    for model in old.keys() & new.keys():
        counted = silent[old[model][1].lower().startswith("propri")]
        counted[0] += old[model][0] == new[model][0]
        counted[1] += 1
    assert (silent[False], silent[True]) == ([118, 128], [52, 72])
    expected = fisher_exact([[118, 10], [52, 20]]).pvalue
    assert fisher((118, 128), (52, 72)) == pytest.approx(expected, rel=1e-9)
    assert expected < 0.001
