"""The items of a task over the runs there are: how hard each is, and whether they still tell models apart."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bakeoff.comparison.align import align
from bakeoff.comparison.comparison import Standing
from bakeoff.comparison.runs import compared
from bakeoff.errors import BakeoffError
from bakeoff.run.index import Listed
from bakeoff.stats.items.items import Flag, cronbach, item_analysis

_NEARLY = 0.9
"""The share of the most items that a run must have: a trial of ten says nothing of the others."""
_MOST = 100
"""Runs that are looked at: every two of them are compared."""


@dataclass(frozen=True, slots=True)
class ItemLook:
    """An item over the runs: its mean score in [0, 1], and how it goes with the others (`stats.items`)."""

    item_id: str
    group: str | None
    mean: float
    item_rest: float | None
    flags: tuple[Flag, ...]


@dataclass(frozen=True, slots=True)
class ItemsLook:
    """The items that all `runs` have a score for, the hardest first.

    `standings` has the runs' scores on them, best first. `all_right`, `all_wrong` and `negative` count items
    that every run has right, that none has, and on which weak runs do better than strong ones. `alpha` is
    Cronbach's; None where it cannot be had. `left_out` are runs of the task that were not looked at: not
    complete, older ones of the same model, those with few items.
    """

    task: str
    digest: str
    runs: tuple[Listed, ...]
    left_out: tuple[Listed, ...]
    standings: tuple[Standing, ...]
    items: tuple[ItemLook, ...]
    alpha: float | None
    chance: float | None

    @property
    def all_right(self) -> int:
        """Items that tell nothing any more."""
        return self._flagged("all right")

    @property
    def all_wrong(self) -> int:
        """Items that nobody has right: too hard, or wrong themselves."""
        return self._flagged("all wrong")

    @property
    def negative(self) -> int:
        """Items with negative discrimination: a wrong key, perhaps."""
        return self._flagged("negative discrimination")

    @property
    def first(self) -> tuple[str, ...]:
        """The labels of the runs that may be the best."""
        return tuple(each.label for each in self.standings if each.best)

    def _flagged(self, flag: Flag) -> int:
        return sum(flag in item.flags for item in self.items)


def items_look(runs: Iterable[Listed]) -> ItemsLook:
    """Look at the items of one task as frozen, over the newest complete run of each model.

    Raises:
        BakeoffError: runs of fewer than two models, of several tasks, or without an item that all have a
            score for.
    """
    every = sorted(runs, key=lambda run: (run.created, run.id), reverse=True)
    chosen = _chosen(every)
    if len(chosen) < 2:
        raise BakeoffError(
            f"items are judged by the runs of two models or more, and there are {len(chosen) or 'none'}",
            "run the task on another model: bakeoff run TASK --model MODEL",
        )
    if len({run.digest for run in chosen}) > 1:
        raise BakeoffError("the runs are of tasks that differ", "look at the runs of one digest")
    aligned = align([run.folder for run in chosen])
    found = compared(aligned, items=0)
    looks = [
        ItemLook(item_id, group, item.mean, item.item_rest, item.flags)
        for item_id, group, item in zip(
            aligned.items, aligned.groups, item_analysis(aligned.means), strict=True
        )
    ]
    return ItemsLook(
        task=chosen[0].title,
        digest=chosen[0].digest,
        runs=tuple(chosen),
        left_out=tuple(run for run in every if run not in chosen),
        standings=found.standings,
        items=tuple(sorted(looks, key=lambda look: (look.mean, look.item_id))),
        alpha=cronbach(aligned.means),
        chance=found.chance,
    )


def editions(runs: Iterable[Listed]) -> tuple[tuple[Listed, ...], ...]:
    """Runs by the digest of their task: the task that most models ran first, then the newest."""
    by_digest: dict[str, list[Listed]] = {}
    for run in sorted(runs, key=lambda run: (run.created, run.id), reverse=True):
        by_digest.setdefault(run.digest, []).append(run)
    models = {digest: len({run.model for run in group}) for digest, group in by_digest.items()}
    ordered = sorted(by_digest, key=lambda digest: -models[digest])
    return tuple(tuple(by_digest[digest]) for digest in ordered)


def _chosen(newest_first: Sequence[Listed]) -> list[Listed]:
    by_model: dict[str, Listed] = {}
    complete = [run for run in newest_first if run.status == "complete" and run.score is not None]
    most = max((_items(run) for run in complete), default=0)
    for run in complete:
        if _items(run) >= _NEARLY * most:
            by_model.setdefault(run.model, run)
    return list(by_model.values())[:_MOST]


def _items(run: Listed) -> int:
    return run.score.n if run.score else 0
