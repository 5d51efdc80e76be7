"""Stop a run as soon as it is known whether it beats a baseline.

Items (or groups of items, where they have any) are asked in a shuffled order, keyed by seed and name, and
enter the test in that order, whatever order their answers come in: which answers come first can depend on
how hard they are. So the decision is the same however many requests are in flight. What was in flight when
it fell is kept in the run, but is no part of the decision.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import exp, fsum
from pathlib import Path

from bakeoff.errors import BakeoffError
from bakeoff.nouns import Item, Sample
from bakeoff.seed import item_seed
from bakeoff.store import DecisionRecord, Manifest, Settings, Until, query, read_manifest
from bakeoff.task import Prepared, differences

_LARGEST = 1e300


@dataclass(frozen=True, slots=True)
class _Unit:
    """An item, or all items of a group, and what the baseline scored on each."""

    items: tuple[Item, ...]
    baseline: tuple[float, ...]


class Decider:
    """Hands out the items of a run in a shuffled order until their scores decide it against the baseline.

    Only items that the baseline has a value for are asked, until they are used up; then the others. Repeats
    are averaged within their item. An item that ends without a value is passed over and counted.

    Raises:
        BakeoffError: the baseline is not a complete run of the same task, or was itself stopped when decided.
    """

    def __init__(self, prepared: Prepared, settings: Settings, until: Until) -> None:
        from bakeoff.stats.early.sequential import Sequential

        folder = Path(until.baseline)
        self._baseline = _checked(folder, prepared).run_id
        self._until, self._repeats = until, settings.repeats
        values = dict(
            query(folder, "SELECT item_id, avg(value) FROM samples WHERE value IS NOT NULL GROUP BY item_id")
        )
        items = list(prepared.items(settings.limit))
        shared = _units((item for item in items if item.id in values), values, prepared, settings.seed)
        if not shared:
            raise BakeoffError(
                f"{folder} has a score for none of the items to ask", "choose a baseline over the same items"
            )
        self._units, self._rest = shared, [item for item in items if item.id not in values]
        self._shared = sum(len(unit.items) for unit in shared)
        self._test = Sequential(
            level=until.level, margin=until.margin, largest=max(len(unit.items) for unit in shared)
        )
        self._answers: dict[str, list[float | None]] = {}
        self._next = 0
        self._totals: list[float] = []
        self._sizes: list[int] = []
        self._passed_over = 0

    def work(self, done: set[tuple[str, int]]) -> Iterator[tuple[Item, int]]:
        """What is still to ask, in order, for as long as nothing is decided."""
        for item in [item for unit in self._units for item in unit.items] + self._rest:
            for repeat in range(self._repeats):
                if self._test.decided is not None:
                    return
                if (item.id, repeat) not in done:
                    yield item, repeat

    def take_up(self, folder: Path, done: set[tuple[str, int]]) -> None:
        """Take in what an earlier attempt of this run has on disk."""
        if done:
            for item_id, repeat, value in query(folder, "SELECT item_id, repeat, value FROM samples"):
                if (item_id, repeat) in done:
                    self._enter(item_id, value)

    def add(self, sample: Sample) -> None:
        """Take in a finished sample."""
        self._enter(sample.item_id, sample.score.value)

    def record(self) -> DecisionRecord:
        """What was decided, and on what."""
        from bakeoff.stats.early.betting import betting_difference

        test, items = self._test, sum(self._sizes)
        interval = None
        if items:
            largest = max(len(unit.items) for unit in self._units)
            interval = betting_difference(self._totals, self._sizes, largest, level=self._until.level)
        found = test.evidence
        return DecisionRecord(
            baseline=self._baseline,
            level=self._until.level,
            margin=self._until.margin,
            verdict=test.decided or "cannot tell",
            items=items,
            units=len(self._sizes),
            of=self._shared,
            passed_over=self._passed_over,
            difference=fsum(self._totals) / items if items else None,
            low=interval.low if interval else None,
            high=interval.high if interval else None,
            e_value=_e_value(found.either),
            e_value_equivalent=None if found.inside is None else _e_value(found.inside),
        )

    def _enter(self, item_id: str, value: float | None) -> None:
        self._answers.setdefault(item_id, []).append(value)
        while self._test.decided is None and self._next < len(self._units):
            unit = self._units[self._next]
            if any(len(self._answers.get(item.id, ())) < self._repeats for item in unit.items):
                return
            self._next += 1
            self._test_unit(unit)

    def _test_unit(self, unit: _Unit) -> None:
        total, size = 0.0, 0
        for item, before in zip(unit.items, unit.baseline, strict=True):
            known = [value for value in self._answers.pop(item.id) if value is not None]
            if known:
                total, size = total + fsum(known) / len(known) - before, size + 1
        self._passed_over += len(unit.items) - size
        if size:
            self._test.add(total, size)
            self._totals.append(total)
            self._sizes.append(size)


def _checked(folder: Path, prepared: Prepared) -> Manifest:
    baseline = read_manifest(folder)
    if baseline.task.ask == "perplexity":
        raise BakeoffError(
            "a perplexity run cannot be stopped when decided: its score is a ratio, not a mean over items",
            "run it whole, and compare",
        )
    if baseline.task.digest != prepared.digest:
        changed = "; ".join(differences(baseline.task.parts, prepared.parts))
        raise BakeoffError(
            f"the baseline {folder} is of another task: {changed}",
            "choose a baseline of the same task and variant",
        )
    if baseline.status != "complete":
        raise BakeoffError(
            f"the baseline {folder} is {baseline.status}", f"finish it first: bakeoff run --resume {folder}"
        )
    if baseline.decision is not None and baseline.decision.verdict != "cannot tell":
        raise BakeoffError(
            f"the baseline {folder} was itself stopped when it was decided, so its items are a selection",
            "choose a baseline that asked every item",
        )
    return baseline


def _units(items: Iterable[Item], values: dict[str, float], prepared: Prepared, seed: int) -> list[_Unit]:
    groups: dict[tuple[bool, str], list[Item]] = {}
    for item in items:
        key = (False, item.id) if item.group is None else (True, item.group)
        groups.setdefault(key, []).append(item)

    def drawn(key: tuple[bool, str]) -> tuple[int, tuple[bool, str]]:
        return item_seed(seed, prepared.task.name, key[1], "order until decided"), key

    return [
        _Unit(tuple(group), tuple(values[item.id] for item in group))
        for key in sorted(groups, key=drawn)
        for group in [sorted(groups[key], key=lambda item: item.id)]
    ]


def _e_value(logarithm: float) -> float:
    return exp(logarithm) if logarithm < 690 else _LARGEST
