"""Differences of every two, as a table whose cells show sign and size without colour too."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

from bakeoff.charts.figure import Link, drawn, figure
from bakeoff.charts.units import Unit, points

LEVELS = 4
"""Shades of a difference, the darkest for the largest of the map."""
Side = Literal["", "ahead", "behind"]


@dataclass(frozen=True, slots=True)
class Difference:
    """The row's value less the column's, with its interval; `apart` if the data tell the two apart."""

    value: float
    low: float | None = None
    high: float | None = None
    apart: bool = False
    href: str | None = None


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Names, and the difference of (row, column) by their places in `names`, each pair once.

    A pair that is not there is missing: its cells are empty, which the key says.
    """

    title: str
    names: tuple[Link, ...]
    pairs: Mapping[tuple[int, int], Difference]
    of: str = "model"
    unit: Unit = points
    says: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A difference as it is shown; `level` from 1 to LEVELS where the two are told apart, else 0."""

    text: str
    side: Side
    level: int
    title: str
    href: str | None


@dataclass(frozen=True, slots=True)
class Layout:
    """Rows of cells; None on the diagonal and where a pair is missing."""

    rows: tuple[tuple[Cell | None, ...], ...]
    missing: int


def heat_map(data: HeatMap, key: str) -> Markup:
    """The figure: a table, so that it is its own text alternative; a sentence where there are not two names.

    Raises:
        ValueError: a pair of one with itself, given in both orders or beyond the names; a difference that
            is not finite; a `key` that is no name for ids.
    """
    view = layout(data)
    frame = figure(key, data.title, data.says, "")
    return drawn("heat_map.svg.j2", f=frame, view=view, data=data)


def layout(data: HeatMap) -> Layout:
    """Each pair in both of its cells, with opposite signs."""
    n = len(data.names)
    both: dict[tuple[int, int], Difference] = {}
    for (row, column), each in data.pairs.items():
        if row == column or (row, column) in both or not (0 <= row < n and 0 <= column < n):
            raise ValueError(
                f"the pair {(row, column)} is given twice, of one with itself, or beyond the {n} names"
            )
        if not math.isfinite(each.value):
            raise ValueError(
                f"the difference of {(row, column)} must be finite; leave the pair out where it is missing"
            )
        both[row, column] = each
        both[column, row] = _turned(each)
    largest = max((abs(each.value) for each in both.values()), default=0.0)
    return Layout(
        tuple(
            tuple(_cell(both.get((row, column)), largest, data, row, column) for column in range(n))
            for row in range(n)
        ),
        n * (n - 1) // 2 - len(data.pairs),
    )


def _turned(each: Difference) -> Difference:
    low, high = (None if end is None else -end for end in (each.high, each.low))
    return Difference(-each.value, low, high, each.apart, each.href)


def _cell(each: Difference | None, largest: float, data: HeatMap, row: int, column: int) -> Cell | None:
    if each is None:
        return None
    side: Side = "" if each.value == 0 or not each.apart else "ahead" if each.value > 0 else "behind"
    level = math.ceil(LEVELS * abs(each.value) / largest) if side else 0
    between = (
        "" if each.low is None or each.high is None else f" [{data.unit(each.low)}, {data.unit(each.high)}]"
    )
    told = "" if each.apart else "; cannot be told apart"
    title = f"{data.names[row].name} less {data.names[column].name}: {data.unit(each.value)}{between}{told}"
    return Cell(data.unit.bare(each.value), side, level, title, each.href)
