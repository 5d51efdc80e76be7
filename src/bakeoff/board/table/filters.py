"""Which rows a view lets through, one condition after another."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bakeoff.board.table.search import matching
from bakeoff.board.table.table import Table
from bakeoff.board.table.ties import BoolArray
from bakeoff.board.table.view import FACETS, View
from bakeoff.errors import BakeoffError
from bakeoff.stats.arrays import FloatArray
from bakeoff.task.spec import nearest


@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """The rows that meet it (rows,), and those of which it is known whether they do."""

    name: str
    met: BoolArray
    known: BoolArray


def conditions(table: Table, view: View) -> tuple[Condition, ...]:
    """The conditions of a view, of which each row must meet all. Their order does not matter.

    Raises:
        BakeoffError: a pattern, preset or row is none of the table's.
    """
    return tuple(_conditions(table, view))


def _conditions(table: Table, view: View) -> Iterator[Condition]:
    if view.search:
        yield _sure("search", matching(table.texts, view.search))
    for name in FACETS:
        if wanted := getattr(view, name):
            yield _sure(name, table.choices[name].of(wanted))
    if view.state == "ranked":
        yield _sure("state", table.ranked)
    for name, low, high in (
        ("parameters", view.parameters_min, view.parameters_max),
        ("cost", None, view.cost_max),
        ("latency", None, view.latency_max),
    ):
        if low is not None or high is not None:
            yield _between(name, table.numbers[name], low, high)
    if view.since is not None:
        day = view.since.isoformat()
        first = table.seen_first
        yield Condition(
            "since",
            np.array([each >= day for each in first], dtype=np.bool_),
            np.array([bool(each) for each in first], dtype=np.bool_),
        )
    if view.pareto:
        yield _on_front(table, view.pareto)
    if view.tied:
        yield _tied(table, view.tied)
    if view.preset:
        yield _preset(table, view.preset)


def _sure(name: str, met: BoolArray) -> Condition:
    return Condition(name, met, np.ones(len(met), dtype=np.bool_))


def _between(name: str, numbers: FloatArray, low: float | None, high: float | None) -> Condition:
    # A comparison with NaN is false.
    met = (numbers >= (-np.inf if low is None else low)) & (numbers <= (np.inf if high is None else high))
    return Condition(name, met, ~np.isnan(numbers))


def _on_front(table: Table, name: str) -> Condition:
    on = table.fronts.get(name, frozenset())
    met = np.array([key in on for key in table.keys], dtype=np.bool_)
    return Condition("pareto", met, ~np.isnan(table.numbers[name]) & ~np.isnan(table.told.quality))


def _tied(table: Table, key: str) -> Condition:
    place = table.place(key)
    if table.tiers[place] is None:
        raise BakeoffError(
            f"tied: the score of {key!r:.80} has no range of ranks, so nothing can be told apart from it",
            "name a row that has one",
        )
    return Condition("tied", table.told.tied(place), table.told.known)


def _preset(table: Table, name: str) -> Condition:
    if name not in table.chosen:
        raise BakeoffError(f"preset: {name!r:.80} is none", nearest(name, table.chosen, "there are"))
    return Condition("preset", *table.chosen[name])
