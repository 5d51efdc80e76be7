"""Values over dates, with their intervals; where a value is missing, the line has a gap."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from markupsafe import Markup

from bakeoff.charts.figure import Table, drawn, figure
from bakeoff.charts.plane import Plane, down, plane
from bakeoff.charts.scale import Scale, Tick, finite, linear, thinned
from bakeoff.charts.units import Unit, share

HEIGHT = 240
STYLES = 5
"""Lines that are told apart by dashes and marks; more series than these repeat them."""
_MOST_TICKS = 8
_MOST_MARKS = 60
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True, slots=True)
class Moment:
    """A value on a date with the ends of its interval; a value that is None or not finite is a gap."""

    on: date
    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """The moments of one thing, in any order, one for each date."""

    name: str
    moments: tuple[Moment, ...]
    href: str | None = None
    key: str = ""


@dataclass(frozen=True, slots=True)
class Timeline:
    """Series on one scale."""

    title: str
    series: tuple[Series, ...]
    y_name: str = "score"
    unit: Unit = share
    says: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """A value in its place: per cent across, pixels down."""

    at: float
    y: float
    title: str


@dataclass(frozen=True, slots=True)
class Line:
    """A series in its places: which style it has, the paths of its line and its band, and its spots."""

    series: Series
    style: int
    path: str
    band: str
    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """A timeline in its places."""

    plane: Plane
    lines: tuple[Line, ...]


def timeline(data: Timeline, key: str, table: bool | str = True) -> Markup:
    """The figure, or a sentence where there is no value.

    Raises:
        ValueError: two moments of a series on one date, a value at or beyond 10^15, or a `key` that is no
            name for ids.
    """
    view = layout(data)
    frame = figure(key, data.title, data.says, _description(data), _table(data), table)
    return drawn("timeline.svg.j2", f=frame, view=view, data=data)


def layout(data: Timeline) -> Layout:
    """Where everything goes."""
    moments = [moment for series in data.series for moment in series.moments]
    days = _days(moment.on.toordinal() for moment in moments)
    y = linear(finite(v for m in moments for v in (m.value, m.low, m.high)), within=data.unit.within)
    lines = tuple(_line(series, index, days, y, data.unit) for index, series in enumerate(data.series))
    ticks = date_ticks(days) if moments else ()
    return Layout(plane(ticks, y, data.unit, "", data.y_name, HEIGHT), lines)


def _days(found: Iterable[int]) -> Scale:
    """A scale of days; one day alone stands in the middle of a month."""
    days = set(found)
    return linear({day + off for day in days for off in (-15, 15)} if len(days) == 1 else days)


def date_ticks(days: Scale) -> tuple[Tick, ...]:
    """At most eight first days of years or months, or days a whole step apart, as the scale is long."""
    first, last = date.fromordinal(max(1, math.ceil(days.low))), date.fromordinal(math.floor(days.high))
    for months in (1, 2, 3, 6, 12, 24, 60, 120, 600):
        found = _months(first, last, months)
        if len(found) <= _MOST_TICKS:
            break
    if len(found) >= 3:
        texts = [str(day.year) if months >= 12 else f"{_MONTHS[day.month - 1]} {day.year}" for day in found]
    else:
        step = math.ceil((last.toordinal() - first.toordinal() + 1) / 5)
        found = [date.fromordinal(day) for day in range(first.toordinal(), last.toordinal() + 1, step)]
        texts = [f"{day.day} {_MONTHS[day.month - 1]} {day.year}" for day in found]
    return thinned([days.at(day.toordinal()) for day in found], texts)


def _months(first: date, last: date, step: int) -> list[date]:
    months = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
    days = [date(month // 12, month % 12 + 1, 1) for month in months if month % step == 0]
    return [day for day in days if first <= day <= last]


def _line(series: Series, index: int, days: Scale, y: Scale, unit: Unit) -> Line:
    moments = sorted(series.moments, key=lambda moment: moment.on)
    if len({moment.on for moment in moments}) < len(moments):
        raise ValueError(f"{series.name!r} has two values on one date")
    pieces = _pieces(moments)
    known = [moment for piece in pieces for moment in piece]
    spots = tuple(_spot(moment, series.name, days, y, unit) for moment in known)
    return Line(
        series,
        index % STYLES,
        "".join(_path([(days.at(m.on.toordinal()), m.value) for m in piece], y) for piece in pieces),
        "".join(_band(part, days, y) for piece in pieces for part in _ranged(piece)),
        spots if len(spots) <= _MOST_MARKS else (spots[0], spots[-1]),
    )


def _pieces(moments: Sequence[Moment]) -> list[list[Moment]]:
    """Runs of moments with a value."""
    found: list[list[Moment]] = [[]]
    for moment in moments:
        if moment.value is None or not math.isfinite(moment.value):
            found.append([])
        else:
            found[-1].append(moment)
    return [piece for piece in found if piece]


def _ranged(piece: Sequence[Moment]) -> list[list[Moment]]:
    """Runs of moments with an interval; one alone makes no band."""
    found: list[list[Moment]] = [[]]
    for moment in piece:
        if len(finite([moment.low, moment.high])) == 2:
            found[-1].append(moment)
        else:
            found.append([])
    return [part for part in found if len(part) > 1]


def _path(points: Sequence[tuple[float, float | None]], y: Scale) -> str:
    path = "L".join(f"{at:g} {down(y, value, HEIGHT):g}" for at, value in points if value is not None)
    # A line of no length is a dot, as its caps are round.
    return f"M{path}" if len(points) > 1 else f"M{path}h0"


def _band(part: Sequence[Moment], days: Scale, y: Scale) -> str:
    there = _path([(days.at(moment.on.toordinal()), moment.high) for moment in part], y)
    back = _path([(days.at(moment.on.toordinal()), moment.low) for moment in reversed(part)], y)
    return f"{there}L{back[1:]}Z"


def _spot(moment: Moment, name: str, days: Scale, y: Scale, unit: Unit) -> Spot:
    assert moment.value is not None
    title = f"{name}, {_day(moment.on)}: {_reading(moment, unit)}"
    return Spot(days.at(moment.on.toordinal()), down(y, moment.value, HEIGHT), title)


def _reading(moment: Moment, unit: Unit) -> str:
    ends = finite([moment.low, moment.high])
    between = f" [{unit(ends[0])}, {unit(ends[1])}]" if len(ends) == 2 else ""
    return f"{unit(moment.value)}{between}"


def _day(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _description(data: Timeline) -> str:
    said = []
    for series in data.series:
        known = [m for m in sorted(series.moments, key=lambda moment: moment.on) if finite([m.value])]
        if known:
            first, last = known[0], known[-1]
            since, until = (f"{data.unit(each.value)} on {_day(each.on)}" for each in (first, last))
            said.append(f"{series.name}: {since}, {until}.")
    return " ".join(said[:12]) or "Nothing to draw."


def _table(data: Timeline) -> Table:
    days = sorted({moment.on for series in data.series for moment in series.moments})
    by_day = [{moment.on: _reading(moment, data.unit) for moment in series.moments} for series in data.series]
    rows = tuple((_day(day), *(each.get(day, "–") for each in by_day)) for day in days)
    return Table(("date", *(series.name for series in data.series)), rows)
