"""Rows of a data set's own layout, and files of items in their place."""

import json

import duckdb
import pytest

from bakeoff.errors import TaskError
from bakeoff.task import Task, load_task, prepare

ROWS = [{"question": f"{n} + 1?", "answer": n + 1, "level": n % 2} for n in range(6)]


def converted(row):
    return {"input": row["question"], "target": str(row["answer"]), "meta": {"level": row["level"]}}


def task(**facts) -> Task:
    return Task(**{"name": "sums", "data": {"items": ROWS, "convert": converted}, "scorer": "exact"} | facts)


def test_each_row_is_asked_as_the_function_makes_it():
    prepared = prepare(task())
    assert [item.input for item in prepared.items()] == [row["question"] for row in ROWS]
    assert [item.target for item in prepared.items()] == [(str(row["answer"]),) for row in ROWS]


def test_the_digest_is_that_of_the_same_items_written_out():
    written = task(data={"items": [converted(row) for row in ROWS]})
    assert prepare(task()).digest == prepare(written).digest


def test_where_and_json_columns_see_what_the_function_made():
    data = {
        "items": ROWS,
        "convert": lambda row: converted(row) | {"meta": json.dumps({"level": row["level"]})},
    }
    found = prepare(task(data=data | {"json_columns": ["meta"], "where": {"meta.level": 1}}))
    assert found.n_items == 3


def test_a_function_beside_the_task_file(tmp_path):
    (tmp_path / "rows.py").write_text("def row(r):\n    return {'input': r['q'].upper(), 'target': 'x'}\n")
    (tmp_path / "t.yaml").write_text(
        "name: t\ndata: {items: [{q: one}], convert: 'rows.py:row'}\nscorer: exact\n"
    )
    loaded, _ = load_task(str(tmp_path / "t.yaml"))
    assert [item.input for item in prepare(loaded).items()] == ["ONE"]


def boom(row):
    raise ArithmeticError(row["question"])


@pytest.mark.parametrize(
    ("function", "named"),
    [
        (boom, r"row 1: boom failed: ArithmeticError: 0 \+ 1\?"),
        (lambda row: row["text"], r"needs the column 'text'\n.*question, answer, level"),
        (lambda row: [row], "gives a mapping of columns"),
        ("bakeoff.nowhere:row", "cannot import bakeoff.nowhere"),
        ("bakeoff.digest:nothing", "there is no 'nothing'"),
        ("row", "must name a function"),
    ],
)
def test_a_function_that_does_not_do_is_named_with_its_row(function, named):
    with pytest.raises(TaskError, match=named):
        prepare(task(data={"items": ROWS, "convert": function}))


HUB = """
name: quiz
data: {hub: someone/quiz, split: test, convert: "bakeoff.nowhere:row"}
shots: {n: 1, data: {hub: someone/quiz, split: dev, convert: "bakeoff.nowhere:row"}}
scorer: exact
"""
ITEMS = [
    {"id": "a", "input": "one?", "target": "1", "split": "test", "meta": {"k": "x"}},
    {"id": "b", "input": "two?", "target": "2", "split": "test", "meta": {"k": "y"}},
    {"id": "c", "input": "three?", "target": "3", "split": "dev", "meta": {"k": "x"}},
]


@pytest.fixture
def hub_task(tmp_path):
    file = tmp_path / "quiz.yaml"
    file.write_text(HUB)
    return str(file)


def parquet(path, rows):
    plain = path.with_suffix(".tmp.jsonl")
    texts = [{**row, "target": json.dumps(row["target"]), "meta": json.dumps(row["meta"])} for row in rows]
    plain.write_text("".join(json.dumps(row) + "\n" for row in texts))
    columns = dict.fromkeys(rows[0], "VARCHAR")
    duckdb.sql(f"COPY (SELECT * FROM read_json('{plain}', columns={columns})) TO '{path}' (FORMAT parquet)")
    return path


def jsonl(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize(("write", "name"), [(jsonl, "items.jsonl"), (parquet, "items.parquet")])
def test_a_file_of_items_takes_the_place_of_a_data_set_of_the_hub_with_its_splits(
    hub_task, tmp_path, write, name
):
    loaded, _ = load_task(hub_task, data=str(write(tmp_path / name, ITEMS)))
    prepared = prepare(loaded)
    assert [(item.id, item.target) for item in prepared.items()] == [("a", ("1",)), ("b", ("2",))]
    first = next(prepared.items())
    assert dict(first.metadata) == {"k": "x"}
    assert prepared.render(first).shots == ("c",)


def test_without_splits_all_rows_are_items(hub_task, tmp_path):
    rows = [{k: v for k, v in row.items() if k != "split"} for row in ITEMS]
    loaded, _ = load_task(hub_task, data=str(jsonl(tmp_path / "items.jsonl", rows)))
    assert prepare(loaded.model_copy(update={"shots": loaded.shots.model_copy(update={"n": 0})})).n_items == 3


def test_examples_stay_where_they_are_if_the_file_lacks_their_split(hub_task, tmp_path):
    loaded, _ = load_task(hub_task, data=str(jsonl(tmp_path / "items.jsonl", ITEMS[:2])))
    assert loaded.shots.data.hub == "someone/quiz"
    assert loaded.data.file is not None


def test_numbers_in_json_lines_stay_the_texts_they_are(hub_task, tmp_path):
    loaded, _ = load_task(hub_task, data=str(jsonl(tmp_path / "items.jsonl", ITEMS)))
    assert loaded.data.json_columns == ()


def test_several_columns_name_the_group():
    rows = [
        {"input": "x", "target": "y", "meta": {"kind": kind, "story": n}} for kind, n in (("a", 1), ("b", 1))
    ]
    found = prepare(
        Task(name="t", data={"items": rows}, fields={"group": ["meta.kind", "meta.story"]}, scorer="exact")
    )
    assert [item.group for item in found.items()] == ["a/1", "b/1"]
    with pytest.raises(TaskError, match=r"no column 'meta.tale'"):
        prepare(
            Task(name="t", data={"items": rows}, fields={"group": ["meta.kind", "meta.tale"]}, scorer="exact")
        )
