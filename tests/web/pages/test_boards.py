"""The list of boards."""

from bakeoff.board.ranking.publishing import take
from bakeoff.board.registry import register
from bakeoff.database import writing
from tests.board.recorded import little
from tests.web.live import client
from tests.web.runs import hostile


def test_without_a_board_it_says_how_to_make_one(tmp_path):
    with client(tmp_path) as site:
        assert "bakeoff board new" in site.get("/").text


def test_without_a_board_it_leads_to_the_runs_there_are(tmp_path):
    runs = hostile(tmp_path, "a", "b")
    with client(tmp_path) as site:
        page = site.get("/").text
    assert f'<a href="/runs">{len(runs)} runs</a>' in page
    assert '<a href="/tasks">' in page


def test_a_board_that_published_nothing_is_there_and_says_so(tmp_path):
    with client(tmp_path) as site:
        with writing(site.app.state.library.engine) as connection:
            register(connection, little(tmp_path), actor="ann")
        page = site.get("/").text
        assert "/boards/little" in page
        assert "nothing published yet" in page
        with writing(site.app.state.library.engine) as connection:
            take(connection, little(tmp_path), actor="ann")
        assert "0 rows" in site.get("/").text


def test_what_is_not_there_is_a_page_of_its_own(tmp_path):
    with client(tmp_path) as site:
        found = site.get("/nowhere")
        assert found.status_code == 404
        assert "no such page" in found.text
