"""Columns that a task adds to its items' metadata."""

import pytest

from bakeoff import Task
from bakeoff.errors import TaskError
from bakeoff.task import prepare

ROW = {"id": "1", "input": "Say it.", "target": "it", "meta": {"level": 3, "kind": {"name": "plain"}}}


def prepared(**fields: object):
    return prepare(Task(name="said", data={"items": [ROW]}, fields=fields, scorer="exact"))


def test_named_columns_join_what_the_row_has_and_win():
    (item,) = prepared(metadata={"asked": "input", "kind": "meta.kind.name"}).items()
    assert item.metadata == {"level": 3, "kind": "plain", "asked": "Say it."}
    (item,) = prepared().items()
    assert item.metadata == ROW["meta"]


def test_what_a_scorer_sees_is_in_the_digest():
    assert prepared(metadata={"asked": "input"}).digest != prepared().digest


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(TaskError, match=r"fields\.metadata\.asked.*question"):
        prepared(metadata={"asked": "question"})
