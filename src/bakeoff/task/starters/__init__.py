"""Tasks to start from, that run as they are."""

import re
from importlib.resources import files
from pathlib import Path

from bakeoff.errors import TaskError
from bakeoff.task.spec import nearest


def starter_kinds() -> tuple[str, ...]:
    """The kinds there are."""
    return tuple(sorted(path.name for path in _folder().iterdir() if (path / "task.yaml").is_file()))


def starter(kind: str, name: str = "") -> dict[str, str]:
    """The files of a starting task, name to text: `<name>.yaml` and its items, `<name>.jsonl`.

    Without `name` the task is called `my-<kind>`.

    Raises:
        TaskError: there is no such kind, or the name cannot be a task's.
    """
    if kind not in starter_kinds():
        raise TaskError(f"there is no starting task {kind!r}", nearest(kind, starter_kinds(), "there are"))
    name = name or f"my-{kind}"
    if not re.fullmatch(r"[a-z0-9_.-]+", name):
        raise TaskError(
            f"{name!r} cannot be a task's name", "use lower-case letters, digits, '-', '_' and '.'"
        )
    task = (_folder() / kind / "task.yaml").read_text(encoding="utf-8")
    for written, ours in (("name: my-" + kind, f"name: {name}"), ("task.yaml", f"{name}.yaml")):
        task = task.replace(written, ours)
    task = task.replace("file: items.jsonl", f"file: {name}.jsonl")
    items = (_folder() / kind / "items.jsonl").read_text(encoding="utf-8")
    return {f"{name}.yaml": task, f"{name}.jsonl": items}


def _folder() -> Path:
    return Path(str(files("bakeoff.task.starters")))
