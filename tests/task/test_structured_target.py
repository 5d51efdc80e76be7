"""A target that is no text, number or list of them is one JSON text."""

import json
from typing import Any

import pytest

from bakeoff.task import Data, Task, prepare
from bakeoff.task.copied import with_data


def target(value: Any) -> Any:
    task = Task(name="t", data=Data(items=({"id": "a", "input": "?", "target": value},)), scorer="exact")
    (item,) = prepare(task).items()
    return item.target


@pytest.mark.parametrize(
    "value",
    [{"a": [1, "é"]}, [{"name": "f", "kwargs": {}}], [[0, 1], [2, 3]], [[[0]]], True, [True, "yes"], {}],
)
def test_a_structure_is_one_text(value: Any) -> None:
    (text,) = target(value)
    assert json.loads(text) == value


@pytest.mark.parametrize(
    ("value", "accepted"),
    [("a", ("a",)), (3, ("3",)), (["a", 3], ("a", "3")), ([], ()), (None, ())],
)
def test_texts_and_numbers_are_accepted_answers(value: Any, accepted: tuple[str, ...]) -> None:
    assert target(value) == accepted


def test_a_structure_in_a_file_of_items_is_the_same(tmp_path: Any) -> None:
    rows = [{"id": "a", "input": "?", "target": [[0, 1]]}]
    file = tmp_path / "items.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    task = Task(name="t", data=Data(hub="owner/name", convert="json:loads"), scorer="grid")
    (item,) = prepare(with_data(task, file)).items()
    assert item.target == ("[[0, 1]]",)
