"""Rows of a board side by side."""

import pytest

from bakeoff.board.ranking.publishing import Dated
from bakeoff.board.ranking.snapshot import Snapshot, ranked
from bakeoff.board.scores import Scores, Value
from bakeoff.board.table import prepared
from bakeoff.database import writing
from bakeoff.errors import BakeoffError
from bakeoff.web.pages.board_compare import board_compare
from tests.board.making import entrant
from tests.web.live import client
from tests.web.showcase import BOARD, entrants, publish

STATE = Dated("sha256:" + "0" * 64, 1, "2026-01-01T00:00:00+00:00")


def _page(rows, keys, **how):
    made = Snapshot("general", 1, "rule", 0.95, STATE.made, "log", ranked(rows))
    return board_compare(BOARD, (STATE,), STATE, prepared(made), keys, **how)


def test_the_better_of_each_pair_comes_first():
    page = _page(entrants(60), ("3", "20", "40"))
    assert len(page.pairs) == 3
    for pair in page.pairs:
        assert pair.gap.value >= 0
        scores = [each.row.entrant.scores.score.value for each in (pair.better, pair.worse)]
        assert pair.gap.value == pytest.approx(scores[0] - scores[1])


def test_a_pair_of_one_tier_is_tied_and_a_clear_one_is_not():
    rows = [entrant(1, 0.9, 0.001), entrant(2, 0.9005, 0.001), entrant(3, 0.5, 0.001)]
    tied = {(pair.better.key, pair.worse.key): pair.tied for pair in _page(rows, ("1", "2", "3")).pairs}
    assert tied == {("2", "1"): True, ("2", "3"): False, ("1", "3"): False}


def test_without_intervals_nothing_is_said_of_chance():
    rows = [entrant(number, score, scores=Scores(Value(score), {})) for number, score in ((1, 0.5), (2, 0.6))]
    (pair,) = _page(rows, ("1", "2")).pairs
    assert (pair.better.key, pair.gap.low, pair.tied) == ("2", None, None)


def test_a_row_without_a_score_has_no_pair_and_is_there():
    page = _page(entrants(60), ("57", "3"))
    assert page.pairs == ()
    assert [line.key for line in page.rows] == ["57", "3"]


def test_all_is_held_against_the_first_row():
    page = _page(entrants(60), ("3", "20"))
    for score in page.scores:
        assert score.gaps[0].value == 0
        assert score.gaps[1].value == pytest.approx(score.values[1].value - score.values[0].value)


def test_of_equal_scores_neither_is_ahead(tmp_path):
    with client(tmp_path) as site:
        with writing(site.app.state.library.engine) as connection:
            publish(connection, BOARD, [entrant(1, 0.5, 0.01), entrant(2, 0.5, 0.01), entrant(3, 0.9, 0.01)])
        equal, other = (
            site.get(f"/boards/{BOARD.name}/compare", params={"row": rows}).text
            for rows in (("1", "2"), ("1", "3"))
        )
    assert ("have the same score" in equal, "is ahead of" in equal) == (True, False)
    assert ("have the same score" in other, "is ahead of" in other) == (False, True)


@pytest.mark.parametrize("keys", [(), ("1",), ("1", "1"), ("1", "2", "3", "4", "5")])
def test_two_to_four_rows_can_be_compared(keys):
    with pytest.raises(BakeoffError, match="two to 4 rows"):
        _page(entrants(20), keys)


def test_runs_of_one_task_that_are_here_can_be_paired():
    page = _page(entrants(60), ("3", "20", "40"), here=lambda run: not run.endswith("28"))
    (shared,) = page.shared
    assert shared.task == "ifeval"
    assert shared.runs == ("20260101T000000Z-000003", "20260101T000000Z-000014")


def test_the_boards_form_leads_to_an_address_that_one_can_pass_on(tmp_path):
    with client(tmp_path) as site:
        with writing(site.app.state.library.engine) as connection:
            publish(connection)
        asked = "/boards/general/compare?search=a&compare=3&compare=20&sort=cost"
        found = site.get(asked, follow_redirects=False)
        assert found.headers["location"] == "/boards/general/compare?row=3&row=20"
        assert site.get(asked).status_code == 200
        assert site.get("/boards/general/compare?row=3").status_code == 400
        assert site.get("/boards/general/compare?row=3&row=999").status_code == 404
        text = site.get("/boards/general/compare?row=57&row=3").text
        assert "not known" in text
