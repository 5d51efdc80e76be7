import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.board.ranking.difference import differences
from bakeoff.board.ranking.snapshot import ranked, snapshot_from
from bakeoff.board.scores import Scores, Value
from tests.board.making import entrant, snapshot


def _ranks(*entrants, **how):
    return {row.entrant.submission: (row.place, row.low, row.high) for row in ranked(entrants, **how)}


def test_ranks_are_ranges_and_equal_models_share_them():
    found = _ranks(entrant(1, 0.9), entrant(2, 0.5), entrant(3, 0.501), entrant(4, 0.1))
    assert found == {1: (1, 1, 1), 3: (2, 2, 3), 2: (3, 2, 3), 4: (4, 4, 4)}


def test_equal_scores_have_one_place():
    found = _ranks(entrant(1, 0.5), entrant(2, 0.5), entrant(3, 0.4))
    assert (found[1][0], found[2][0], found[3][0]) == (1, 1, 3)


def test_scores_without_errors_have_an_order_and_no_ranges():
    reported = [
        entrant(each, provenance="reported", scores=Scores(Value(0.1 * each), {})) for each in (1, 2, 3)
    ]
    assert _ranks(*reported) == {3: (1, None, None), 2: (2, None, None), 1: (3, None, None)}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"state": "withdrawn"}, "withdrawn"),
        ({"state": "failed"}, "failed"),
        ({"state": "review"}, "review"),
        ({"duplicate_of": 1}, "the same weights as submission 1"),
        ({"scores": Scores(Value(None), {}, incomplete="core: gsm8k is missing")}, "gsm8k is missing"),
    ],
)
def test_what_is_not_published_whole_and_once_has_no_rank_and_stays_on_the_board(changes, why):
    rows = ranked([entrant(1, 0.5), entrant(2, 0.9, **changes)])
    assert [row.entrant.submission for row in rows] == [1, 2]
    assert (rows[0].place, rows[0].low, rows[0].high) == (1, 1, 1)
    assert rows[1].place is None
    assert why in rows[1].unranked


def test_a_missing_score_is_no_zero():
    rows = ranked([entrant(1, -0.5), entrant(2, None)])
    assert [row.entrant.submission for row in rows if row.place is not None] == [1]


def test_many_variants_of_one_house_do_not_crowd_a_board():
    mine = [
        entrant(each, 0.9 + each / 100, organisation="big", first_seen=f"2026-01-0{each}T00:00:00+00:00")
        for each in range(1, 6)
    ]
    rows = ranked([*mine, entrant(9, 0.5)], per_organisation=2)
    assert [row.entrant.submission for row in rows if row.place is not None] == [5, 4, 9]
    assert all("newer rows of big" in row.unranked for row in rows if row.place is None)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0.001, 0.1)), min_size=1, max_size=12), st.randoms())
def test_the_order_in_which_rows_come_in_changes_nothing(scores, random):
    entrants = [entrant(each, value, error) for each, (value, error) in enumerate(scores)]
    rows = ranked(entrants)
    shuffled = list(entrants)
    random.shuffle(shuffled)
    assert ranked(shuffled) == rows
    for row in rows:
        assert row.low <= row.place <= row.high


def test_a_snapshot_is_named_by_all_that_is_in_it_and_comes_back_the_same():
    made = snapshot(entrant(1, 0.9), entrant(2, None, flags=("contaminated?",)))
    again = snapshot_from(json.loads(json.dumps(made.as_json())))
    assert again == made
    assert again.digest == made.digest
    assert snapshot(entrant(1, 0.9000001), entrant(2, None, flags=("contaminated?",))).digest != made.digest


def _texts(old, new):
    return [(each.kind, each.submission, each.text) for each in differences(old, new)]


def test_nothing_changed_is_nothing_said():
    assert _texts(snapshot(entrant(1)), snapshot(entrant(1))) == []


def test_a_new_row_above_says_what_it_moved():
    old = snapshot(entrant(1, 0.5), entrant(2, 0.3))
    new = snapshot(entrant(1, 0.5), entrant(2, 0.3), entrant(3, 0.4))
    assert _texts(old, new) == [
        ("added", 3, "new: rank 2"),
        ("moved", 2, "rank 2 → rank 3, because of the others"),
    ]


def test_a_withdrawn_row_says_what_it_was_and_a_vanished_one_that_it_left_no_trace():
    old = snapshot(entrant(1, 0.5), entrant(2, 0.3))
    assert ("removed", 1, "has no rank any more: withdrawn; was rank 1") in _texts(
        old, snapshot(entrant(1, 0.5, state="withdrawn"), entrant(2, 0.3))
    )
    assert ("removed", 1, "gone without a trace, was rank 1") in _texts(old, snapshot(entrant(2, 0.3)))


def test_a_score_that_changed_says_whether_it_was_asked_again():
    old = entrant(1, 0.5)
    again = replace(old.scores, score=Value(0.6, 0.58, 0.62, 100))
    other = replace(again, runs={"gsm8k": "run7 sha256:7"})
    assert _texts(snapshot(old), snapshot(replace(old, scores=again))) == [
        ("rescored", 1, "50.0 % → 60.0 % of the same runs, by another rule")
    ]
    assert _texts(snapshot(old), snapshot(replace(old, scores=other))) == [
        ("rescored", 1, "50.0 % → 60.0 % from other runs")
    ]


def test_a_new_rule_is_said_first():
    found = _texts(snapshot(entrant(1)), snapshot(entrant(1), version=2, rule="sha256:new"))
    assert found[0][0] == "rule"
    assert "version 2" in found[0][2]


def test_a_score_without_an_interval_has_a_place_and_may_belong_above_any_other():
    alone = Scores(Value(0.6, n=3), {})
    rows = ranked([entrant(1, 0.9), entrant(2, 0.5), entrant(3, 0.6, scores=alone)])
    assert [(row.entrant.submission, row.place, row.low, row.high) for row in rows] == [
        (1, 1, 1, 2),
        (3, 2, None, None),
        (2, 3, 2, 3),
    ]
