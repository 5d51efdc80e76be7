"""How a task is named, and what that loads."""

import json
from pathlib import Path

import pytest

from bakeoff.errors import TaskError
from bakeoff.task import load_task, prepare
from bakeoff.task.yaml_file import read_yaml
from tests.task.writing import ROWS, TASK, write_task

PYTHON = """
from bakeoff.task import Task

task = Task(name="mine", data={"file": "items.jsonl"}, fields={"input": "question"}, scorer="exact",
            variants={"brief": {"generation": {"max_tokens": 3}}})
other = task.model_copy(update={"name": "other"})
"""


@pytest.mark.parametrize(
    ("ref", "name", "variant"),
    [
        ("task.yaml", "rivers", "default"),
        ("task.yaml:brief", "rivers", "brief"),
        ("mine.py", "mine", "default"),
        ("mine.py:brief", "mine", "brief"),
        ("mine.py@other", "other", "default"),
        ("mine.py@other:brief", "other", "brief"),
    ],
)
def test_a_reference_names_a_file_an_attribute_and_a_variant(
    ref: str, name: str, variant: str, tmp_path: Path
) -> None:
    write_task(tmp_path, TASK + "variants: {brief: {generation: {max_tokens: 3}}}\n")
    (tmp_path / "mine.py").write_text(PYTHON)
    task, found = load_task(f"{tmp_path}/{ref}")
    assert (task.name, found) == (name, variant)
    assert task.with_variant(found).generation.max_tokens == (3 if variant == "brief" else 256)


def test_data_beside_a_task_is_found_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tasks").mkdir()
    write_task(tmp_path / "tasks")
    (tmp_path / "tasks" / "mine.py").write_text(PYTHON.replace('"question"}', '"question", "target": "id"}'))
    monkeypatch.chdir(tmp_path)
    for ref in ("tasks/task.yaml", "tasks/mine.py"):
        assert prepare(load_task(ref)[0]).n_items == 3


def test_a_copy_of_the_data_takes_the_place_of_the_tasks_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also for examples from the same file; a path on the command line starts from where the person is."""
    path = write_task(
        tmp_path,
        TASK.replace("items.jsonl", "absent.jsonl\n  where: {split: test}")
        + "shots:\n  n: 1\n  data: {file: absent.jsonl, where: {split: dev}}\n",
    )
    (tmp_path / "here").mkdir()
    rows = [row | {"split": "dev" if row["id"] == "nile" else "test"} for row in ROWS]
    (tmp_path / "here" / "copy.json").write_text(json.dumps(rows))
    monkeypatch.chdir(tmp_path / "here")
    task, _ = load_task(str(path), data="copy.json")
    monkeypatch.chdir(tmp_path)
    prepared = prepare(task)
    assert [item.id for item in prepared.items()] == ["volga", "oder"]
    assert prepared.render(next(prepared.items())).shots == ("nile",)


def test_plain_words_in_a_task_file_stay_what_they_look_like(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(
        "words: [no, yes, on, off, 2024-01-31, 12:30:45, 007, 1_000]\n"
        "values: [true, 3, -1, 2.5, 1e3, null]\nlong: |\n  a\n  b\n"
    )
    values, origin = read_yaml(path)
    assert values["words"] == ["no", "yes", "on", "off", "2024-01-31", "12:30:45", "007", "1_000"]
    assert values["values"] == [True, 3, -1, 2.5, 1000.0, None]
    assert values["long"] == "a\nb\n"
    assert origin.marks["values",].line == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: {c: 1, c: 2}\n", r"t\.yaml:2: b\.c: the key is there twice"),
        ("a: 1\n2: b\n", r"t\.yaml:2: the key '2' must be a text"),
        ("a: [1\nb: 2\n", r"t\.yaml:2: this is not YAML"),
        ("a: !!python/object/apply:os.getcwd []\n", r"t\.yaml:1: this is not YAML: could not determine"),
        ("", r"t\.yaml: a task file holds"),
    ],
)
def test_a_file_that_is_no_task_is_shown_at_its_line(text: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(text)
    with pytest.raises(TaskError, match=expected):
        read_yaml(path)
