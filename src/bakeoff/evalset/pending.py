"""`items.pending.json`: cases that were proposed for a set, and what reviewers said of them."""

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from bakeoff.evalset.lock import read_json, write_json

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
    return read_json(pending_path(items), Pending) or Pending()


def write_pending(items: Path, pending: Pending) -> Path:
    """Write the cases beside the items; returns where."""
    path = pending_path(items)
    write_json(path, pending.model_dump(mode="json"))
    return path
