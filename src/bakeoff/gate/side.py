"""What one run says of each item: all a gate needs to know of a run, whether its folder is there or not."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import fsum
from pathlib import Path
from typing import Any

from bakeoff.errors import BakeoffError
from bakeoff.store import Manifest, caveats, query, read_manifest


@dataclass(frozen=True, slots=True)
class ItemResult:
    """One item: its score in [0, 1], the mean over its repeats; None where none of them has one.

    `outcome` is how its samples ended: `scored`, or with repeats `scored 4, truncated 1`. `digest` is the
    beginning of the digest of what was asked, empty in old runs.
    """

    id: str
    value: float | None
    outcome: str
    group: str | None = None
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """A run, by item in the order of the ids.

    `label` names it to people: a folder, or `main` for a promoted baseline. `expected` is how many samples
    the run was to have, `counts` those it has: in all (`total`) and by outcome. `early` says that it was to
    stop as soon as it was decided, so that what it has is no sample of fixed size.
    """

    label: str
    run_id: str
    task: str
    variant: str
    digest: str
    parts: Mapping[str, Any]
    model: str
    items: tuple[ItemResult, ...]
    status: str = "complete"
    expected: int = 0
    early: bool = False
    counts: Mapping[str, int] = field(default_factory=dict)
    folder: Path | None = None
    promoted: bool = False
    caveats: tuple[str, ...] = ()
    """What its scores do not bear by themselves: an uncalibrated judge."""

    @property
    def unfinished(self) -> str:
        """Why not all of the run is there; empty if it is."""
        total = self.counts.get("total", 0)
        if self.status in ("running", "failed"):
            return f"is {self.status}"
        if total >= self.expected:
            return ""
        return f"has {total:,} of {self.expected:,} samples" + (
            ", because it was stopped early" if self.early else ""
        )

    @property
    def title(self) -> str:
        """Task and variant, as the command line names them."""
        return self.task if self.variant == "default" else f"{self.task}:{self.variant}"

    def scored(self) -> Iterator[ItemResult]:
        """The items that have a score."""
        return (item for item in self.items if item.value is not None)


def read_side(folder: Path) -> Side:
    """Read a run's folder, finished or not.

    Raises:
        StoreError: it is no run folder, is damaged, or holds no samples yet.
        BakeoffError: a score is not a number in [0, 1].
    """
    manifest = read_manifest(folder)
    asked = min(manifest.task.n_items, manifest.settings.limit or manifest.task.n_items)
    items = tuple(_items(folder))
    return Side(
        label=str(folder),
        run_id=manifest.run_id,
        task=manifest.task.name,
        variant=manifest.task.variant,
        digest=manifest.task.digest,
        parts=manifest.task.parts,
        model=model_name(manifest),
        items=items,
        status=manifest.status,
        expected=asked * manifest.settings.repeats,
        early=manifest.settings.until is not None,
        counts=_counts(folder),
        folder=folder,
        caveats=caveats(manifest),
    )


def model_name(manifest: Manifest) -> str:
    """The model's name as it says it itself, else as it was asked for."""
    return str(manifest.model.identity.get("name") or manifest.model.ref)


_ITEMS = """
    SELECT item_id, list(value ORDER BY repeat), list(outcome ORDER BY repeat), any_value("group"),
           any_value(item_digest)
    FROM samples GROUP BY item_id ORDER BY item_id
"""
_DIGEST = slice(len("sha256:"), len("sha256:") + 16)


def _items(folder: Path) -> Iterator[ItemResult]:
    for item, values, outcomes, group, digest in query(folder, _ITEMS):
        scores = [value for value in values if value is not None]
        for score in scores:
            if not 0 <= score <= 1:
                raise BakeoffError(
                    f"{folder}: item {item!r} has the score {score}", "a scorer must give a score from 0 to 1"
                )
        mean = fsum(scores) / len(scores) if scores else None
        yield ItemResult(item, mean, _outcome(outcomes), group, (digest or "")[_DIGEST])


def _outcome(outcomes: list[str]) -> str:
    counted = {name: outcomes.count(name) for name in dict.fromkeys(outcomes)}
    if len(outcomes) == 1:
        return outcomes[0]
    return ", ".join(f"{name} {number}" for name, number in counted.items())


def _counts(folder: Path) -> dict[str, int]:
    found = dict(query(folder, "SELECT outcome, count(*) FROM samples GROUP BY outcome ORDER BY outcome"))
    return {"total": sum(found.values())} | found
