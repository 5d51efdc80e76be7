"""The page of a column of a board."""

from dataclasses import replace

import pytest
from scipy.stats import spearmanr

from bakeoff.board.ranking.publishing import Dated
from bakeoff.board.ranking.snapshot import Snapshot, ranked
from bakeoff.board.reported.importing import LOWER
from bakeoff.board.scores import Scores, Value
from bakeoff.board.table import prepared
from bakeoff.database import writing
from bakeoff.errors import BakeoffError
from bakeoff.web.links import Links
from bakeoff.web.pages.column import column_page
from tests.board.making import entrant
from tests.web.live import client
from tests.web.showcase import BOARD, TASKS, entrants, publish

STATE = Dated("sha256:" + "0" * 64, 1, "2026-01-01T00:00:00+00:00")


def _page(rows, key="score", notes=(), **changes):
    made = Snapshot("general", 1, "rule", 0.95, STATE.made, "log", ranked(rows), notes, **changes)
    return column_page(BOARD, (STATE,), STATE, prepared(made), key)


def test_it_agrees_with_the_score_as_spearman_has_it():
    rows = entrants(60)
    page = _page(rows, "score.core-code")
    there = [row for row in rows if row.scores.score.value is not None and row.state == "published"]
    there = [row for row in there if not row.removed and row.duplicate_of is None]
    pairs = [(row.scores.columns[TASKS[1]].value, row.scores.score.value) for row in there]
    assert page.agreement == pytest.approx(spearmanr(*zip(*pairs, strict=True)).statistic)


def test_ties_share_the_middle_of_their_ranks():
    scores = [(0.1, 0.2), (0.1, 0.3), (0.1, 0.1), (0.5, 0.4), (0.5, 0.9)]
    rows = [
        entrant(number, score, scores=Scores(Value(score), {"a/b": Value(column)}))
        for number, (column, score) in enumerate(scores, 1)
    ]
    assert _page(rows, "score.a-b").agreement == pytest.approx(
        spearmanr(*zip(*scores, strict=True)).statistic
    )


def test_who_cannot_be_told_from_the_best():
    rows = [entrant(1, 0.9, 0.01), entrant(2, 0.89, 0.01), entrant(3, 0.87, 0.01), entrant(4, 0.8, 0.01)]
    # 0.9 - 0.87 is 2.1 standard errors of a difference, 0.01 twice over.
    assert _page(rows).tied == 1
    assert _page([replace(row, scores=Scores(Value(0.5), {})) for row in rows]).tied is None


def test_a_column_that_is_used_up_at_the_top_is_said_to_be():
    full = _page([entrant(number, 0.96, 0.001) for number in range(1, 8)])
    assert full.near_top == 7
    assert _page([entrant(number, 0.5) for number in range(1, 4)]).near_top == 0
    assert _page([entrant(number, 1200 + number) for number in range(1, 4)], unit="raw").near_top is None


def test_where_less_is_better_the_least_are_first():
    rows = [entrant(number, 10.0 * number, 1.0) for number in range(1, 13)]
    turned = tuple(
        replace(row, place=13 - row.place, low=13 - row.high, high=13 - row.low) for row in ranked(rows)[::-1]
    )
    made = Snapshot("general", 1, "rule", 0.95, STATE.made, "log", turned, (LOWER,), "raw")
    page = column_page(BOARD, (STATE,), STATE, prepared(made), "score")
    assert [each.value.value for each in page.rows] == [10.0 * number for number in range(1, 13)]
    spread = dict(page.spread)
    assert spread["reached by nine of ten"] > spread["reached by half"] > spread["reached by one of ten"]


def test_of_other_numbers_nobody_knows_which_end_is_better():
    rows = [
        entrant(each, scores=Scores(Value(100.0 + each), {"rank": Value(float(each))})) for each in (1, 2)
    ]
    assert _page(rows, "score", unit="raw").judged
    assert not _page(rows, "score.rank", unit="raw").judged


def test_what_it_does_not_know_it_leaves_out(tmp_path):
    rows = entrants(20)
    lost = {TASKS[1]: Value(None)}
    rows[0] = replace(rows[0], scores=replace(rows[0].scores, columns={**rows[0].scores.columns, **lost}))
    page = _page(rows, "score.core-code")
    assert page.missing == 1
    assert len(page.rows) + 1 == sum(row.place is not None for row in page.table.snapshot.rows)
    assert "Aurora" in str(page.chart(Links()))


def test_the_tasks_of_a_suites_column_are_named(tmp_path):
    with client(tmp_path) as site:
        with writing(site.app.state.library.engine) as connection:
            publish(connection)
        text = site.get("/boards/general/tasks/score.core-code").text
        assert "/tasks/humaneval_plus" in text
        assert "/tasks/mbpp_plus" in text
        assert site.get("/boards/general/tasks/nothing").status_code == 404


def test_a_column_of_something_else_is_none():
    with pytest.raises(BakeoffError, match="no task"):
        _page([entrant(1), entrant(2)], "licence")
