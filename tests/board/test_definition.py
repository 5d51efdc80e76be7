import pytest

from bakeoff.board.definition import Board, load_board
from bakeoff.errors import TaskError
from tests.board.making import BOARD

TEXT = """\
name: small
version: 1
since: 2026-01-01
suites: [{suite: core}]
"""


def _load(folder, text):
    path = folder / "board.yaml"
    path.write_text(text)
    return load_board(path)


def test_a_board_file_is_the_board_it_says(tmp_path):
    assert _load(tmp_path, TEXT) == BOARD
    assert _load(tmp_path, TEXT).digest == BOARD.digest


@pytest.mark.parametrize(
    "changed",
    [
        {"level": 0.9},
        {"suites": ({"suite": "open-llm-v2"},)},
        {"suites": ({"suite": "core"}, {"suite": "open-llm-v2"})},
        {"eligibility": {"max_parameters": 3}},
        {"policy": {"ranked_per_organisation": 3}},
        {"policy": {"private": True}},
    ],
)
def test_what_moves_scores_or_ranks_changes_the_digest(changed):
    assert Board(**(_plain() | changed)).digest != BOARD.digest


@pytest.mark.parametrize(
    "changed", [{"title": "T"}, {"about": "A"}, {"columns": ("cost",)}, {"version": 2}, {"name": "x"}]
)
def test_what_moves_nothing_leaves_it(changed):
    assert Board(**(_plain() | changed)).digest == BOARD.digest


def _plain():
    return {"name": "small", "version": 1, "since": "2026-01-01", "suites": ({"suite": "core"},)}


def test_a_suite_that_changes_changes_the_rule_under_the_same_name(tmp_path):
    suite = "name: own\nversion: 1\ncolumns:\n  - {name: Sums, parts: [{tasks: arithmetic}]}\n"
    (tmp_path / "own.yaml").write_text(suite)
    board = TEXT.replace("core", "own.yaml")
    before = _load(tmp_path, board).digest
    (tmp_path / "own.yaml").write_text(suite.replace("arithmetic", "extraction"))
    assert _load(tmp_path, board).digest != before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TEXT + "colums: []\n", "columns"),
        (TEXT.replace("core", "cores"), "suites\\[0\\]"),
        (TEXT.replace("[{suite: core}]", "[{suite: core}, {suite: core}]"), "there twice"),
        (TEXT.replace("version: 1", "version: 0"), "version"),
        (TEXT.replace("2026-01-01", "soon"), "since"),
        (TEXT + "policy: {quota: {submissions: 0}}\n", "submissions"),
        ("- a\n", "starting with `name`"),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path, text, said):
    with pytest.raises(TaskError, match=said) as error:
        _load(tmp_path, text)
    assert "board.yaml" in str(error.value)
