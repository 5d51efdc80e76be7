"""A promoted baseline: one JSON file, small enough to commit, that says what a run scored on each item.

The head is for people and for reviews, then comes one line per item, so that a difference between two
baselines shows the items that changed. No prompt's or answer's text of an item is in it. A digest over the
whole content guards against damage and edits; whoever can rewrite the file can rewrite the digest, so who
may change it is a matter of the repository it lies in.
"""

from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bakeoff.digest import digest
from bakeoff.errors import StoreError
from bakeoff.gate.side import ItemResult, Side
from bakeoff.store import slug, write_atomically

SCHEMA_VERSION = 1


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class BaselineTask(_Record):
    """The task as it was frozen."""

    name: str
    variant: str
    version: int | str
    digest: str
    parts: dict[str, Any]


class BaselineModel(_Record):
    """Who answered."""

    ref: str
    identity: dict[str, Any]


class BaselineRun(_Record):
    """The run that was promoted, and the digests of its files."""

    id: str
    created: str
    bakeoff: str
    settings: dict[str, Any]
    counts: dict[str, int]
    metrics: str
    samples: str


Row = tuple[str, float | None, str, str | None, str]
"""Item id, score, outcome, group, digest of what was asked (16 hex digits, or empty)."""


class Baseline(_Record):
    """A promoted baseline, as it is written."""

    schema_version: int = SCHEMA_VERSION
    digest: str = ""
    """Of everything else in the file."""
    name: str
    promoted: str
    """UTC, ISO 8601."""
    by: str
    reason: str
    replaces: str | None
    """The digest of the baseline that had this name before."""
    score: float
    task: BaselineTask
    model: BaselineModel
    run: BaselineRun
    items: tuple[Row, ...] = Field(min_length=1)

    def side(self) -> Side:
        """The baseline as a run to hold others against."""
        return Side(
            label=self.name,
            run_id=self.run.id,
            task=self.task.name,
            variant=self.task.variant,
            digest=self.task.digest,
            parts=self.task.parts,
            model=str(self.model.identity.get("name") or self.model.ref),
            items=tuple(
                ItemResult(item, value, outcome, group, asked)
                for item, value, outcome, group, asked in self.items
            ),
            counts=self.run.counts,
            promoted=True,
        )


def baseline_path(folder: Path, task: str, variant: str, name: str) -> Path:
    """`FOLDER/TASK/NAME.json`; for a variant `FOLDER/TASK+VARIANT/NAME.json`."""
    home = slug(task) if variant == "default" else f"{slug(task)}+{slug(variant)}"
    return folder / home / f"{name}.json"


def write_baseline(path: Path, baseline: Baseline) -> str:
    """Write the file whole, and return its digest."""
    value = baseline.model_dump(mode="json", exclude={"digest"})
    signed = {"schema_version": value.pop("schema_version"), "digest": _digest(baseline)} | value
    rows = signed.pop("items")
    head = orjson.dumps(signed, option=orjson.OPT_INDENT_2).removesuffix(b"\n}")
    lines = b",\n".join(orjson.dumps(row) for row in rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, head + b',\n  "items": [\n' + lines + b"\n]}\n")
    return str(signed["digest"])


def read_baseline(path: Path) -> Baseline:
    """Read and verify a promoted baseline.

    Raises:
        StoreError: not there, cut off, edited, of a wrong form, or written by a newer bakeoff.
    """
    try:
        value = orjson.loads(path.read_bytes())
    except OSError as error:
        raise StoreError(f"the baseline {path} cannot be read: {error.strerror or error}", _MEND) from error
    except orjson.JSONDecodeError as error:
        raise StoreError(f"the baseline {path} is damaged or cut off: {error}", _MEND) from error
    version = value.get("schema_version") if isinstance(value, dict) else None
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise StoreError(
            f"the baseline {path} has schema version {version}; this bakeoff reads up to {SCHEMA_VERSION}",
            "upgrade bakeoff",
        )
    try:
        baseline = Baseline.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise StoreError(f"the baseline {path} is no baseline, {field}: {first['msg']}", _MEND) from error
    if baseline.digest != _digest(baseline):
        raise StoreError(
            f"the baseline {path} was changed after it was promoted: its content has not the digest it names",
            _MEND,
        )
    for item, score, *_ in baseline.items:
        if score is not None and not 0 <= score <= 1:
            raise StoreError(f"the baseline {path}, item {item!r}: the score {score} is not in [0, 1]", _MEND)
    return baseline


_MEND = "restore it from version control, or promote a run anew: bakeoff gate promote RUN"


def _digest(baseline: Baseline) -> str:
    return digest(baseline.model_dump(mode="json", exclude={"digest"}))
