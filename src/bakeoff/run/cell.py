"""One mean of a suite: over the items of a task, or over those with one value of a metadata column."""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from bakeoff.errors import BakeoffError
from bakeoff.run.estimate import Estimate, estimate
from bakeoff.stats import Interval
from bakeoff.stats.mean.ratio import ratio
from bakeoff.store import query, read_manifest
from bakeoff.task.suite import Part


@dataclass(frozen=True, slots=True)
class Cell:
    """`name` is the task's, or the value of `by`; `part` names the part of the column it is of. `score` is
    before the floor is taken off, `value` and `interval` after. Cells that are equal in `sharing` are about
    the same items.
    """

    name: str
    part: str
    score: Estimate
    floor: float
    value: float | None
    interval: Interval | None
    sharing: str


class _Item(NamedTuple):
    value: float
    group: str | None
    metadata: Mapping[str, Any]
    target: str
    ref: str
    place: str


def cells(part: Part, folders: Mapping[str, Path], level: float, *, clip: bool) -> list[Cell]:
    """The cells of a part whose every task has a run in `folders`, in the order of their names.

    Raises:
        BakeoffError: an item lacks the column of `by` or `weight`, or there is no floor for its value.
    """
    items = [item for ref in part.tasks for item in _items(folders[ref], ref)]
    base = " ".join(sorted(ref.partition(":")[0] for ref in part.tasks))
    chance = _chance(part, folders, items) if part.floor == "chance" else 0.0
    if part.by is None:
        return [_cell(part, " + ".join(part.tasks), items, _floor(part, "", chance), base, level, clip=clip)]
    groups: dict[str, list[_Item]] = {}
    for item in items:
        groups.setdefault(_text(_column(item, part.by, "by")), []).append(item)
    return [
        _cell(part, name, groups[name], _floor(part, name, chance), f"{base} {name}", level, clip=clip)
        for name in sorted(groups)
    ]


def _cell(
    part: Part, name: str, items: Sequence[_Item], floor: float, sharing: str, level: float, *, clip: bool
) -> Cell:
    score = _score(part, items, level)

    def above(p: float) -> float:
        shifted = (p - floor) / (1 - floor)
        return max(0.0, shifted) if clip else shifted

    interval = score.interval
    return Cell(
        name=name,
        part=" + ".join(part.tasks),
        score=score,
        floor=floor,
        value=None if score.value is None else above(score.value),
        interval=interval and replace(interval, low=above(interval.low), high=above(interval.high)),
        sharing=sharing,
    )


def _score(part: Part, items: Sequence[_Item], level: float) -> Estimate:
    values = [item.value for item in items]
    grouped = any(item.group is not None for item in items)
    # An item without a group is a group of its own.
    own: list[Hashable] = [item.group if item.group is not None else item.place for item in items]
    if part.weight is None or not items:
        return estimate(values, own if grouped else None, level)
    weights = [_weight(item, part.weight) for item in items]
    weighted = [weight * value for weight, value in zip(weights, values, strict=True)]
    interval = ratio(weighted, weights, own, level)
    if interval is not None:
        interval = replace(interval, low=max(0.0, interval.low), high=min(1.0, interval.high))
    return Estimate(sum(weighted) / sum(weights), interval, len(items), len(set(own)) if grouped else None)


def _items(folder: Path, ref: str) -> Iterator[_Item]:
    for number, (value, group, metadata, target) in enumerate(query(folder, _VALUES)):
        yield _Item(
            value, group, orjson.loads(metadata), target, ref, f"{ref} {folder.name}, item {number + 1}"
        )


_VALUES = """
    SELECT avg(value), any_value("group"), any_value(metadata), any_value(target)
    FROM samples
    WHERE value IS NOT NULL GROUP BY item_id ORDER BY item_id
"""


def _column(item: _Item, name: str, what: str) -> Any:
    if name not in item.metadata:
        raise BakeoffError(
            f"{item.place}: the suite needs the metadata column {name!r} ({what})",
            f"it has {', '.join(item.metadata) or 'none'}",
        )
    return item.metadata[name]


def _weight(item: _Item, name: str) -> float:
    value = _parts_of_target(item) if name == "target" else _column(item, name, "weight")
    weight = len(value) if isinstance(value, list) else value
    if not isinstance(weight, int | float) or isinstance(weight, bool) or not weight > 0:
        raise BakeoffError(f"{item.place}: a weight is a number above 0 or a list, got {value!r:.60}")
    return float(weight)


def _parts_of_target(item: _Item) -> Any:
    """The target's list: a structured target is one JSON text."""
    target = orjson.loads(item.target)
    try:
        return orjson.loads(target[0]) if isinstance(target, list) and len(target) == 1 else target
    except orjson.JSONDecodeError:
        return target


def _chance(part: Part, folders: Mapping[str, Path], items: Sequence[_Item]) -> float:
    """The score of guessing, over the items of the tasks."""
    counts = Counter(item.ref for item in items)
    chances = {ref: read_manifest(folders[ref]).task.chance or 0.0 for ref in part.tasks}
    return sum(counts[ref] * chances[ref] for ref in chances) / len(items) if items else 0.0


def _floor(part: Part, name: str, chance: float) -> float:
    if part.floor == "chance":
        return chance
    if not isinstance(part.floor, dict):
        return float(part.floor)
    if name not in part.floor:
        raise BakeoffError(
            f"the suite has no floor for {part.by} = {name}", f"it has floors for {', '.join(part.floor)}"
        )
    return part.floor[name]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()
