"""A board over time, and what is read of its snapshots for it."""

import pytest

from bakeoff.board.ranking.publishing import snapshots
from bakeoff.board.table.keys import row_keys
from bakeoff.database import writing
from bakeoff.web.pages.past import moments, past
from tests.web.live import client
from tests.web.showcase import entrants, publish, publish_history


@pytest.fixture
def site(tmp_path):
    with client(tmp_path) as found:
        with writing(found.app.state.library.engine) as connection:
            publish_history(connection)
        yield found


def test_the_past_is_what_the_snapshots_say(site):
    with site.app.state.library.read() as connection:
        found, there = past(connection, "general"), list(snapshots(connection, "general"))
    assert [(state.digest, state.made, state.rows) for state in found.states] == [
        (each.digest, each.made, len(each.rows)) for each in there
    ]
    for number, each in enumerate(there):
        assert found.states[number].best == tuple(row.entrant.model for row in each.rows if row.low == 1)
        for key, row in zip(row_keys(each.rows), each.rows, strict=True):
            (standing,) = [one for one in found.standings[key] if one.state == number]
            assert (standing.place, standing.low, standing.high) == (row.place, row.low, row.high)
            assert standing.score == row.entrant.scores.score
            assert standing.unranked == row.unranked
    assert sum(map(len, found.standings.values())) == sum(len(each.rows) for each in there)


def test_each_state_is_a_line_with_its_changes(site):
    text = site.get("/boards/general/history").text
    assert "6 states" in text
    assert text.count('href="/boards/general/changes?from=') == 5
    assert text.count('href="/boards/general?at=') == 5


def test_rows_can_be_chosen(site):
    text = site.get("/boards/general/history?row=1&row=60").text
    assert "Scores of the chosen rows" in text
    assert site.get("/boards/general/history?row=999").status_code == 404
    assert (
        site.get("/boards/general/history?" + "&".join(f"row={each}" for each in range(6))).status_code == 400
    )


def test_a_row_that_came_later_is_a_gap_before(site):
    with site.app.state.library.read() as connection:
        found = site.app.state.library.past(connection, "general")
    newest = [key for key, standings in found.standings.items() if len(standings) == 1]
    text = site.get(f"/boards/general/history?row={newest[0]}").text
    assert text.count('<td class="num">–</td>') == 5


def test_of_several_states_of_a_day_the_last_is_drawn(tmp_path):
    with client(tmp_path) as site:
        with writing(site.app.state.library.engine) as connection:
            publish(connection, made="2026-03-01T08:00:00+00:00")
            publish(connection, rows=entrants(59), made="2026-03-01T12:00:00+00:00")
            publish(connection, rows=entrants(60, seed=8), made="2026-03-02T12:00:00+00:00")
        for page in ("history", "models/Dune%2FDune-max", "history?row=60"):
            assert "<figure" in site.get(f"/boards/general/{page}").text
        with site.app.state.library.read() as connection:
            found = past(connection, "general")
        stood = [(state, None) for state in found.states]
        stood[0] = (found.states[0], found.standings["60"][0])
        assert [(each.on.day, each.value) for each in moments(stood)] == [(1, None), (2, None)]


def test_one_state_is_no_chart(tmp_path):
    with client(tmp_path) as site:
        with writing(site.app.state.library.engine) as connection:
            publish(connection)
        text = site.get("/boards/general/history").text
        assert "There is one state so far" in text
        assert "<figure" not in text
