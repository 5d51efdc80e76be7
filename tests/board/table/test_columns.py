import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.board.scores import Value
from bakeoff.board.table import label, prepared, text, written
from bakeoff.board.table.columns import columns_of, standing
from tests.board.table.making import scored, snapshot, snapshots


def named(names):
    columns = {name: Value(0.5) for name in names}
    return [
        each.key for each in columns_of(snapshot(scored(1, columns=columns))) if each.key.startswith("score.")
    ]


def test_columns_of_suites_have_keys_for_addresses():
    names = ("core/Maths", "pass@1 humaneval+", "pass@1 humaneval", "rank", "中文", "日本")
    assert named(names) == [
        "score.core-maths",
        "score.pass-1-humaneval",
        "score.pass-1-humaneval-2",
        "score.rank",
        "score.column",
        "score.column-2",
    ]


@given(st.lists(st.text(max_size=8), max_size=8, unique=True))
def test_keys_are_all_different_and_need_no_quoting(names):
    keys = named(names)
    assert len(set(keys)) == len(keys) == len(names)
    assert all(re.fullmatch(r"[a-z0-9_.-]+", each) for each in keys)


@given(snapshots())
def test_keys_of_all_columns_and_of_what_is_downloaded_of_them_are_different(made):
    columns = columns_of(made)
    keys = [each.key for each in columns]
    cells = [name for each in columns for name, _ in each.cells if name != "place"]
    assert len(set(keys)) == len(keys)
    assert len(set(cells)) == len(cells)


@pytest.mark.parametrize(
    ("name", "short"),
    [("meta/llama", "llama"), ("llama", "llama"), ("a/b/c", "a/b/c"), ("/x", "/x"), ("x/", "x/"), ("", "")],
)
def test_the_organisation_is_left_off_a_name(name, short):
    assert label(name) == short


@pytest.mark.parametrize(
    ("value", "kind", "said"),
    [
        (0.4567, "share", "45.7"),
        (0.0, "share", "0.0"),
        (1432.4, "raw", "1,432"),
        (8.987, "raw", "8.99"),
        (12345, "number", "12,345"),
        (1234.5, "dollars", "$1,234.50"),
        (0.0, "dollars", "$0.00"),
        (0.00042, "dollars", "$0.00042"),
        (0.4236, "seconds", "0.42 s"),
        (7.0, "billions", "7 B"),
        (0.135, "billions", "0.135 B"),
        ("2026-01-31", "date", "2026-01-31"),
        (None, "share", ""),
    ],
)
def test_values_are_written_as_people_read_them(value, kind, said):
    assert written(value, kind) == said


def test_cells_say_what_the_row_says():
    table = prepared(
        snapshot(scored(1, 0.9, attempt=2, attempts=5), scored(2, 0.8), scored(3, 0.7, None), scored(4, None))
    )
    ranks = [text(table.column("ranks"), row) for row in table.snapshot.rows]
    assert ranks == ["1–2", "2–3", "(3)", ""]
    assert text(table.column("attempt"), table.row("1")) == "2 of 5"
    assert text(table.column("score"), table.row("1")) == "90.0"
    assert text(table.column("score"), table.row("4")) == ""
    assert standing(table.row("4")) == text(table.column("state"), table.row("4")) == "a score is missing"


def test_parameters_of_no_billion_are_not_known():
    rows = [scored(number, parameters=size) for number, size in enumerate((0.0, -1.0, None, 0.135), 1)]
    table = prepared(snapshot(*rows))
    assert [table.column("parameters").value(table.row(key)) for key in "1234"] == [None, None, None, 0.135]


def test_intervals_share_a_scale():
    columns = {"a/one": Value(0.5, 0.2, 0.7, 9), "a/two": Value(0.9)}
    table = prepared(snapshot(scored(1, 0.6, None, columns=columns), scored(2, 0.4, None)))
    assert table.scale("score.a-one") == (0.2, 0.7)
    assert table.scale("score", "score.a-one", "score.a-two") == (0.2, 0.9)
    assert table.scale("model") is None
    assert table.column("score.a-one").limits(table.row("1")) == (0.2, 0.7)
    assert table.column("score.a-two").limits(table.row("1")) is None
    assert table.column("score.a-one").limits(table.row("2")) is None
