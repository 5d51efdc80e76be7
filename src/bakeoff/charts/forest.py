"""Estimates and their intervals, one a row, on one scale."""

import math
from dataclasses import dataclass

from markupsafe import Markup

from bakeoff.charts.figure import drawn, figure
from bakeoff.charts.rows import Axis, Place, Row, beside, over
from bakeoff.charts.scale import Scale, finite, labelled, linear
from bakeoff.charts.units import Unit, share


@dataclass(frozen=True, slots=True)
class Estimate:
    """A named value with the ends of its interval, in the field's unit.

    A value that is None or not finite is missing: its row says so and has no drawing. So are the ends.
    `note` stands under the name, `key` is the row's `data-key`.
    """

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    href: str | None = None
    note: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Forest:
    """Estimates in the order of their rows.

    `reference` is a value with a line through all rows, named by `reference_name`; `sides` are the words
    left and right of that line, "worse" and "better" say. `of` names what the rows are, `value_name` what
    is estimated.
    """

    title: str
    rows: tuple[Estimate, ...]
    of: str = "name"
    value_name: str = "score"
    unit: Unit = share
    says: str = ""
    reference: float | None = None
    reference_name: str = ""
    sides: tuple[str, str] | tuple[()] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """A forest plot in its places."""

    axis: Axis
    rows: tuple[Row, ...]


def forest(data: Forest, key: str) -> Markup:
    """The figure: a table with a drawing in each row, so that it is its own text alternative.

    Raises:
        ValueError: a reference that is not finite, a value at or beyond 10^15, an interval that is upside
            down, or a `key` that is no name for ids.
    """
    view = layout(data)
    frame = figure(key, data.title, data.says, _description(data))
    return drawn("forest.svg.j2", f=frame, view=view, data=data)


def layout(data: Forest) -> Layout:
    """Where everything goes."""
    if data.reference is not None and not math.isfinite(data.reference):
        raise ValueError(
            f"the reference line of {data.title!r} must be a finite number, got {data.reference}"
        )
    values = finite(each for row in data.rows for each in (row.value, row.low, row.high))
    on = linear([*values, *(() if data.reference is None else (data.reference,))], within=data.unit.within)
    return Layout(_axis(data, on), tuple(_row(row, on, data.unit) for row in data.rows))


def _axis(data: Forest, on: Scale) -> Axis:
    ticks = labelled(on, data.unit)
    if data.reference is None:
        return Axis(ticks, (), ())
    at = on.at(data.reference)
    if data.sides:
        return Axis(ticks, (at,), beside(at, f"← {data.sides[0]}", f"{data.sides[1]} →"))
    return Axis(ticks, (at,), (over(at, data.reference_name),) if data.reference_name else ())


def _row(row: Estimate, on: Scale, unit: Unit) -> Row:
    if not finite([row.value]):
        return Row(row.name, row.href, row.key, unit(None), row.note, None)
    assert row.value is not None
    ends = finite([row.low, row.high])
    if len(ends) < 2:
        return Row(
            row.name, row.href, row.key, unit.bare(row.value), row.note, Place(on.at(row.value), None, None)
        )
    low, high = ends
    if low > high:
        raise ValueError(f"the interval of {row.name!r} is upside down: [{low:g}, {high:g}]")
    place = Place(on.at(row.value), on.at(low), on.at(high))
    return Row(
        row.name,
        row.href,
        row.key,
        f"{unit.bare(row.value)} [{unit.bare(low)}, {unit.bare(high)}]",
        row.note,
        place,
    )


def _description(data: Forest) -> str:
    values = finite(row.value for row in data.rows)
    if not values:
        return "Nothing to draw."
    line = "" if data.reference is None else f" A line at {data.unit(data.reference)}: {data.reference_name}."
    return f"{len(values):,} estimates from {data.unit(min(values))} to {data.unit(max(values))}.{line}"
