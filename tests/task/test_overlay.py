"""Arguments for generators and conditions on rows: in the task, in a variant, on the command line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.cli.overlay import overlay
from bakeoff.errors import BakeoffError, TaskError
from bakeoff.task import Data, DataOverlay, Task, load_task, prepare
from bakeoff.task.rows.where import keeps

GENERATOR = """\
def rows(seed, n, tokens=10, share=0.5, kind="plain", *, loud=False):
    for i in range(n):
        yield {"id": str(i), "input": f"{tokens} {share} {kind} {loud}", "target": "x"}


def anything(seed, n, **args):
    for i in range(n):
        yield {"id": str(i), "input": str(sorted(args.items())), "target": "x"}


def nothing(seed, n):
    for i in range(n):
        yield {"id": str(i), "input": "nothing", "target": "x"}
"""
TASK = """\
name: made
data: {generator: "made.py:rows", n: 2, args: {tokens: 20}}
scorer: exact
variants:
  long: {data: {args: {tokens: 3000}}}
  loud: {data: {args: {loud: true}}}
"""


@pytest.fixture
def path(tmp_path):
    (tmp_path / "made.py").write_text(GENERATOR)
    (tmp_path / "made.yaml").write_text(TASK)
    return tmp_path / "made.yaml"


def asked(ref, *args, where=()):
    task, variant = load_task(str(ref), overlay=overlay(args, where))
    prepared = prepare(task, variant)
    return next(prepared.items()).input, prepared


@pytest.mark.parametrize(
    ("ref", "args", "text"),
    [
        ("", [], "20 0.5 plain False"),
        (":long", [], "3000 0.5 plain False"),
        (":loud", [], "20 0.5 plain True"),
        ("", ["tokens=7"], "7 0.5 plain False"),
        # What is typed for one command wins over the variant.
        (":long", ["tokens=7"], "7 0.5 plain False"),
        (":long", ["kind=odd", "share=1"], "3000 1 odd False"),
        (":loud", ["loud=false"], "20 0.5 plain False"),
        ("", ["kind=a=b"], "20 0.5 a=b False"),
    ],
)
def test_arguments_come_from_the_task_then_the_variant_then_the_command(path, ref, args, text):
    assert asked(f"{path}{ref}", *args)[0] == text


def test_arguments_are_in_the_run_s_source_and_change_the_digest(path):
    short, long = asked(path)[1], asked(f"{path}:long")[1]
    assert (short.source["args"], long.source["args"]) == ({"tokens": 20}, {"tokens": 3000})
    assert short.digest != long.digest
    assert asked(path, "tokens=3000")[1].digest == long.digest


@pytest.mark.parametrize(
    ("function", "arg", "problem", "hint"),
    [
        ("rows", "token=1", "no argument 'token'", "did you mean 'tokens'? it takes tokens=10, share=0.5"),
        ("rows", "seed=1", "no argument 'seed'", "kind='plain', loud=False"),
        ("rows", "n=1", "no argument 'n'", "it takes tokens=10"),
        ("rows", "tokens=4k", "must be a whole number, got '4k'", "tokens=10"),
        ("rows", "tokens=1.5", "must be a whole number, got 1.5", "tokens=10"),
        ("rows", "tokens=true", "must be a whole number, got True", "tokens=10"),
        ("rows", "share=all", "must be a number, got 'all'", "share=0.5"),
        ("rows", "kind=3", "must be a text, got 3", "kind='plain'"),
        ("rows", "loud=1", "must be true or false, got 1", "loud=False"),
        ("nothing", "x=1", "no argument 'x'", "it takes no arguments"),
    ],
)
def test_a_wrong_argument_is_answered_with_those_the_function_takes(path, function, arg, problem, hint):
    path.write_text(f'name: made\ndata: {{generator: "made.py:{function}", n: 2}}\nscorer: exact\n')
    with pytest.raises(TaskError) as error:
        asked(path, arg)
    assert problem in error.value.message
    assert "data.args." in error.value.message
    assert hint in error.value.hint


def test_a_function_that_takes_any_argument_gets_what_is_given(path):
    path.write_text('name: made\ndata: {generator: "made.py:anything", n: 2}\nscorer: exact\n')
    assert asked(path, "b=2", "a=x")[0] == "[('a', 'x'), ('b', 2)]"


def test_arguments_without_a_generator_are_a_mistake(tmp_path):
    with pytest.raises(TaskError, match=r"args: has a meaning only with data\.generator, not with file"):
        Data(file="x.jsonl", args={"a": 1})
    task = Task(
        name="t",
        data=[{"input": "q", "target": "a"}],
        scorer="exact",
        variants={"v": {"data": {"args": {"a": 1}}}},
    )
    with pytest.raises(TaskError, match=r"data\.args: are for a generator"):
        prepare(task, "v")
    with pytest.raises(TaskError, match="there is no such key"):
        DataOverlay(n=3)


@pytest.mark.parametrize(
    ("args", "where", "problem"),
    [
        (["tokens"], [], "--arg takes KEY=VALUE, got 'tokens'"),
        (["=1"], [], "--arg takes KEY=VALUE, got '=1'"),
        (["a=1", "a=2"], [], "--arg a is there twice"),
        ([], ["subject"], "--where takes COLUMN=VALUE, got 'subject'"),
    ],
)
def test_what_cannot_be_read_on_the_command_line_is_named(args, where, problem):
    with pytest.raises(BakeoffError, match=problem):
        overlay(args, where)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("law", "law"),
        ("3", 3),
        ("true", True),
        ("no", "no"),
        ("2025-01..", {"from": "2025-01"}),
        ("..2025-03", {"to": "2025-03"}),
        ("2..10", {"from": 2, "to": 10}),
        ("..", ".."),
        ("[a", "[a"),
        ("a: b", "a: b"),
        ("a=b", "a=b"),
        ("", None),
    ],
)
def test_a_condition_is_a_value_or_a_range(text, wanted):
    found = overlay([], [f"c={text}"])
    assert found.where == {"c": wanted}


# Ranges


@pytest.mark.parametrize(
    ("value", "wanted", "kept"),
    [
        ("2024-05-01", {"from": "2024-05"}, True),
        ("2024-05-01", {"from": "2024-05-01"}, True),
        ("2024-04-30", {"from": "2024-05"}, False),
        ("2024-05-31T23:00:00", {"to": "2024-05-31"}, True),
        ("2024-05-31", {"to": "2024-05"}, True),
        ("2024-06-01", {"to": "2024-05"}, False),
        ("2024-05-15", {"from": "2024-05-01", "to": "2024-05-31"}, True),
        (5, {"from": 2, "to": 10}, True),
        (10, {"to": 10}, True),
        (11, {"to": 10}, False),
        ("9", {"from": 2, "to": 10}, True),
        ("2024-05-31", {"from": 2024, "to": 2024}, True),
        ("2024-05-31", {"to": 2023}, False),
        (True, {"from": 0}, False),
        (None, {"from": 0}, False),
        (None, {"to": "x"}, False),
        (3, {"from": "2024"}, False),
        # Not a range: a column that is a mapping.
        ({"from": 1, "by": 2}, {"from": 1, "by": 2}, True),
        ({}, {}, True),
        ("a", "a", True),
        ("1", 1, True),
        (1, True, False),
    ],
)
def test_a_row_is_kept_where_its_value_is_equal_or_within_the_range(value, wanted, kept):
    assert keeps(value, wanted) is kept


@given(st.lists(st.integers(-50, 50)), st.integers(-50, 50), st.integers(-50, 50))
def test_numbers_are_kept_from_and_to_their_bounds(values, low, high):
    kept = [value for value in values if keeps(value, {"from": low, "to": high})]
    assert kept == [value for value in values if low <= value <= high]


@given(st.dates(), st.dates(), st.dates())
def test_iso_dates_are_kept_from_and_to_their_bounds(day, low, high):
    wanted = {"from": low.isoformat(), "to": high.isoformat()}
    assert keeps(day.isoformat(), wanted) is (low <= day <= high)
    month = {"to": high.isoformat()[:7]}
    assert keeps(day.isoformat(), month) is ((day.year, day.month) <= (high.year, high.month))


@pytest.mark.parametrize(
    ("where", "problem"),
    [
        ({"a": {"from": [1]}}, r"where\.a\.from: must be a number or a text, got \[1\]"),
        ({"a": {"to": True}}, r"where\.a\.to: must be a number or a text, got True"),
        ({"a": {"from": "x", "to": 3}}, r"where\.a: compares with a text and with a number"),
    ],
)
def test_a_bound_must_be_comparable(where, problem):
    with pytest.raises(TaskError, match=problem):
        Data(file="x.jsonl", where=where)


def test_a_window_with_nothing_in_it_says_what_there_is(tmp_path):
    rows = [{"id": str(n), "input": "q", "target": "a", "meta": {"date": f"2024-0{n}-01"}} for n in (1, 2)]
    (tmp_path / "items.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "t.yaml").write_text("name: t\ndata: {file: items.jsonl}\nscorer: exact\n")
    assert asked(tmp_path / "t.yaml", where=["meta.date=2024-02.."])[1].n_items == 1
    with pytest.raises(TaskError, match=r"none of the 2 rows has meta\.date") as error:
        asked(tmp_path / "t.yaml", where=["meta.date=2025.."])
    assert "2024-01-01, 2024-02-01" in error.value.hint
    with pytest.raises(TaskError, match=r"no row has a column 'meta\.day'"):
        asked(tmp_path / "t.yaml", where=["meta.day=2025.."])
