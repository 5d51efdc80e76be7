"""Points by two values, with those that nothing beats on both: the Pareto front."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

from bakeoff.charts.figure import Link, Table, drawn, figure, listed
from bakeoff.charts.labels import Box, Label, Wanted, place
from bakeoff.charts.plane import HEIGHT, Plane, down, plane
from bakeoff.charts.scale import Scale, labelled, linear, logarithmic
from bakeoff.charts.units import Unit, raw

DENSE = 400
"""Above so many points only those on the front and marked ones are links with whiskers; the rest are dots."""
_FEW = 12
"""So many points are all named where their names have room."""


@dataclass(frozen=True, slots=True)
class Point:
    """A thing with two values in the fields' units; less is better across, more is better up.

    None or a number that is not finite is missing: the point is counted and in the table, not drawn.

    Attributes:
        key: what a row of the page's table and this point have in common (`data-key`).
        name: as shown.
        x: the value across.
        y: the value up.
        low: the low end of the interval of y, with `high`; None without one.
        high: the high end.
        href: the page about it.
        open: drawn filled if True, hollow if False, as a diamond if unknown.
        marked: drawn larger and named first; pinned rows.
    """

    key: str
    name: str
    x: float | None
    y: float | None
    low: float | None = None
    high: float | None = None
    href: str | None = None
    open: bool | None = None
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Scatter:
    """Points, the names and units of their values, and what to see in them.

    `front` are the keys of the points on the front, None for those that no other point beats (`pareto`).
    `meanings` are the words for what is filled and what is hollow; empty where that means nothing.
    """

    title: str
    points: tuple[Point, ...]
    x_name: str
    y_name: str
    x_unit: Unit = raw
    y_unit: Unit = raw
    log: bool = True
    says: str = ""
    front: frozenset[str] | None = None
    meanings: tuple[str, str] | tuple[()] = ("open weights", "closed")


@dataclass(frozen=True, slots=True)
class Mark:
    """A point in its place: `at` per cent across, `y`, `top` and `bottom` pixels from the top."""

    point: Point
    at: float
    y: float
    top: float | None
    bottom: float | None
    front: bool
    title: str


@dataclass(frozen=True, slots=True)
class Layout:
    """A scatter in its places.

    `line` joins the front, `dots` are points drawn without more, one path for each kind of mark, and
    `kinds` says what those marks mean.
    """

    plane: Plane
    marks: tuple[Mark, ...]
    labels: tuple[Label, ...]
    line: str
    dots: tuple[tuple[str, str], ...]
    missing: int
    kinds: tuple[tuple[str, str], ...]


def scatter(data: Scatter, key: str, table: bool | str = True) -> Markup:
    """The figure, or a sentence where no point has both values.

    Raises:
        ValueError: two points of one key, an interval upside down, a value beyond 10^15 or, on a
            logarithmic axis, below 0; a `key` that is no name for ids.
    """
    view = layout(data)
    numbers = _table(data) if table is True else None  # thousands of rows, where the page has them anyway
    frame = figure(key, data.title, data.says, _description(data, view), numbers, table)
    return drawn("scatter.svg.j2", f=frame, view=view, data=data)


def layout(data: Scatter) -> Layout:
    """Where everything goes."""
    if len({point.key for point in data.points}) < len(data.points):
        raise ValueError("two points of a scatter have the same key")
    known = _known(data.points)
    xs = [each.x for each in known]
    ys = [value for each in known for value in (each.y, *each.ends)]
    x = logarithmic(xs) if data.log else linear(xs, within=data.x_unit.within)
    y = linear(ys, within=data.y_unit.within)
    front = _front(known) if data.front is None else data.front
    dense = len(known) > DENSE
    dots = [each for each in known if dense and not (each.point.marked or each.point.key in front)]
    marks = [
        _mark(each, x, y, data, on=each.point.key in front)
        for each in known
        if not dense or each.point.marked or each.point.key in front
    ]
    # What matters is drawn last, on top.
    marks.sort(key=lambda mark: (mark.point.marked, mark.front))
    name = data.x_unit.axis(data.x_name) + (" (log scale) →" if data.log else " →")
    return Layout(
        plane(labelled(x, data.x_unit), y, data.y_unit, name, data.y_name),
        tuple(marks),
        place(_wanted(marks, dense=dense), map(_box, marks), HEIGHT),
        _steps([mark for mark in marks if mark.front]),
        _dots(dots, x, y),
        len(data.points) - len(known),
        _kinds(data, {each.point.open for each in known}),
    )


def _kinds(data: Scatter, found: set[bool | None]) -> tuple[tuple[str, str], ...]:
    """What each mark that is there means, where there are several kinds."""
    if not data.meanings or len(found) < 2:
        return ()
    words = (
        (True, "filled", data.meanings[0]),
        (False, "hollow", data.meanings[1]),
        (None, "other", "not known"),
    )
    return tuple((mark, meaning) for kind, mark, meaning in words if kind in found)


def pareto(points: Iterable[Point]) -> frozenset[str]:
    """The keys of the points that no other beats: none has as little x, as much y, and one of them better."""
    return _front(_known(points))


def _front(known: "Iterable[_Known]") -> frozenset[str]:
    best, at, front = -math.inf, math.nan, set()
    for each in sorted(known, key=lambda each: (each.x, -each.y)):
        if each.y > best or (each.y == best and each.x == at):
            best, at = each.y, each.x
            front.add(each.point.key)
    return frozenset(front)


@dataclass(frozen=True, slots=True)
class _Known:
    """A point that has both values; `ends` of its interval, or none."""

    point: Point
    x: float
    y: float
    ends: tuple[float, float] | tuple[()]


def _known(points: Iterable[Point]) -> list[_Known]:
    found = []
    for point in points:
        x, y, low, high = point.x, point.y, point.low, point.high
        if x is None or y is None or not (math.isfinite(x) and math.isfinite(y)):
            continue
        if low is None or high is None or not (math.isfinite(low) and math.isfinite(high)):
            found.append(_Known(point, x, y, ()))
            continue
        if low > high:
            raise ValueError(f"the interval of {point.name!r} is upside down: [{low:g}, {high:g}]")
        found.append(_Known(point, x, y, (low, high)))
    return found


def _mark(each: _Known, x: Scale, y: Scale, data: Scatter, *, on: bool) -> Mark:
    top = bottom = None
    between = ""
    if each.ends:
        bottom, top = (down(y, end) for end in each.ends)
        between = f" [{data.y_unit(each.ends[0])}, {data.y_unit(each.ends[1])}]"
    title = f"{each.point.name}: {data.y_unit(each.y)}{between}, {data.x_name} {data.x_unit(each.x)}"
    return Mark(each.point, x.at(each.x), down(y, each.y), top, bottom, on, title)


def _wanted(marks: list[Mark], *, dense: bool) -> list[Wanted]:
    """The marked ones, then the front from its best; where there are few, all."""
    few = len(marks) <= _FEW
    named = [mark for mark in marks if mark.front or mark.point.marked or few]
    named.sort(key=lambda mark: (not mark.point.marked, not mark.front, mark.y))
    return [
        Wanted(mark.at, mark.y, mark.point.name, _radius(mark), up=dense and not mark.point.marked)
        for mark in named
    ]


def _box(mark: Mark) -> Box:
    r = _radius(mark)
    return Box(mark.at, -r, r, mark.y - r, mark.y + r)


def _radius(mark: Mark) -> float:
    return 7.0 if mark.point.marked else 5.0 if mark.front else 4.0


def _steps(front: list[Mark]) -> str:
    """Nothing is better than a point until the next one costs as much."""
    if not front:
        return ""
    first, *others = sorted(front, key=lambda mark: (mark.at, -mark.y))
    steps = "".join(f"H{mark.at:g}V{mark.y:g}" for mark in others)
    return f"M{first.at:g} {first.y:g}{steps}H100"


def _dots(known: Iterable[_Known], x: Scale, y: Scale) -> tuple[tuple[str, str], ...]:
    """Each kind as one path of points of no length, which round caps make dots."""
    kinds: dict[str, list[str]] = {"filled": [], "hollow": []}
    for each in known:
        kind = "hollow" if each.point.open is False else "filled"
        kinds[kind].append(f"M{x.at(each.x):g} {down(y, each.y):g}h0")
    return tuple((kind, "".join(path)) for kind, path in kinds.items() if path)


def _description(data: Scatter, view: Layout) -> str:
    known = _known(data.points)
    if not known:
        return "Nothing to draw."
    xs, ys = [each.x for each in known], [each.y for each in known]
    said = (
        f"{len(known):,} points. {data.x_name}: {data.x_unit(min(xs))} to {data.x_unit(max(xs))}"
        f"{', on a logarithmic scale' if data.log else ''}. "
        f"{data.y_name}: {data.y_unit(min(ys))} to {data.y_unit(max(ys))}."
    )
    front = [mark.point.name for mark in sorted(view.marks, key=lambda mark: mark.at) if mark.front]
    return f"{said} On the front, from left to right: {listed(front)}." if front else said


def _table(data: Scatter) -> Table:
    x, y = data.x_unit, data.y_unit
    rows = tuple(
        (Link(point.name, point.href), x.bare(point.x), y.bare(point.y), y.between(point.low, point.high))
        for point in data.points
    )
    return Table(("name", x.axis(data.x_name), y.axis(data.y_name), "interval"), rows)
