"""Grids in answers, and their attempts."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Outcome
from bakeoff.score import build_scorer, judge
from tests.score.making import said, text_item

GRID = [[1, 2], [3, 4]]
GRIDS = st.tuples(st.integers(1, 30), st.integers(1, 30)).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(0, 9), min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
    )
)


def score(target: Any, text: str, finish: FinishReason = FinishReason.STOP, **options: Any):
    return judge(build_scorer({"name": "grid", **options}), text_item(json.dumps(target)), said(text, finish))


@given(GRIDS)
def test_a_grid_is_read_however_it_is_written(grid):
    rows = [" ".join(map(str, row)) for row in grid]
    written = [
        json.dumps(grid),
        json.dumps(grid, indent=1),
        "The output:\n```json\n" + json.dumps(grid) + "\n```",
        str(grid).replace(",", ""),
    ]
    written.append(f"Output:\n{rows[0]}\n\nThat is all." if len(grid) == 1 else "\n".join(rows))
    if len(grid) * len(grid[0]) > 1:
        written += ["\n".join(rows), "```\n" + "\n".join(rows) + "\n```"]
        written += ["Output:\n" + "\n".join("|" + row.replace(" ", "|") + "|" for row in rows) + "\n\nDone."]
    if len(grid[0]) > 1:
        written.append("\n".join(row.replace(" ", "") for row in rows))
    for text in written:
        assert score(grid, text).value == 1, text


@given(GRIDS, st.data())
def test_one_wrong_cell_is_wrong(grid, data):
    row = data.draw(st.integers(0, len(grid) - 1))
    column = data.draw(st.integers(0, len(grid[0]) - 1))
    wrong = [list(each) for each in grid]
    wrong[row][column] = (wrong[row][column] + data.draw(st.integers(1, 9))) % 10
    assert score(grid, json.dumps(wrong)).value == 0


@pytest.mark.parametrize(
    ("text", "attempts", "value"),
    [
        ("[[1,2],[3,4]]", 2, 1),
        ("[[0,0],[0,0]] or [[1,2],[3,4]]", 2, 1),
        ("[[1,2],[3,4]] or [[0,0],[0,0]]", 2, 1),
        ("[[1,2],[3,4]] or [[0,0],[0,0]]", 1, 0),
        ("[[1,2],[3,4]], [[0,0],[0,0]], [[5,5],[5,5]]", 2, 0),  # a third attempt
        ("1 2\n3 4\n\n[[0,0]]", 2, 1),
        ('{"attempt_1": [[0]], "attempt_2": [[1,2],[3,4]]}', 2, 1),
        ('[{"attempt_1": [[0]], "attempt_2": [[1,2],[3,4]]}]', 1, 0),
        ('{"attempt_1": [[0]], "attempt_2": [[0]], "attempt_3": [[1,2],[3,4]]}', 2, 0),
        ("[[2,1],[4,3]]", 2, 0),
        ("[[1,2,3,4]]", 2, 0),
        ("[[1],[2],[3],[4]]", 2, 0),
    ],
)
def test_the_last_attempts_count(text, attempts, value):
    assert score(GRID, text, attempts=attempts).value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[[1,2],[3,4]] [[5]]", 1),
        ("[[[1,2],[3,4]],[[5]]]", 1),
        ("[[1,2],[3,4]] [[6]]", 0.5),
        ("[[5]] [[1,2],[3,4]]", 0),
        ("[[9]] and then [[1,2],[3,4]] [[5]]", 1),
        ('[{"attempt_1": [[1,2],[3,4]], "attempt_2": [[0]]}, {"attempt_1": [[0]], "attempt_2": [[5]]}]', 1),
    ],
)
def test_several_test_inputs_share_the_value(text, value):
    assert score([GRID, [[5]]], text).value == value


@pytest.mark.parametrize(
    "text",
    [
        "I cannot see it.",
        "[[1,2],[3]]",
        "[[1,2],[3,10]]",
        "[[1,-2],[3,4]]",
        "see [1] and [2]",
        "[]",
        "[[]]",
        "[[1,2],",
        json.dumps([[0] * 31]),
    ],
)
def test_what_is_not_a_grid_is_no_answer(text):
    assert score(GRID, text).outcome is Outcome.NO_ANSWER


def test_fewer_grids_than_test_inputs_is_no_answer():
    judged = score([GRID, [[5]]], "[[1,2],[3,4]]")
    assert judged.outcome is Outcome.NO_ANSWER
    assert "1 grids, and 2 were asked for" in judged.reason


def test_a_cut_grid_may_have_had_more_rows_unless_its_bracket_is_closed():
    assert score(GRID, "1 2\n3 4", FinishReason.LENGTH).outcome is Outcome.TRUNCATED
    assert score(GRID, "[[1,2],[3,4]]", FinishReason.LENGTH).value == 1
    assert score(GRID, "[[1,2],[3,4", FinishReason.LENGTH).outcome is Outcome.TRUNCATED


@pytest.mark.parametrize(
    "target", [5, "x", [], [[]], [[1, 2], [3]], [[10]], [[1.0]], [GRID, 5], {"a": 1}, None]
)
def test_a_target_that_is_no_grid_is_the_tasks_mistake(target):
    with pytest.raises(TaskError, match="item free"):
        score(target, "[[1]]")


def test_an_attempt_is_needed():
    with pytest.raises(TaskError, match="attempts"):
        build_scorer({"name": "grid", "attempts": 0})
