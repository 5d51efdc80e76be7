"""How a score moved from one run to another: what of it is the set's doing, and what the model's.

With O the items of the old run, N those of the new one and U the items that are in both unchanged, and s(run,
items) a mean score,

    s(new, N) - s(old, O) = s(new, U) - s(old, U)                                       the model
                          + [s(new, N) - s(new, U)] + [s(old, U) - s(old, O)]           the set

The sum is exact. Every part is a sum of what single items contribute. Within a kind of items (unchanged,
changed, added, removed) it is a weighted mean difference, paired by item, plus what is left of one score; the
distances to the ends of their intervals are added. Kinds are different items, so between them the squares of
the distances are (Zou & Donner 2008, Stat. Med. 27:1693). Sizes of the kinds are taken as fixed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum, sqrt
from pathlib import Path

import numpy as np

from bakeoff.errors import BakeoffError
from bakeoff.evalset.lock import Lock, version_of
from bakeoff.run import Estimate, estimate
from bakeoff.stats import Interval, tango
from bakeoff.stats.pair.graded import graded_difference
from bakeoff.store import Manifest, read_manifest
from bakeoff.store.values import RunValues, run_values
from bakeoff.task import differences

KINDS = ("unchanged", "changed", "added", "removed")
_OF_DATA = ("data", "chance", "generation.constrain.schemas")
"""Parts of a task's digest that follow from its items."""


@dataclass(frozen=True, slots=True)
class Move:
    """A difference of scores, or a part of one; `interval` is None where a kind is one group alone.

    The set's part can be beyond 1: it adds up what it did to the old model's score and to the new one's.
    """

    value: float
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Kind:
    """Items of one kind: how many, and the mean score of the runs that have them."""

    name: str
    n: int
    old: float | None
    new: float | None


@dataclass(frozen=True, slots=True)
class Moved:
    """The two runs' scores and `total`, their difference: `model` plus `set`. `items` (unchanged, changed,
    added, removed) are those with a score wherever they are asked; `left_out` counts the others.
    `ids` names the items by kind, but for the unchanged.
    """

    task: str
    old_run: str
    new_run: str
    old_model: str
    new_model: str
    old_version: str | None
    """The version of the set that the old run was asked; None without a lock, or where none is its."""
    new_version: str | None
    old: Estimate
    new: Estimate
    total: Move
    model: Move
    set: Move
    kinds: tuple[Kind, ...]
    ids: Mapping[str, tuple[str, ...]]
    left_out: int
    level: float
    notes: tuple[str, ...] = ()
    schema_version: int = 1


def moved(old: Path, new: Path, *, level: float = 0.95, lock: Lock | None = None) -> Moved:
    """Split the difference of two runs' scores, second minus first. A `lock` names the versions.

    Raises:
        BakeoffError: a run is not complete, has samples without digests, the tasks differ by more than their
            items, no scored item is in both unchanged, or level is outside (0, 1).
        StoreError: a folder is no run, or cannot be read.
    """
    if not 0 < level < 1:
        raise BakeoffError(f"the level must lie between 0 and 1, got {level}", "95 % is 0.95")
    manifests = read_manifest(old), read_manifest(new)
    _check(old, new, *manifests)
    first, second = run_values([old, new])
    before, after = _Side.of(first, old), _Side.of(second, new)
    by_kind, left_out = _sorted(before, after)
    if not by_kind["unchanged"]:
        raise BakeoffError(
            f"no scored item is in both {old} and {new} unchanged",
            "the two cannot be told apart: run one anew",
        )
    found = _split(manifests, before, after, by_kind, left_out, level)
    if lock is None:
        return found
    versions = (version_of(lock, before.digests), version_of(lock, after.digests))
    return replace(found, old_version=versions[0], new_version=versions[1])


@dataclass(frozen=True, slots=True)
class _Side:
    """A run's mean score, digest and group by item; NaN for an item without a score."""

    scores: Mapping[str, float]
    digests: Mapping[str, str]
    groups: Mapping[str, str | None]

    @classmethod
    def of(cls, values: RunValues, folder: Path) -> "_Side":
        digests = values.digests
        if digests is None or None in digests:
            raise BakeoffError(
                f"samples of {folder} were written before items had digests", "run the task anew"
            )
        there = ~np.isnan(values.scores)
        total = np.where(there, values.scores, 0.0).sum(axis=1)
        number = there.sum(axis=1)
        means = np.where(number > 0, total / np.maximum(number, 1), np.nan).tolist()
        return cls(
            dict(zip(values.items, means, strict=True)),
            dict(zip(values.items, (str(each) for each in digests), strict=True)),
            dict(zip(values.items, values.groups or (None,) * len(values.items), strict=True)),
        )


def _check(old: Path, new: Path, first: Manifest, second: Manifest) -> None:
    for folder, manifest in ((old, first), (new, second)):
        if manifest.status != "complete":
            raise BakeoffError(f"the run {folder} is {manifest.status}", f"bakeoff run --resume {folder}")
    if first.task.name != second.task.name:
        raise BakeoffError(
            f"the runs are of two tasks: {first.task.name} and {second.task.name}",
            "how a set moved a score is asked of one task",
        )
    if first.task.digest == second.task.digest:
        return
    found = differences(first.task.parts, second.task.parts)
    others = [each for each in found if each.partition(": ")[0] not in _OF_DATA]
    if others:
        raise BakeoffError(
            f"the tasks differ by more than their items: {'; '.join(others)}",
            "run the new set with the old task, so that one thing moves at a time",
        )


