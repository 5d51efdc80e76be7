"""Tasks of the catalog on rows written in the layout of their data sets on the hub."""

from collections.abc import Mapping, Sequence
from typing import Any

from bakeoff.nouns import Item
from bakeoff.task import Prepared, load_task, prepare
from bakeoff.task.data import Data


def on_hub_rows(name: str, *rows: Mapping[str, Any], shots: Sequence[Mapping[str, Any]] = ()) -> Prepared:
    """The task `name[:variant]`, prepared on these rows; `shots` are those of its examples' data set."""
    task, variant = load_task(name)
    task = task.with_variant(variant)
    changed: dict[str, Any] = {"data": _of(task.data, rows)}
    if shots:
        assert task.shots.data is not None
        changed["shots"] = task.shots.model_copy(update={"data": _of(task.shots.data, shots)})
    return prepare(task.model_copy(update=changed))


def items_of(name: str, *rows: Mapping[str, Any]) -> list[Item]:
    """The items that the task makes of these rows."""
    return list(on_hub_rows(name, *rows).items())


def _of(data: Data, rows: Sequence[Mapping[str, Any]]) -> Data:
    return Data(items=tuple(rows), convert=data.convert, where=dict(data.where))
