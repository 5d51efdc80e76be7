"""Small runs over recorded answers, for tests."""

import json
from pathlib import Path

from bakeoff import Result, Task
from bakeoff.run import evaluate


def task(items: list[dict], **changes) -> Task:
    """A task over `items` that asks for a number."""
    return Task(**{"name": "sums", "data": {"items": items}, "scorer": "number"} | changes)


def answers(folder: Path, said: dict[str, str] | list[dict]) -> str:
    """A recorded model that says `said` (by item id, or whole rows)."""
    rows = said if isinstance(said, list) else [{"item_id": k, "output": v} for k, v in said.items()]
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return f"recorded:{path}"


def run(folder: Path, items: list[dict], said: dict[str, str] | list[dict], **chosen) -> Result:
    """A run of `task(items)` over `said`, under `folder`."""
    changes = chosen.pop("task", {})
    return evaluate(task(items, **changes), answers(folder, said), out=folder / "runs", **chosen)
