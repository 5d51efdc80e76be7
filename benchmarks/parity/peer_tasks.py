"""The harness's own task files, pointed at our rows."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from parity.comparisons import Comparison
from parity.rows import Row, decoded, write_rows


def write_tasks(comparison: Comparison, rows: Sequence[Row], tasks: Path, folder: Path) -> list[str]:
    """Write a task file into `folder` for each of the comparison's under `tasks`; returns their names.

    Each includes the harness's file, so the prompt is the one it ships, and only the rows are ours.
    """
    return [
        _write_task(tasks / file, _of_subject(comparison, rows, number), comparison, folder)
        for number, file in enumerate(comparison.peer)
    ]


def prompt_before_question(file: Path) -> str:
    """What the prompt template of a harness's task file puts before the question."""
    from jinja2 import Environment

    template = yaml.safe_load(file.read_text(encoding="utf-8"))["doc_to_text"]
    mark = "\0"
    return Environment(autoescape=False).from_string(template).render(question=mark).partition(mark)[0]


def _of_subject(comparison: Comparison, rows: Sequence[Row], number: int) -> list[Row]:
    if not comparison.subjects:
        return list(rows)
    return [row for row in rows if str(row["id"]).startswith(f"{comparison.subjects[number]}/")]


def _write_task(file: Path, rows: Sequence[Row], comparison: Comparison, folder: Path) -> str:
    name = f"parity_{file.stem}"
    by_split: dict[str, list[dict[str, Any]]] = {}
    for row in map(decoded, rows):
        columns = {"id": row["id"], **comparison.columns(row)}
        by_split.setdefault("dev" if row["split"] == "dev" else "test", []).append(columns)
    files = {
        split: str(write_rows(each, folder / f"{name}.{split}.jsonl")) for split, each in by_split.items()
    }
    task = {
        "include": str(file),
        "task": name,
        "tag": None,
        "dataset_path": "json",
        "dataset_name": None,
        "dataset_kwargs": {"data_files": files},
        "training_split": None,
        "validation_split": None,
        "test_split": "test",
        **comparison.settings,
    }
    (folder / f"{name}.yaml").write_text(yaml.safe_dump(task, sort_keys=False), encoding="utf-8")
    return name
