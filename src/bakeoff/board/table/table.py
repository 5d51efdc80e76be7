"""A snapshot made ready to be looked at: everything that does not depend on who looks, worked out once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bakeoff.board.definition import Board
from bakeoff.board.ranking.snapshot import Row, Snapshot
from bakeoff.board.reported.importing import LOWER
from bakeoff.board.table.columns import Cell, Column, columns_of, organisation, parameters
from bakeoff.board.table.keys import row_keys
from bakeoff.board.table.pareto import front
from bakeoff.board.table.presets import PRESETS
from bakeoff.board.table.ties import BoolArray, Told, tiers, told
from bakeoff.board.table.view import FACETS, NOT_STATED
from bakeoff.errors import BakeoffError
from bakeoff.stats.arrays import FloatArray
from bakeoff.task.spec import nearest

Order = NDArray[np.intp]
ALWAYS = ("ranks", "model", "score")
"""Columns that every board shows unless others are asked for."""
USUAL_SCORES = 12
"""So many columns of suites are shown unless others are asked for."""


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """What rows say of one thing: the `values` there are, and by row which of them (rows,)."""

    values: tuple[str, ...]
    codes: Order

    def of(self, wanted: Iterable[str]) -> BoolArray:
        """The rows that say one of these."""
        found = set(wanted)
        return np.array([each in found for each in self.values], dtype=np.bool_)[self.codes]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A snapshot, its rows in the board's order, and what is asked of them again and again.

    Never changed, and safe to be read by many threads. `columns` are those that say something of some row;
    the others can be asked for by their keys all the same. `usual` are the keys of the columns that are shown
    unless others are asked for, `same` the columns, left out of them, that say one thing of all rows. `tiers`
    are by row, None where scores come without errors. `fronts` are the keys of the rows on the front of the
    score against cost, latency and parameters, where those are known of more than one row; they are of the
    whole board, whatever of it is looked at. `lower` says that a lower score is better.
    """

    snapshot: Snapshot
    digest: str
    columns: tuple[Column, ...]
    named: Mapping[str, Column]
    usual: tuple[str, ...]
    same: tuple[Column, ...]
    keys: tuple[str, ...]
    index: Mapping[str, int]
    lower: bool
    told: Told
    tiers: tuple[int | None, ...]
    fronts: Mapping[str, frozenset[str]]
    extents: Mapping[str, tuple[float, float]]
    """The least and the greatest of each column of scores, its intervals included."""
    texts: tuple[str, ...]
    """What is searched of each row, in lower case."""
    choices: Mapping[str, Choice]
    numbers: Mapping[str, FloatArray]
    """Cost, latency and parameters of each row, NaN where they are not known."""
    seen_first: tuple[str, ...]
    ranked: BoolArray
    chosen: Mapping[str, tuple[BoolArray, BoolArray]]
    """By preset, the rows that it chooses, and those that say what decides."""
    orders: Mapping[str, tuple[Order, Order]]

    def row(self, key: str) -> Row:
        """The row of a key.

        Raises:
            BakeoffError: there is none.
        """
        return self.snapshot.rows[self.place(key)]

    def place(self, key: str) -> int:
        """The number of the row of a key in the board's order, from 0.

        Raises:
            BakeoffError: there is none.
        """
        if key not in self.index:
            raise BakeoffError(
                f"there is no row {key!r:.80} on {self.snapshot.board} as of {self.snapshot.made[:10]}"
            )
        return self.index[key]

    def column(self, key: str, parameter: str = "columns") -> Column:
        """The column of a key; `parameter` is what asked for it.

        Raises:
            BakeoffError: there is none.
        """
        if key not in self.named:
            known = [each.key for each in self.columns]
            raise BakeoffError(
                f"{parameter}: {key!r:.80} is no column of {self.snapshot.board}",
                nearest(key, known, "there are"),
            )
        return self.named[key]

    def scale(self, *keys: str) -> tuple[float, float] | None:
        """One scale for these columns of scores; None where they hold nothing."""
        found = [self.extents[key] for key in keys if key in self.extents]
        return (min(low for low, _ in found), max(high for _, high in found)) if found else None

    def order(self, sort: str) -> Order:
        """The numbers of all rows as `sort` of a view says; what is missing is last either way, and what is
        equal in the board's order.

        Raises:
            BakeoffError: there is no such column.
        """
        if not sort:
            return np.arange(len(self.keys))
        return self.orders[self.column(sort.removeprefix("-"), "sort").key][sort.startswith("-")]


