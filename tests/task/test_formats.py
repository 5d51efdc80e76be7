"""The same rows give the same items, whatever file they come in."""

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest

from bakeoff.errors import TaskError
from bakeoff.nouns import Item
from bakeoff.task import Task, load_task, prepare
from tests.task.writing import write_task

ROWS: list[dict[str, Any]] = [
    {
        "id": "a",
        "input": 'Quotes ", commas,\nand lines: é 日本',
        "choices": ["x", "y, z"],
        "target": 1,
        "meta": {"k": [1]},
    },
    {"id": "b", "input": "  spaces kept ", "choices": ["1", "2", "3"], "target": 0, "meta": {"k": []}},
]


def jsonl(path: Path) -> None:
    path.write_text("".join(json.dumps(row) + "\n\n" for row in ROWS))


def json_list(path: Path) -> None:
    path.write_text(json.dumps(ROWS, ensure_ascii=False), encoding="utf-8")


def csv_with_json_text(path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        writer = csv.writer(file)
        writer.writerow(ROWS[0])
        for row in ROWS:
            writer.writerow(
                [value if isinstance(value, str) else json.dumps(value) for value in row.values()]
            )


def parquet_with_json_text(path: Path) -> None:
    """As the evaluation data folder keeps it: target and meta as JSON text, choices as a list."""
    with duckdb.connect() as connection:
        columns = "id VARCHAR, input VARCHAR, choices VARCHAR[], target VARCHAR, meta VARCHAR"
        connection.execute(f"CREATE TABLE t ({columns})")
        for row in ROWS:
            values = [
                row["id"],
                row["input"],
                row["choices"],
                json.dumps(row["target"]),
                json.dumps(row["meta"]),
            ]
            connection.execute("INSERT INTO t VALUES (?, ?, ?, ?, ?)", values)
        connection.execute(f"COPY t TO '{path}' (FORMAT parquet)")


def parquet_with_types(path: Path) -> None:
    with duckdb.connect() as connection:
        columns = "id VARCHAR, input VARCHAR, choices VARCHAR[], target INTEGER, meta STRUCT(k BIGINT[])"
        connection.execute(f"CREATE TABLE t ({columns})")
        for row in ROWS:
            connection.execute("INSERT INTO t VALUES (?, ?, ?, ?, ?)", list(row.values()))
        connection.execute(f"COPY t TO '{path}' (FORMAT parquet)")


@pytest.mark.parametrize(
    ("write", "name"),
    [
        (jsonl, "items.jsonl"),
        (json_list, "items.json"),
        (csv_with_json_text, "items.csv"),
        (parquet_with_json_text, "items.parquet"),
        (parquet_with_types, "typed.parquet"),
    ],
)
def test_every_format_gives_the_same_items_and_digest(
    write: Callable[[Path], None], name: str, tmp_path: Path
) -> None:
    write(tmp_path / name)
    # Columns that are no text any more are left as they are, so one task file reads every copy.
    columns = ["choices", "target", "meta"]
    read = prepare(Task(name="t", data={"file": tmp_path / name, "json_columns": columns}, scorer="choice"))
    given = prepare(Task(name="t", data=ROWS, scorer="choice"))
    assert list(read.items()) == list(given.items())
    assert read.digest == given.digest
    assert [item.target for item in read.items()] == [1, 0]


def test_a_digit_in_csv_that_is_text_and_index_of_different_choices_is_not_guessed(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text("input,a,b,c,target\n?,2,1,0,0\n")
    task = Task(
        name="t", data={"file": tmp_path / "items.csv"}, fields={"choices": ["a", "b", "c"]}, scorer="choice"
    )
    with pytest.raises(TaskError, match="as text choice 2 and as index choice 0"):
        prepare(task)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "items.csv:1: the first line must name the columns"),
        ("a,a\n1,2\n", "items.csv:1: the column 'a' is there twice"),
        ('id,input\n1,"two\nlines"\n2,x,y\n', "items.csv:4: 3 cells, but the header names 2 columns"),
        ('id,input\n1,x\n2,"open\n', "items.csv:3: this is not CSV"),
    ],
)
def test_a_broken_csv_is_shown_at_its_line(text: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text(text)
    with pytest.raises(TaskError, match=expected):
        prepare(Task(name="t", data={"file": tmp_path / "items.csv"}, scorer="exact"))


def test_a_cell_longer_than_the_csv_modules_own_limit_is_read(tmp_path: Path) -> None:
    passage = "long " * 40_000
    (tmp_path / "items.csv").write_text(f"id,input,target\n1,{passage},x\n")
    prepared = prepare(Task(name="t", data={"file": tmp_path / "items.csv"}, scorer="exact"))
    assert next(prepared.items()).input == passage


def test_a_file_that_is_no_parquet_is_named(tmp_path: Path) -> None:
    (tmp_path / "items.parquet").write_bytes(b"nothing of the kind")
    with pytest.raises(TaskError, match=r"items\.parquet cannot be read as Parquet"):
        prepare(Task(name="t", data={"file": tmp_path / "items.parquet"}, scorer="exact"))


def test_yaml_and_python_give_the_same_task_items_and_digest(tmp_path: Path) -> None:
    path = write_task(
        tmp_path,
        """\
name: t
data:
  items:
    - {id: a, input: Is it?, choices: [yes, no], target: no}
    - {id: b, input: Is it on 2024-01-01?, choices: [on, off], target: B}
prompt: {kind: plain, template: "{{ input }}\\n"}
shots: {n: 1, rule: sampled}
scorer: {name: choice, take: first}
variants:
  short: {generation: {max_tokens: 8}}
""",
    )
    read, _ = load_task(str(path))
    built = Task(
        name="t",
        data=[
            {"id": "a", "input": "Is it?", "choices": ["yes", "no"], "target": "no"},
            {"id": "b", "input": "Is it on 2024-01-01?", "choices": ["on", "off"], "target": "B"},
        ],
        prompt={"kind": "plain", "template": "{{ input }}\n"},
        shots={"n": 1, "rule": "sampled"},
        scorer={"name": "choice", "take": "first"},
        variants={"short": {"generation": {"max_tokens": 8}}},
    )
    assert read == built
    for variant in ("default", "short"):
        assert prepare(read, variant).digest == prepare(built, variant).digest
    assert prepare(read).digest != prepare(read, "short").digest


def test_items_and_generators_can_be_given_in_python() -> None:
    items = [Item(id=str(i), input=f"{i} + 1 = ?", target=(str(i + 1),)) for i in range(3)]

    def sums(seed: int, n: int) -> Iterator[Mapping[str, Any]]:
        for i in range(n):
            yield {"id": str(i + seed), "input": f"{i + seed} + 1 = ?", "target": i + seed + 1}

    given = prepare(Task(name="t", data=items, scorer="number"))
    generated = prepare(Task(name="t", data={"generator": sums, "n": 3}, scorer="number"))
    other = prepare(Task(name="t", data={"generator": sums, "n": 3, "seed": 5}, scorer="number"))
    assert given.digest == generated.digest
    assert other.digest != generated.digest
    assert dict(other.source) == {
        "generator": "test_items_and_generators_can_be_given_in_python.<locals>.sums",
        "seed": 5,
        "n": 3,
    }


def test_a_generator_file_beside_the_task_is_found(tmp_path: Path) -> None:
    (tmp_path / "make.py").write_text(
        "def rows(seed, n):\n"
        "    for i in range(n):\n"
        "        yield {'id': i, 'input': f'{seed}:{i}', 'target': i}\n"
    )
    path = write_task(tmp_path, "name: t\ndata: {generator: 'make.py:rows', seed: 7, n: 2}\nscorer: number\n")
    prepared = prepare(load_task(str(path))[0])
    assert [item.input for item in prepared.items()] == ["7:0", "7:1"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("yield {'input': '?'}", "yielded 1 rows instead of n=3"),
        ("for i in range(9): yield {'input': str(i)}", "yielded more than n=3 rows"),
        ("yield 'text'", "row 1: a row is a mapping"),
        ("yield {'input': '?'}; raise KeyError('k')", r"failed after 1 rows: KeyError: 'k' \(.*make\.py:1\)"),
    ],
)
def test_a_generator_that_breaks_its_promise_is_a_mistake(body: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "make.py").write_text(
        f"def rows(seed, n): {body}\n" if "for" not in body else f"def rows(seed, n):\n  {body}\n"
    )
    path = write_task(tmp_path, "name: t\ndata:\n  generator: make.py:rows\n  n: 3\nscorer: exact\n")
    with pytest.raises(TaskError, match=rf"task\.yaml:3: data\.generator: {expected}"):
        prepare(load_task(str(path))[0])


def test_where_reaches_into_a_column_and_compares_text_files_as_text(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text(
        'id,input,year,meta\na,?,2020,"{""k"": 1}"\nb,?,2021,"{""k"": 1}"\nc,?,2020,"{""k"": 2}"\n'
    )
    data = {"file": tmp_path / "items.csv", "json_columns": ["meta"], "where": {"year": 2020, "meta.k": 1}}
    prepared = prepare(Task(name="t", data=data, scorer={"name": "regex", "pattern": "(.*)"}))
    assert [item.id for item in prepared.items()] == ["a"]


def test_rows_without_an_id_are_named_by_their_content() -> None:
    rows = [{"input": "a", "target": "1"}, {"input": "b", "target": "2"}, {"input": "a", "target": "1"}]
    ids = [item.id for item in prepare(Task(name="t", data=rows, scorer="exact")).items()]
    turned = [item.id for item in prepare(Task(name="t", data=rows[::-1], scorer="exact")).items()]
    assert set(ids) == set(turned)
    assert ids[2] == f"{ids[0]}-2"
    assert ids[1] == turned[1]
