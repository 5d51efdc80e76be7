"""The examples a task can show, and which of them an item gets."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from bakeoff.digest import canonical_json, digest
from bakeoff.nouns import Item
from bakeoff.seed import item_random
from bakeoff.task.content import ContentDigest, content_key, item_content
from bakeoff.task.items import consumed_columns, read_items
from bakeoff.task.rows import ABSENT, Source, column, open_source
from bakeoff.task.task import Task


class Candidate(NamedTuple):
    """An example, and the key that is equal for all items that ask the same."""

    key: bytes
    item: Item


@dataclass(frozen=True)
class Pool:
    """Candidates by the value of `shots.same` (one group without it), with how often each key occurs.

    Candidates of a `sampled` pool are distinct by content, so that no example is shown twice; `first` and
    `fixed` pools show the rows as they are. `digest` names the content that can be shown.
    """

    task: Task
    seed: int
    groups: Mapping[str, tuple[Candidate, ...]] = field(default_factory=dict)
    keys: Mapping[str, Mapping[bytes, int]] = field(default_factory=dict)
    digest: str = ""

    def choose(self, item: Item) -> tuple[Item, ...]:
        """The item's examples, in the order in which they are shown.

        They depend on the seed, the task's name, the item's id and the candidates, not on the order of a
        sampled pool. Five sampled examples begin with the three that n=3 shows.

        Raises:
            TaskError: there are fewer than `shots.n`.
        """
        shots = self.task.shots
        if not shots.shown:
            return ()
        self.check(item)
        own = content_key(item)
        candidates = self.groups.get(self._group(item), ())
        order = (
            self._drawn(item, len(candidates)) if shots.rule == "sampled" else iter(range(len(candidates)))
        )
        chosen: list[Item] = []
        for index in order:
            if len(chosen) == shots.n:
                break
            if candidates[index].key != own:
                chosen.append(candidates[index].item)
        return tuple(chosen)

    def check(self, item: Item) -> None:
        """Whether there are `shots.n` examples for the item.

        Raises:
            TaskError: there are fewer.
        """
        shots = self.task.shots
        if shots.rule == "fixed" or not shots.n:
            return
        group = self._group(item)
        size = len(self.groups.get(group, ()))
        own = self.keys.get(group, {}).get(content_key(item), 0)
        if size - own < shots.n:
            different = "different " if shots.rule == "sampled" else ""
            among = f" with {shots.same} = {group}" if shots.same else ""
            besides = f" and do not ask the same as item {item.id}" if own else ""
            raise self.task.error(
                ("shots", "n"),
                f"{shots.n} shots are more than the {size - own} {different}rows{among} "
                f"that are in the pool{besides}",
                "lower shots.n, or add rows to shots.data",
            )

    def _group(self, item: Item) -> str:
        return _group(self.task, item)

    def _drawn(self, item: Item, size: int) -> Iterator[int]:
        """Indices without replacement: every index once, in an order of the item's own."""
        random = item_random(self.seed, self.task.name, item.id, "shots")
        seen: set[int] = set()
        while len(seen) < size:
            index = random.randrange(size)
            if index not in seen:
                seen.add(index)
                yield index


def load_pool(task: Task, own: Source, seed: int) -> Pool:
    """The pool of a task; `own` is the source of its items, the pool unless `shots.data` names another.

    A `first` pool keeps only what can be shown. A `sampled` pool is held in memory.

    Raises:
        TaskError: the rows cannot be read, or lack the column of `shots.same`.
    """
    shots = task.shots
    if not shots.shown:
        return Pool(task, seed)
    source = own if shots.data is None else open_source(task, shots.data, ("shots", "data"))
    read = _distinct if shots.rule == "sampled" else _in_order
    groups = dict(sorted(read(task, source).items()))
    if shots.rule == "fixed" and shots.n is not None and (there := len(groups.get("", ()))) < shots.n:
        raise task.error(("shots", "n"), f"{shots.n} shots are more than the {there} rows of shots.data")
    keys = {name: Counter(each.key for each in group) for name, group in groups.items()}
    return Pool(task, seed, groups, keys, _digest(task, groups))


def _distinct(task: Task, source: Source) -> dict[str, tuple[Candidate, ...]]:
    """All candidates by id, in whatever order they come. Of those that ask the same, the smallest id."""
    groups: dict[str, dict[bytes, Candidate]] = {}
    for item in read_items(task, source):
        group = groups.setdefault(_group(task, item), {})
        key = content_key(item)
        if key not in group or item.id < group[key].item.id:
            group[key] = Candidate(key, item)
    return {
        name: tuple(sorted(group.values(), key=lambda each: each.item.id)) for name, group in groups.items()
    }


def _in_order(task: Task, source: Source) -> dict[str, tuple[Candidate, ...]]:
    """The candidates in their order; for rule `first`, no more than can be shown.

    n are enough when n remain after taking out all that ask the same as some item.
    """
    shots = task.shots
    groups: dict[str, list[Candidate]] = {}
    keys: dict[str, Counter[bytes]] = {}
    for item in read_items(task, source):
        name = _group(task, item)
        group, counts = groups.setdefault(name, []), keys.setdefault(name, Counter())
        if shots.rule == "fixed" or len(group) - max(counts.values(), default=0) < (shots.n or 0):
            group.append(Candidate(content_key(item), item))
            counts[group[-1].key] += 1
        elif shots.same is None:
            break
    return {name: tuple(group) for name, group in groups.items()}


def _group(task: Task, item: Item) -> str:
    same = task.shots.same
    if same is None:
        return ""
    value = column(item.fields, same)
    if value is ABSENT:
        raise task.error(
            ("shots", "same"),
            f"item {item.id} has no column {same!r}",
            f"the columns are {', '.join(item.fields)}",
        )
    return canonical_json(value).decode()


def _digest(task: Task, groups: Mapping[str, tuple[Candidate, ...]]) -> str:
    consumed = consumed_columns(task)
    contents = (item_content(each.item, consumed) for group in groups.values() for each in group)
    if task.shots.rule == "sampled":
        return str(ContentDigest(contents))
    return digest([str(ContentDigest([content])) for content in contents])
