"""From the name or the path of a task to the task."""

import re
from pathlib import Path

from pydantic import ValidationError

from bakeoff.errors import TaskError
from bakeoff.task.catalog import catalog_path
from bakeoff.task.copied import with_data
from bakeoff.task.origin import Origin
from bakeoff.task.python_file import attribute_of, module_from_file
from bakeoff.task.spec import mistakes
from bakeoff.task.task import Task
from bakeoff.task.variant import DataOverlay, Variant
from bakeoff.task.yaml_file import read_yaml


def load_task(ref: str, *, data: str | None = None, overlay: DataOverlay | None = None) -> tuple[Task, str]:
    """The task that `ref` names, and the name of its variant (`default` where `ref` names none).

    `ref` is a name in the catalog, a path to a .yaml file, or a path to a .py file that defines `task` (or
    another attribute: `path.py@attr`); `:variant` may follow. `data` is a file to read the items from in
    place of the task's own (`copied`). `overlay` goes over the data of the task and of every variant.

    Raises:
        TaskError: no such task or variant, or a mistake in it, with file, line and field.
    """
    path, attribute, variant = _parsed(ref)
    task = _from_python(path, attribute) if path.suffix == ".py" else task_from_yaml(path)
    task.with_variant(variant)
    if data is not None:
        task = with_data(task, Path(data))
    if overlay is not None:
        task = _overlaid(task, overlay)
    return task, variant


def task_from_yaml(path: Path) -> Task:
    """The task a YAML file states.

    Raises:
        TaskError: every mistake in it, with its line.
    """
    values, origin = read_yaml(path)
    try:
        task = Task.model_validate(values)
    except ValidationError as error:
        raise origin.error(mistakes(error), str(path)) from None
    return task.at(origin)


def _parsed(ref: str) -> tuple[Path, str, str]:
    """The path, the attribute of a Python file, and the variant in a reference."""
    match = re.fullmatch(r"(?P<name>.+?)(?::(?P<variant>[A-Za-z0-9_.-]+))?", ref, flags=re.DOTALL)
    if not match:
        raise TaskError(f"{ref!r} names no task", "`bakeoff task list` shows the catalog")
    name, variant = match["name"], match["variant"] or "default"
    python = re.fullmatch(r"(.+\.py)(?:@(\w+))?", name, flags=re.DOTALL)
    if python:
        return Path(python[1]), python[2] or "task", variant
    if name.endswith((".yaml", ".yml")):
        path = Path(name)
        if not path.is_file():
            beside = sorted(each.name for each in path.parent.glob(f"*{path.suffix}"))[:8]
            raise TaskError(
                f"there is no file {name}", f"in its folder: {', '.join(beside)}" if beside else ""
            )
        return path, "", variant
    return catalog_path(name), "", variant


def _from_python(path: Path, attribute: str) -> Task:
    task = attribute_of(module_from_file(path), attribute, str(path))
    if not isinstance(task, Task):
        raise TaskError(
            f"{path}: {attribute!r} is no Task but {type(task).__name__}",
            f"write {attribute} = Task(…), or name another attribute: {path}@name",
        )
    return task.at(Origin(folder=path.parent))


def _overlaid(task: Task, overlay: DataOverlay) -> Task:
    """The overlay over the task's data, and over the variants that change the data, which else would win."""
    variants = {name: _won_over(each, overlay) for name, each in task.variants.items()}
    return task.model_copy(update={"data": overlay.over(task.data), "variants": variants})


def _won_over(variant: Variant, overlay: DataOverlay) -> Variant:
    return (
        variant if variant.data is None else variant.model_copy(update={"data": overlay.over(variant.data)})
    )
