"""The page of a model on a board."""

import re
from dataclasses import replace
from urllib.parse import quote

import pytest

from bakeoff.board.ranking.publishing import dates, take
from bakeoff.board.registry import known
from bakeoff.board.submissions import submissions
from bakeoff.board.table import prepared
from bakeoff.database import reading, writing
from bakeoff.web.pages.model import model_page
from tests.web.live import client
from tests.web.pages.staged import staged
from tests.web.showcase import BOARD, entrants, publish, publish_history


def _page(site, name, board="general", **how):
    with site.app.state.library.read() as connection:
        states = dates(connection, board)
        library, definition = site.app.state.library, known(connection, board)
        table = library.table(connection, definition, states[0].digest)
        return model_page(definition, states, states[0], table, library.past(connection, board), name, **how)


@pytest.fixture
def site(tmp_path):
    with client(tmp_path) as found:
        with writing(found.app.state.library.engine) as connection:
            publish_history(connection)
        yield found


def test_its_places_task_by_task_are_those_of_the_columns(site):
    page = _page(site, "Dune/Dune-max")
    for each in page.strengths:
        values = [each.column.value(row) for row in page.table.snapshot.rows if row.place is not None]
        assert each.of == len(values) == 56
        assert each.place == sorted(values, reverse=True).index(each.value.value) + 1
        assert each.best == max(values)
        assert sum(value <= each.median for value in values) == 28


def test_it_says_how_many_cannot_be_told_from_it(site):
    page = _page(site, "Dune/Dune-max")
    text = site.get("/boards/general/models/Dune%2FDune-max").text
    assert f"{page.tied} other rows" in text
    query = re.search(r'href="(/boards/general\?tied=[^"]+)"', text)[1]
    assert f"{page.tied + 1} of 60 rows" in site.get(query).text


def test_a_row_without_a_rank_says_why(site):
    text = site.get("/boards/general/models/Ember%2FEmber-ultra").text
    assert "contamination: it was trained on items of the board" in text


def test_duplicates_name_each_other(site):
    with site.app.state.library.read() as connection:
        table = site.app.state.library.newest(connection, "general")
    (late,) = [row.entrant for row in table.rows if row.entrant.duplicate_of is not None]
    (first,) = [row.entrant for row in table.rows if row.entrant.submission == late.duplicate_of]
    assert (first.model, "was handed in first with these weights") in _page(site, late.model).relatives
    assert (late.model, "has the same weights, and was handed in later") in _page(site, first.model).relatives


def test_it_stood_in_each_state_in_which_it_was(site):
    with site.app.state.library.read() as connection:
        past = site.app.state.library.past(connection, "general")
    for name in ("Borealis/Borealis-nano", "Dune/Dune-max"):
        stood = _page(site, name).stood
        there = [state.made for state in past.states if any(each.state.made == state.made for each in stood)]
        assert [each.state.made for each in stood] == there
        assert len(stood) == {"Borealis/Borealis-nano": 1, "Dune/Dune-max": 6}[name]


def test_only_runs_that_are_here_are_links(site):
    page = _page(site, "Dune/Dune-max", here=lambda run: run.endswith("33"))
    (ran,) = page.runs
    assert (ran.task, ran.run_id, ran.there) == ("ifeval", "20260101T000000Z-000033", True)
    assert "/runs/" not in site.get("/boards/general/models/Dune%2FDune-max").text.partition("Its runs")[2]


def test_a_model_that_is_not_there(site):
    found = site.get("/boards/general/models/nobody%2Fnothing")
    assert found.status_code == 404
    assert "no model" in found.text


def test_several_rows_of_one_name_are_all_there(tmp_path):
    rows = entrants(20)
    rows[5] = replace(rows[5], model=rows[6].model, precision="int8")
    with client(tmp_path) as site:
        with writing(site.app.state.library.engine) as connection:
            publish(connection, rows=rows)
        page = _page(site, rows[6].model)
        assert sorted(each.key for each in page.attempts) == ["6", "7"]
        better = max(rows[5:7], key=lambda each: each.scores.score.value)
        assert page.key == str(better.submission)


def test_what_never_got_a_score_is_among_the_attempts(tmp_path):
    with staged(tmp_path) as stage:
        done = stage.evaluated()
        stage.as_("mo")
        stage.post(f"submissions/{done}/publish")
        with writing(stage.engine) as connection:
            (row,) = take(connection, stage.board, actor="mo").rows
        waiting = stage.hand_in(name=row.entrant.model)
        text = stage.get(f"models/{quote(row.entrant.model, safe='')}").text
        assert f"/boards/little/submissions/{done}" in text
        assert f"/boards/little/submissions/{waiting}" in text
        with reading(stage.engine) as connection:
            states = {each.id: each.state.value for each in submissions(connection, "little")}
        assert states[waiting] in text


def test_a_page_needs_no_server_to_be_made(tmp_path):
    with client(tmp_path) as site:
        with writing(site.app.state.library.engine) as connection:
            made = publish(connection)
        with site.app.state.library.read() as connection:
            past, states = site.app.state.library.past(connection, "general"), dates(connection, "general")
        page = model_page(BOARD, states, states[0], prepared(made), past, "Dune/Dune-max")
        assert page.rank == "1–4"
