"""Task files written for a test."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

TASK = """\
name: rivers
description: Rivers and the sea.
data:
  file: items.jsonl
fields:
  input: question
  choices: options
  target: answer
prompt:
  template: "{{ input }}"
options: letters
scorer: choice
"""

ROWS = (
    {
        "id": "nile",
        "question": "Where does the Nile end?",
        "options": ["In the sea", "In a lake"],
        "answer": "A",
    },
    {
        "id": "volga",
        "question": "Where does the Volga end?",
        "options": ["In the sea", "In a lake"],
        "answer": "B",
    },
    {
        "id": "oder",
        "question": "Where does the Oder end?",
        "options": ["In the sea", "In a lake"],
        "answer": 0,
    },
)


def write_task(
    folder: Path, task: str = TASK, rows: Iterable[Mapping[str, Any]] | str = ROWS, name: str = "task.yaml"
) -> Path:
    """A task file and its items; `rows` may be the text of the items file."""
    text = (
        rows if isinstance(rows, str) else "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    )
    (folder / "items.jsonl").write_text(text, encoding="utf-8")
    path = folder / name
    path.write_text(task, encoding="utf-8")
    return path
