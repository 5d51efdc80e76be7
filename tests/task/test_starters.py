"""The tasks to start from run as they are."""

from pathlib import Path

import pytest

from bakeoff.errors import TaskError
from bakeoff.task import lint, load_task, prepare, starter, starter_kinds


def test_there_is_a_start_for_each_common_kind_of_task() -> None:
    assert set(starter_kinds()) == {"multiple-choice", "short-answer", "classification"}


@pytest.mark.parametrize("kind", ["multiple-choice", "short-answer", "classification"])
def test_a_starting_task_loads_renders_and_lints_clean_in_every_variant(kind: str, tmp_path: Path) -> None:
    files = starter(kind, "rivers-2")
    assert set(files) == {"rivers-2.yaml", "rivers-2.jsonl"}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    task, _ = load_task(str(tmp_path / "rivers-2.yaml"))
    assert task.name == "rivers-2"
    for variant in ("default", *task.variants):
        prepared = prepare(task, variant)
        assert prepared.n_items >= 8
        assert all(prepared.render(item).turns for item in prepared.items())
        assert lint(task, variant=variant) == []


def test_without_a_name_the_kind_names_the_task() -> None:
    assert "name: my-short-answer\n" in starter("short-answer")["my-short-answer.yaml"]


def test_an_unknown_kind_and_an_impossible_name_are_answered() -> None:
    with pytest.raises(TaskError, match=r"(?s)'multi-choice'.*did you mean 'multiple-choice'"):
        starter("multi-choice")
    with pytest.raises(TaskError, match=r"'Big Rivers' cannot be a task's name"):
        starter("short-answer", "Big Rivers")
