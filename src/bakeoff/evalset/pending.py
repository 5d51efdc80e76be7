"""`items.pending.json`: cases that were proposed for a set, and what reviewers said of them."""

from pathlib import Path
from typing import Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from bakeoff.errors import StoreError
from bakeoff.evalset.lock import write_json

State = Literal["pending", "accepted", "rejected"]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Near(_Record):
    """An item of the set, or a case proposed before, whose input reads much the same."""

    id: str
    score: float
    """Similarity of the inputs in [0, 100], case and white space aside: `rapidfuzz.fuzz.ratio`."""
    other_target: bool = False
    """Whether it asks the very same and calls something else right."""


class Case(_Record):
    """A proposed case: its row as it would stand in the set, where it came from, and its review."""

    id: str
    digest: str
    row: dict[str, Any]
    source: str
    proposed: str
    near: tuple[Near, ...] = ()
    state: State = "pending"
    reviewer: str = ""
    reason: str = ""
    reviewed: str = ""


class Pending(_Record):
    """All cases proposed since the last release; rejected ones stay, so that they are not proposed again."""

    schema_version: Literal[1] = 1
    cases: tuple[Case, ...] = ()

    def of(self, state: State) -> tuple[Case, ...]:
        """The cases in a state."""
        return tuple(case for case in self.cases if case.state == state)


def pending_path(items: Path) -> Path:
    """`items.pending.json` beside `items.jsonl`. It holds the texts of the cases."""
    return items.with_name(f"{items.stem}.pending.json")


def read_pending(items: Path) -> Pending:
    """The cases proposed for a file of items; none where there is no file of them.

    Raises:
        StoreError: it is damaged.
    """
    path = pending_path(items)
    try:
        return Pending.model_validate(orjson.loads(path.read_bytes()))
    except FileNotFoundError:
        return Pending()
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror or error}", "check the path") from error
    except orjson.JSONDecodeError as error:
        raise StoreError(f"{path} is damaged: {error}", "restore it from a copy") from error
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise StoreError(f"{path}, field {field}: {first['msg']}", "restore it from a copy") from error


def write_pending(items: Path, pending: Pending) -> Path:
    """Write the cases beside the items; returns where."""
    path = pending_path(items)
    write_json(path, pending.model_dump(mode="json"))
    return path