def _sorted(old: _Side, new: _Side) -> tuple[dict[str, list[str]], int]:
    """The ids of each kind, in order, and how many items are left out for want of a score."""
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    left_out = 0
    for item in sorted(old.scores.keys() | new.scores.keys()):
        scores = [side.scores[item] for side in (old, new) if item in side.scores]
        if any(np.isnan(score) for score in scores):
            left_out += 1
        elif item not in old.scores:
            found["added"].append(item)
        elif item not in new.scores:
            found["removed"].append(item)
        else:
            same = old.digests[item] == new.digests[item]
            found["unchanged" if same else "changed"].append(item)
    return found, left_out


def _split(
    manifests: tuple[Manifest, Manifest],
    old: _Side,
    new: _Side,
    by_kind: dict[str, list[str]],
    left_out: int,
    level: float,
) -> Moved:
    unchanged = len(by_kind["unchanged"])
    asked = {
        "old": [*by_kind["unchanged"], *by_kind["changed"], *by_kind["removed"]],
        "new": [*by_kind["unchanged"], *by_kind["changed"], *by_kind["added"]],
    }
    o, n, u = 1 / len(asked["old"]), 1 / len(asked["new"]), 1 / unchanged
    weights = {
        # What a point of an item's old and of its new score adds to each part.
        "total": {"unchanged": (-o, n), "changed": (-o, n), "added": (0.0, n), "removed": (-o, 0.0)},
        "model": {"unchanged": (-u, u)},
        "set": {"unchanged": (u - o, n - u), "changed": (-o, n), "added": (0.0, n), "removed": (-o, 0.0)},
    }
    parts = {name: _part(by_kind, weight, old, new, level) for name, weight in weights.items()}
    first, second = manifests
    names = [str(each.model.identity.get("name") or each.model.ref) for each in manifests]
    return Moved(
        task=second.task.name,
        old_run=first.run_id,
        new_run=second.run_id,
        old_model=names[0],
        new_model=names[1],
        old_version=None,
        new_version=None,
        old=_score(old, asked["old"], level),
        new=_score(new, asked["new"], level),
        total=parts["total"],
        model=parts["model"],
        set=parts["set"],
        kinds=tuple(_kind(kind, by_kind[kind], old, new) for kind in KINDS),
        ids={kind: tuple(by_kind[kind]) for kind in KINDS[1:]},
        left_out=left_out,
        level=level,
        notes=tuple(_notes(first, second, left_out)),
    )


def _notes(first: Manifest, second: Manifest, left_out: int) -> list[str]:
    notes = []
    if left_out:
        notes.append(f"{left_out:,} items without a score in a run that asked them are left out of both")
    if first.settings.limit != second.settings.limit:
        notes.append("the runs have different limits, so what they left out counts as added or removed")
    if first.model.identity == second.model.identity:
        notes.append("both runs are of the same model: its part is chance in its answers, if any")
    return notes


def _part(
    by_kind: Mapping[str, Sequence[str]],
    weights: Mapping[str, tuple[float, float]],
    old: _Side,
    new: _Side,
    level: float,
) -> Move:
    """The sum over items of their weighted old and new scores, with its interval."""
    value, below, above, known = 0.0, 0.0, 0.0, True
    for kind, (a, b) in weights.items():
        low = high = 0.0
        for weight, mean, interval in _terms(by_kind[kind], a, b, old, new, level):
            value += weight * mean
            if interval is None:
                known = False
                continue
            ends = sorted((weight * (interval.low - mean), weight * (interval.high - mean)))
            # What is left of a score beside a difference goes with it to an unknown degree.
            low, high = low - ends[0], high + ends[1]
        below, above = below + low**2, above + high**2
    if not known:
        return Move(value, None)
    return Move(value, Interval(value - sqrt(below), value + sqrt(above), level, "square-and-add"))


def _terms(
    items: Sequence[str], a: float, b: float, old: _Side, new: _Side, level: float
) -> Iterator[tuple[float, float, Interval | None]]:
    """`a` times each item's old score plus `b` times its new one, as weighted means: as much of both as is a
    difference is paired, and what is left is a score.
    """
    if not items:
        return
    n, clusters = len(items), _clusters(items, old, new)
    paired = min(abs(a), abs(b)) * (1.0 if b > 0 else -1.0) if a * b < 0 else 0.0
    if paired:
        differences = [new.scores[item] - old.scores[item] for item in items]
        yield n * paired, fsum(differences) / n, _paired(differences, clusters, level)
    for weight, side in ((a + paired, old), (b - paired, new)):
        if weight:
            scores = [side.scores[item] for item in items]
            yield n * weight, fsum(scores) / n, estimate(scores, clusters, level).interval


def _paired(differences: Sequence[float], clusters: Sequence[str] | None, level: float) -> Interval | None:
    """Tango's interval of a mean difference, as in a comparison of two runs."""
    n = len(differences)
    if clusters is None and (n == 1 or set(differences) <= {-1.0, 0.0, 1.0}):
        gained = fsum(each for each in differences if each > 0)
        return tango(gained, -fsum(each for each in differences if each < 0), n, level)
    return graded_difference(differences, clusters, level)


def _clusters(items: Sequence[str], old: _Side, new: _Side) -> list[str] | None:
    groups = [new.groups.get(item) or old.groups.get(item) for item in items]
    if all(group is None for group in groups):
        return None
    return [
        f"item {item}" if group is None else f"group {group}"
        for item, group in zip(items, groups, strict=True)
    ]


def _score(side: _Side, items: Sequence[str], level: float) -> Estimate:
    return estimate([side.scores[item] for item in items], _clusters(items, side, side), level)


def _kind(name: str, items: Sequence[str], old: _Side, new: _Side) -> Kind:
    def mean(side: _Side) -> float | None:
        scores = [side.scores[item] for item in items if item in side.scores]
        return fsum(scores) / len(scores) if scores else None

    return Kind(name, len(items), mean(old), mean(new))
