"""The items of a set, as a task reads them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bakeoff.digest import digest_bytes
from bakeoff.errors import BakeoffError, StoreError
from bakeoff.nouns import Item
from bakeoff.task import Task, item_digest
from bakeoff.task.fields import Fields
from bakeoff.task.items import read_items
from bakeoff.task.load import load_task
from bakeoff.task.origin import Origin
from bakeoff.task.rows import open_source


@dataclass(frozen=True, slots=True)
class ItemSet:
    """A file of items and how its columns are read. Ids are unique, as in a task."""

    file: Path
    fields: Fields

    def items(self, file: Path | None = None) -> Iterator[Item]:
        """The items of the set, or of another file with the same columns.

        Raises:
            TaskError: the file or a row cannot be read, with its line.
        """
        return self._read({"file": str((file or self.file).resolve())})

    def item(self, row: Mapping[str, Any]) -> Item:
        """One row as an item of the set.

        Raises:
            TaskError: it is none.
        """
        return next(self._read({"items": [dict(row)]}))

    def _read(self, data: dict[str, Any]) -> Iterator[Item]:
        task = Task(name="items", data=data, fields=self.fields, scorer="exact")
        task = task.at(Origin(folder=self.file.parent))
        return read_items(task, open_source(task, task.data, ("data",)))

    def digests(self) -> dict[str, str]:
        """The digest of each item by id.

        Raises:
            BakeoffError: an id is there twice; or as in `items`.
        """
        found: dict[str, str] = {}
        for item in self.items():
            if item.id in found:
                raise BakeoffError(f"{self.file}: the id {item.id!r} is there twice", "ids must be unique")
            found[item.id] = item_digest(item)
        return found

    def file_digest(self) -> str:
        """The digest of the file's bytes."""
        return digest_bytes(file_bytes(self.file))


def open_set(file: Path, task: str | None = None) -> ItemSet:
    """The set in `file`, whose columns are named as the fields of `task` say (a task's name or file), else as
    a task without `fields` has them.

    Raises:
        BakeoffError: there is no such file, or the task cannot be loaded.
    """
    if not file.is_file():
        raise StoreError(f"there is no file {file}", "a set is a file of items: JSONL, JSON, CSV or Parquet")
    return ItemSet(file, Fields() if task is None else load_task(task)[0].fields)


def file_bytes(path: Path) -> bytes:
    """All of a file.

    Raises:
        StoreError: it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror or error}", "check the path") from error
