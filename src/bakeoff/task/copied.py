"""A task on a copy of its data: the items of a file in place of its own."""

from pathlib import Path
from typing import NamedTuple

from bakeoff.nouns import Item
from bakeoff.task.data import Data
from bakeoff.task.rows import open_source
from bakeoff.task.task import Task

_JSON = ("target", "meta", "messages")


class _File(NamedTuple):
    path: Path
    columns: frozenset[str]
    splits: frozenset[str]


def with_data(task: Task, path: Path) -> Task:
    """The task with its items read from the file at `path`, which starts from the working directory.

    The file takes the place of the task's own, whatever its columns. In place of a data set of the hub it
    holds items as the task's `convert` makes them (`id`, `input`, `choices`, `target`, `split`, `meta`), in
    Parquet with target, meta and messages as JSON texts; of those only the rows of the task's split are
    taken, where there are any. Examples that come from the same source are read from the file too, if it has
    their split.

    Raises:
        TaskError: the file is not there or cannot be read.
    """
    own, shots = task.data, task.shots
    file = _surveyed(task, path) if own.hub is not None else _File(path, frozenset(), frozenset())
    copied = task.model_copy(update={"data": _moved(own, file)})
    theirs = shots.data
    if theirs is None or (theirs.file, theirs.hub) != (own.file, own.hub) or own.file is own.hub is None:
        return copied
    if theirs.hub is not None and theirs.split != own.split and theirs.split not in file.splits:
        return copied
    return copied.model_copy(update={"shots": shots.model_copy(update={"data": _moved(theirs, file)})})


def _surveyed(task: Task, path: Path) -> _File:
    columns: set[str] = set()
    splits: set[str] = set()
    for row in open_source(task, Data(file=str(path.absolute())), ("data",)).read():
        assert not isinstance(row.columns, Item)
        columns.update(row.columns)
        splits.add(str(row.columns.get("split")))
    return _File(path, frozenset(columns), frozenset(splits))


def _moved(data: Data, file: _File) -> Data:
    """The same rows in the file."""
    where, decoded = dict(data.where), data.json_columns
    if data.convert is not None:
        texts = file.path.suffix.lower() in (".parquet", ".csv")
        decoded = tuple(name for name in _JSON if texts and name in file.columns)
    if data.hub is not None and data.split in file.splits:
        where["split"] = data.split
    return Data(file=str(file.path.absolute()), where=where, json_columns=decoded)