def prepared(snapshot: Snapshot, digest: str = "", *, columns: Sequence[str] | None = None) -> Table:
    """A snapshot made ready; `digest` is its own, to be given where it is known. `columns` are those that its
    board shows beside the scores, by default those of a board that does not say.
    """
    rows = snapshot.rows
    keys = row_keys(rows)
    named = {each.key: each for each in columns_of(snapshot)}
    values = {key: [each.value(row) for row in rows] for key, each in named.items()}
    there = [each for key, each in named.items() if key in ALWAYS or values[key].count(None) < len(rows)]
    apart = told(snapshot)
    levels = tiers(apart).tolist()
    numbers = _numbers(rows)
    facts = Board.model_fields["columns"].default if columns is None else columns
    usual = (*ALWAYS, *_score_keys(there)[:USUAL_SCORES], *facts)
    wanted = {*usual, "attempt"}
    if any(row.entrant.organisation for row in rows):
        wanted.add("organisation")
    same = [each for each in there if each.key in wanted and _says_one_thing(each, values[each.key])]
    return Table(
        snapshot=snapshot,
        digest=digest or snapshot.digest,
        columns=tuple(there),
        named=named,
        usual=tuple(each.key for each in there if each.key in wanted and each not in same),
        same=tuple(same),
        keys=keys,
        index={key: place for place, key in enumerate(keys)},
        lower=LOWER in snapshot.notes,
        told=apart,
        tiers=tuple(each or None for each in levels),
        fronts=_fronts(apart.quality, numbers, keys),
        extents=_extents(there, rows),
        texts=tuple(_searched(row) for row in rows),
        choices={name: _choice(rows, name) for name in FACETS},
        numbers=numbers,
        seen_first=tuple(row.entrant.first_seen[:10] for row in rows),
        ranked=np.array([row.place is not None for row in rows], dtype=np.bool_),
        chosen={each.name: _chosen([each.chooses(row) for row in rows]) for each in PRESETS},
        orders={key: _orders(values[key], each.descending) for key, each in named.items()},
    )


def _score_keys(columns: Iterable[Column]) -> list[str]:
    return [each.key for each in columns if each.key.startswith("score.")]


def _says_one_thing(column: Column, values: Sequence[Cell]) -> bool:
    return column.kind in ("text", "date", "number") and len(values) > 1 and len(set(values)) == 1


def _numbers(rows: Sequence[Row]) -> dict[str, FloatArray]:
    scores = [row.entrant.scores for row in rows]
    return {
        "cost": np.array([each.cost for each in scores], dtype=np.float64),
        "latency": np.array([each.latency_p50 for each in scores], dtype=np.float64),
        "parameters": np.array([parameters(row) for row in rows], dtype=np.float64),
    }


def _fronts(
    quality: FloatArray, numbers: Mapping[str, FloatArray], keys: Sequence[str]
) -> dict[str, frozenset[str]]:
    return {
        name: frozenset(keys[place] for place in np.flatnonzero(front(quality, price)).tolist())
        for name, price in numbers.items()
        if (~np.isnan(price) & ~np.isnan(quality)).sum() > 1
    }


def _extents(columns: Iterable[Column], rows: Sequence[Row]) -> dict[str, tuple[float, float]]:
    found = {}
    for column in columns:
        if column.score is None:
            continue
        scores = [column.score(row) for row in rows]
        ends = [end for each in scores for end in (each.value, each.low, each.high) if end is not None]
        if ends:
            found[column.key] = (min(ends), max(ends))
    return found


def _searched(row: Row) -> str:
    entrant = row.entrant
    return "\n".join((entrant.model, organisation(row), entrant.precision, entrant.licence)).casefold()


def _choice(rows: Sequence[Row], name: str) -> Choice:
    said = [_said(row, name) or NOT_STATED for row in rows]
    values = tuple(sorted(set(said), key=lambda each: (each.casefold(), each)))
    codes = {value: code for code, value in enumerate(values)}
    return Choice(values, np.array([codes[each] for each in said], dtype=np.intp))


def _said(row: Row, name: str) -> str:
    return organisation(row) if name == "organisation" else str(getattr(row.entrant, name))


def _chosen(found: Sequence[bool | None]) -> tuple[BoolArray, BoolArray]:
    return (
        np.array([each is True for each in found], dtype=np.bool_),
        np.array([each is not None for each in found], dtype=np.bool_),
    )


def _orders(values: Sequence[Cell], descending: bool) -> tuple[Order, Order]:
    """The natural order and the other; both keep the board's where values are equal or missing."""
    plain = [each.casefold() if isinstance(each, str) else each for each in values]
    there: list[str | float] = sorted({each for each in plain if each is not None})
    codes = {value: code for code, value in enumerate(there)}
    up = np.array([len(codes) if each is None else codes[each] for each in plain], dtype=np.intp)
    down = np.where(up == len(codes), up, len(codes) - 1 - up)
    rising, falling = np.argsort(up, kind="stable"), np.argsort(down, kind="stable")
    return (falling, rising) if descending else (rising, falling)
