"""What is seen of a board: the rows that a view asks for, in its order, and what is to be chosen from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bakeoff.board.ranking.snapshot import Row
from bakeoff.board.table.columns import Column
from bakeoff.board.table.filters import Condition, conditions
from bakeoff.board.table.presets import PRESETS
from bakeoff.board.table.table import Order, Table
from bakeoff.board.table.ties import BoolArray
from bakeoff.board.table.view import FACETS, NOT_STATED, View
from bakeoff.errors import BakeoffError

ONE_PAGE, OF_MANY = 1000, 500
"""Rows that are shown on one page, and rows on each page where there are more."""


@dataclass(frozen=True, slots=True)
class Line:
    """A row as it is seen. `tier` is 1 where it may be the best, None where its score comes without an error.

    A row that is `pinned` is there even where it does not match.
    """

    key: str
    row: Row
    tier: int | None
    pinned: bool
    matches: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """A value to choose rows by, and how many there would be under all other filters."""

    value: str
    label: str
    count: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Offered:
    """A preset that is worth offering: it chooses `count` rows of the board, and not all."""

    name: str
    title: str
    tip: str
    count: int
    chosen: bool


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What is seen of `table` with `view`.

    `rows` are those of the page, the pinned ones first, which are on every page. `matching` rows match of
    `total`; `unknown` more would, if they said what is filtered by. `first` is the number of the page's
    first row that is not pinned, from 1. `absent` are the keys of pinned or compared rows that this snapshot
    does not have. `front` are the keys on the front that the view asks for, or else on the first that there
    is.
    """

    table: Table
    view: View
    columns: tuple[Column, ...]
    rows: tuple[Line, ...]
    matching: int
    total: int
    unknown: int
    page: int
    pages: int
    first: int
    facets: Mapping[str, tuple[Facet, ...]]
    presets: tuple[Offered, ...]
    absent: tuple[str, ...]
    front: frozenset[str]
    pinned: Order
    others: Order
    met: BoolArray

    @property
    def every(self) -> tuple[Line, ...]:
        """The rows of all pages, the pinned ones first."""
        return _lines(self.table, self.pinned, self.others, self.met)


def seen(table: Table, view: View) -> Seen:
    """What is seen of a table with a view.

    Raises:
        BakeoffError: a column, row, preset, pattern or page that it asks for is not there.
    """
    axis: str = view.pareto or next(iter(table.fronts), "")
    columns = tuple(table.column(key) for key in view.columns or table.usual)
    found = conditions(table, view)
    met = _all(table, (each.met for each in found))
    order = table.order(view.sort)
    pins = np.zeros(len(met), dtype=np.bool_)
    pins[[table.index[key] for key in view.pin if key in table.index]] = True
    pinned, others = order[pins[order]], order[(met & ~pins)[order]]
    size = view.per_page or (OF_MANY if len(others) > ONE_PAGE else ONE_PAGE)
    pages = max(1, -(-len(others) // size))
    if view.page > pages:
        raise BakeoffError(f"page: {view.page:,} is beyond the last, which is {pages:,}")
    start = (view.page - 1) * size
    return Seen(
        table=table,
        view=view,
        columns=columns,
        rows=_lines(table, pinned, others[start : start + size], met),
        matching=int(met.sum()),
        total=len(met),
        unknown=int((_all(table, (each.met | ~each.known for each in found)) & ~met).sum()),
        page=view.page,
        pages=pages,
        first=start + 1,
        facets={name: _facets(table, view, found, name) for name in FACETS},
        presets=_presets(table, view),
        absent=tuple(dict.fromkeys(key for key in (*view.pin, *view.compare) if key not in table.index)),
        front=table.fronts.get(axis, frozenset()),
        pinned=pinned,
        others=others,
        met=met,
    )


def _all(table: Table, met: Iterable[BoolArray]) -> BoolArray:
    found = np.ones(len(table.keys), dtype=np.bool_)
    for each in met:
        found &= each
    return found


def _lines(table: Table, pinned: Order, others: Order, met: BoolArray) -> tuple[Line, ...]:
    rows, keys, tiers = table.snapshot.rows, table.keys, table.tiers
    return (
        *(Line(keys[each], rows[each], tiers[each], True, bool(met[each])) for each in pinned.tolist()),
        *(Line(keys[each], rows[each], tiers[each], False, True) for each in others.tolist()),
    )


def _facets(table: Table, view: View, found: Sequence[Condition], name: str) -> tuple[Facet, ...]:
    """The values of rows that meet all other conditions, those of most rows first, and those asked for."""
    choice = table.choices[name]
    met = _all(table, (each.met for each in found if each.name != name))
    counts = np.bincount(choice.codes[met], minlength=len(choice.values)).tolist()
    wanted: tuple[str, ...] = getattr(view, name)
    counted = dict(zip(choice.values, counts, strict=True)) | {
        each: 0 for each in wanted if each not in choice.values
    }
    facets = [
        Facet(value, "not stated" if value == NOT_STATED else value, count, value in wanted)
        for value, count in counted.items()
        if count or value in wanted
    ]
    return tuple(sorted(facets, key=lambda each: -each.count))


def _presets(table: Table, view: View) -> tuple[Offered, ...]:
    counts = {name: int(rows.sum()) for name, (rows, _) in table.chosen.items()}
    return tuple(
        Offered(each.name, each.title, each.tip, counts[each.name], view.preset == each.name)
        for each in PRESETS
        if 0 < counts[each.name] < len(table.keys) or view.preset == each.name
    )
