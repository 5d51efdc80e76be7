"""`items.lock.json`: what a version of a set holds, and how the set came to be."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from bakeoff.digest import digest
from bakeoff.errors import StoreError
from bakeoff.store import write_atomically

_Stored = TypeVar("_Stored", bound=BaseModel)


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Review(_Record):
    """Who let a case into the set, or changed the file by hand, and why."""

    id: str
    reviewer: str
    reason: str
    reviewed: str
    """UTC, ISO 8601."""
    source: str = ""
    """Where a proposed case came from: `production.jsonl:12`."""


class Release(_Record):
    """A version of the set, and what made it of the one before."""

    version: str
    released: str
    """UTC, ISO 8601."""
    by: str
    count: int
    file_digest: str
    items_digest: str
    """Of all ids with their items' digests: by it a run knows which version it was asked (`version_of`)."""
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    reviews: tuple[Review, ...] = ()


class Lock(_Record):
    """The version that holds, with the digest of each of its items by id; no text of any.

    `file_digest` is of the file's bytes: it tells of changes in columns that are no part of an item's digest
    (input, choices and target). `history` has every version, the newest last.
    """

    schema_version: Literal[1] = 1
    file: str
    version: str
    count: int
    file_digest: str
    items: dict[str, str]
    history: tuple[Release, ...]


@dataclass(frozen=True, slots=True)
class Changes:
    """How a file differs from its lock, by item id, in the order of ids."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    other_bytes: bool
    """Whether anything else of the file differs: another column, or the order."""

    @property
    def items(self) -> bool:
        """Whether what is asked, or what is right, differs for any item."""
        return bool(self.added or self.removed or self.changed)


def changes(before: dict[str, str], now: dict[str, str], *, same_bytes: bool) -> Changes:
    """What differs between two versions' digests by id."""
    both = before.keys() & now.keys()
    return Changes(
        added=tuple(sorted(now.keys() - before.keys())),
        removed=tuple(sorted(before.keys() - now.keys())),
        changed=tuple(sorted(item for item in both if before[item] != now[item])),
        other_bytes=not same_bytes,
    )


def items_digest(digests: Mapping[str, str]) -> str:
    """One digest of the digests of items by id, whatever their order."""
    return digest(dict(sorted(digests.items())))


def version_of(lock: Lock, digests: Mapping[str, str]) -> str | None:
    """The version that has just these items, the newest if several do; None where none has."""
    wanted = items_digest(digests)
    return next((each.version for each in reversed(lock.history) if each.items_digest == wanted), None)


def lock_path(items: Path) -> Path:
    """`items.lock.json` beside `items.jsonl`."""
    return items.with_name(f"{items.stem}.lock.json")


def read_lock(items: Path) -> Lock:
    """The lock of a file of items.

    Raises:
        StoreError: there is none, or it is damaged.
    """
    path = lock_path(items)
    found = read_json(path, Lock)
    if found is None:
        raise StoreError(
            f"{items} is not frozen: there is no {path}", f"bakeoff set freeze {items} --version 1"
        )
    return found


def write_lock(items: Path, lock: Lock) -> Path:
    """Write the lock beside the items; returns where."""
    path = lock_path(items)
    write_json(path, lock.model_dump(mode="json"))
    return path


def read_json(path: Path, kind: type[_Stored]) -> _Stored | None:
    """The record in a file; None where there is no file.

    Raises:
        StoreError: it cannot be read, or is damaged.
    """
    try:
        return kind.model_validate(orjson.loads(path.read_bytes()))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror or error}", "check the path") from error
    except orjson.JSONDecodeError as error:
        raise StoreError(f"{path} is damaged: {error}", "restore it from a copy") from error
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise StoreError(f"{path}, field {field}: {first['msg']}", "restore it from a copy") from error


def write_json(path: Path, value: object) -> None:
    """`value` as indented JSON, whole or not at all."""
    option = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    write_atomically(path, orjson.dumps(value, option=option))
