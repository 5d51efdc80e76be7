"""A board: the rows that a view asks for, what they may be chosen by, and the score against its price."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import isclose

from markupsafe import Markup

from bakeoff.board.definition import Board
from bakeoff.board.ranking.difference import raw
from bakeoff.board.ranking.provenance import Provenance
from bakeoff.board.ranking.publishing import Dated
from bakeoff.board.ranking.snapshot import Row
from bakeoff.board.table import EVERYTHING, Column, Line, Seen, Table, View, label, seen, text, written
from bakeoff.board.table.columns import Kind, organisation
from bakeoff.board.table.seen import OF_MANY, ONE_PAGE, Facet
from bakeoff.board.table.view import MOST_ROWS, NOT_STATED
from bakeoff.charts import Point, Scale, Scatter, Unit, dollars, scatter, seconds, share, whisker
from bakeoff.charts import raw as plain_number
from bakeoff.charts.scale import linear
from bakeoff.charts.scatter import DENSE
from bakeoff.digest import digest_bytes
from bakeoff.web.links import Links
from bakeoff.web.pages.board_script import script_data

PRICES = ("cost", "latency", "parameters")
"""What a score is drawn against, the first that is known of the rows."""
OFFERED = 200
"""So many values of a filter are offered, those of most rows; searching finds the others."""
Keep = Callable[[str, Callable[[], Markup]], Markup]
"""Gives what was made under a name before, or makes it."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the column `key` as it is shown: `margin` is the half width of an interval, or both sides of
    a lopsided one, and `whisker` draws it.
    """

    key: str
    kind: Kind
    text: str
    margin: str = ""
    whisker: Markup = field(default_factory=Markup)


@dataclass(frozen=True, slots=True)
class Shown:
    """A row as it is shown: `number` is its place in the board's order, from 0; `hidden` rows do not match,
    and are there for the script, which shows them at once when the search changes.
    """

    line: Line
    number: int
    name: str
    organisation: str
    cells: tuple[Cell, ...]
    front: bool
    hidden: bool

    @property
    def lost(self) -> float:
        """The share of samples that ended without an answer that could be scored."""
        outcomes = self.line.row.entrant.scores.outcomes
        return 1 - outcomes.get("scored", 1.0) if outcomes else 0.0

    @property
    def lost_in_words(self) -> str:
        """How they ended, the commonest first."""
        outcomes = self.line.row.entrant.scores.outcomes.items()
        ended = sorted(
            (each for each in outcomes if each[0] != "scored" and each[1]), key=lambda each: -each[1]
        )
        return ", ".join(f"{name.replace('_', ' ')} {100 * each:.1f} %" for name, each in ended)

    @property
    def named_otherwise(self) -> bool:
        """Whether the model's whole name says more than the short one and the organisation."""
        return self.line.row.entrant.model not in (self.name, f"{self.organisation}/{self.name}")


@dataclass(frozen=True, slots=True)
class Active:
    """A filter in words, its field and value, and the query of the view without it."""

    words: str
    name: str
    value: str
    without: str


@dataclass(frozen=True, slots=True)
class Same:
    """What all rows of a board say alike."""

    column: Column
    text: str


@dataclass(frozen=True, slots=True)
class BoardPage:
    """A board as of `state`, one of its `dates`, which are newest first.

    `whole` says that all rows of the board are on the page, `price` what the score is drawn against, empty
    where nothing is known. `carried` are the parts of the view that are no fields of its form.
    """

    board: Board
    dates: tuple[Dated, ...]
    state: Dated
    found: Seen
    columns: tuple[Column, ...]
    rows: tuple[Shown, ...]
    active: tuple[Active, ...]
    carried: tuple[tuple[str, str], ...]
    whole: bool
    price: str
    keep: Keep = field(repr=False)

    @property
    def merged(self) -> bool:
        """Whether the organisation is shown below the model, and not as a column of its own."""
        return len(self.columns) < len(self.found.columns)

    @property
    def ranged(self) -> frozenset[str]:
        """The columns of which some row on the page has an interval."""
        return frozenset(
            each.key for each in self.columns if any(each.limits(row.line.row) for row in self.rows)
        )

    @property
    def known(self) -> tuple[tuple[str, int], ...]:
        """How scores are known, and of how many rows."""
        found = Counter(row.entrant.provenance for row in self.found.table.snapshot.rows)
        return tuple((KNOWN[each], found[each]) for each in KNOWN if found[each])

    def asked(self, name: str) -> str:
        """What a field of the view says, as it is written in an address."""
        return dict(self.found.view.pairs()).get(name, "")

    def offered(self, name: str) -> tuple[Facet, ...]:
        """The values of a filter that are offered, and those that are chosen."""
        values = self.found.facets[name]
        return (*values[:OFFERED], *(each for each in values[OFFERED:] if each.chosen))

    @property
    def newest(self) -> bool:
        """Whether this is the last state that was published."""
        return self.state == self.dates[0]

    @property
    def years(self) -> dict[str, list[Dated]]:
        """The dates by year, newest first."""
        found: dict[str, list[Dated]] = {}
        for each in self.dates:
            found.setdefault(each.made[:4], []).append(each)
        return found

    @property
    def versions(self) -> int:
        """How many versions of the board there are states of."""
        return len({each.version for each in self.dates})

    @property
    def ranked(self) -> int:
        """How many rows of the board have a rank."""
        return int(self.found.table.ranked.sum())

    @property
    def ranges(self) -> bool:
        """Whether scores come with intervals, so that ranks are ranges."""
        return any(tier is not None for tier in self.found.table.tiers)

    @property
    def level(self) -> str:
        """The level of intervals and ranges: `95 %`."""
        return f"{100 * self.found.table.snapshot.level:g} %"

    @property
    def best(self) -> tuple[Row, ...]:
        """The rows that may be first."""
        return tuple(row for row in self.found.table.snapshot.rows if row.low == 1)

    @property
    def same(self) -> tuple[Same, ...]:
        """What is the same of all rows, and therefore no column."""
        table = self.found.table
        said = (Same(each, text(each, table.snapshot.rows[0])) for each in table.same)
        return tuple(each for each in said if each.text != "1 of 1")

    @property
    def filters(self) -> int:
        """How many filters are in use of those that are folded away."""
        return sum(bool(getattr(self.found.view, name) != getattr(EVERYTHING, name)) for name in _FOLDED)

    @property
    def one_scale(self) -> bool:
        """Whether all scores are drawn on one scale."""
        return self.found.table.snapshot.unit == "share"

    @property
    def near(self) -> tuple[int, ...]:
        """The numbers of the pages around this one, the first and the last, with 0 for a gap."""
        there = sorted({1, *range(self.found.page - 2, self.found.page + 3), self.found.pages})
        inside = [each for each in there if 1 <= each <= self.found.pages]
        gaps = [(0, each) if each - before > 1 else (each,) for before, each in pairwise(inside)]
        return (inside[0], *(number for part in gaps for number in part))

    @property
    def all_on_one(self) -> int:
        """How many rows at most can be shown on one page, where more than now can; 0 where they cannot."""
        most = min(MOST_ROWS, self.found.matching)
        return most if most > (self.found.view.per_page or OF_MANY) else 0

    @property
    def data(self) -> Markup:
        """What the script needs, as JSON."""
        return script_data(self.found)

    def sorted_by(self, column: Column) -> dict[str, str]:
        """The change that sorts by a column; its rank is the board's own order."""
        view = self.found.view
        if column.key == "ranks":
            return {"sort": "-ranks" if view.sort == "" else ""}
        return view.sorted_by(column)

    def chart(self, links: Links) -> Markup:
        """The score against its price; nothing where no row has one."""
        if not self.price:
            return Markup()
        found = self.found
        shown = digest_bytes(found.met.tobytes() + "\n".join(found.view.pin).encode())
        name = " ".join((links.root, found.table.digest, self.price, shown))
        return self.keep(name, lambda: price_chart(self, links))


def _anew(_name: str, make: Callable[[], Markup]) -> Markup:
    return make()


def board_page(
    board: Board,
    dates: tuple[Dated, ...],
    state: Dated,
    table: Table,
    view: View,
    *,
    every: bool = False,
    keep: Keep = _anew,
) -> BoardPage:
    """The page's data; with `every` row on one page, however many. Charts of thousands of rows take a while,
    and are made by way of `keep`.

    Raises:
        BakeoffError: the view asks for what the table does not have.
    """
    found = seen(table, _plain(view, table))
    whole = every or (found.total <= ONE_PAGE and view.per_page is None)
    lines = [*(found.every if every else found.rows), *(_others(found) if whole and not every else ())]
    columns, scales = _merged(found.columns), _scales(found)
    return BoardPage(
        board=board,
        dates=dates,
        state=state,
        found=found,
        columns=columns,
        rows=tuple(_shown(found, line, columns, scales) for line in lines),
        active=tuple(_active(found)),
        carried=tuple(_carried(found, {line.key for line in lines})),
        whole=whole,
        price=view.pareto or next((each for each in PRICES if each in table.fronts), ""),
        keep=keep,
    )


def price_chart(page: BoardPage, links: Links) -> Markup:
    """The score against what it costs, of the rows that match."""
    table, price = page.found.table, page.price
    score, name, unit = table.column("score"), *PRICE_WORDS[price]
    lines = [row.line for row in page.rows] if page.whole else page.found.every
    licences = table.choices["licence"].values != (NOT_STATED,)
    # Where there are very many, only those on the front are links.
    linked = table.fronts.get(price, frozenset()) | set(page.found.view.pin) if len(lines) > DENSE else None

    def point(line: Line) -> Point:
        number, entrant = table.index[line.key], line.row.entrant
        limits = score.limits(line.row)
        return Point(
            key=line.key,
            name=label(entrant.model),
            x=float(table.numbers[price][number]),
            y=entrant.scores.score.value if line.row.place is not None else None,
            low=limits[0] if limits else None,
            high=limits[1] if limits else None,
            href=links.model(page.board.name, entrant.model)
            if linked is None or line.key in linked
            else None,
            open=bool(table.chosen["open"][0][number]) if entrant.licence else None if licences else True,
            marked=line.pinned,
        )

    return scatter(
        Scatter(
            title=f"Score and {name}",
            points=tuple(map(point, lines)),
            x_name=name,
            y_name="score",
            x_unit=unit,
            y_unit=share if table.snapshot.unit == "share" else plain_number,
            front=table.fronts.get(price, frozenset()),
            says=f"The line joins the rows than which none has a better score for less {name}. "
            "It takes scores as exact: near it, chance decides.",
            meanings=("open licence", "other") if licences else (),
        ),
        "price",
        table="rows",
    )


def _scales(found: Seen) -> dict[str, Scale]:
    """The scale of each column of scores: one for all shares, else one for each."""
    table = found.table
    keys = [each.key for each in found.columns if each.score]
    groups = [keys] if table.snapshot.unit == "share" else [[key] for key in keys]
    return {key: linear(ends) for group in groups if (ends := table.scale(*group)) for key in group}


def margin(column: Column, row: Row) -> str:
    """How far the interval of a score reaches: `±1.9`, or `+2.6 −1.4` where its sides differ by a tenth."""
    limits, value = column.limits(row), column.value(row)
    if limits is None or not isinstance(value, int | float):
        return ""
    down, up = value - limits[0], limits[1] - value
    if isclose(down, up, rel_tol=0.1):
        return f"±{_width((down + up) / 2, column.kind)}"
    return f"+{_width(up, column.kind)} −{_width(down, column.kind)}"


def _width(value: float, kind: Kind) -> str:
    return f"{100 * value:.1f}" if kind == "share" else raw(value)


def _plain(view: View, table: Table) -> View:
    """The view as one writes it: the usual columns are those that nobody asked for."""
    return replace(view, columns=()) if set(view.columns) == set(table.usual) else view


def _others(found: Seen) -> Iterator[Line]:
    """The rows that do not match, in the order of those that do."""
    table = found.table
    shown = {line.key for line in found.rows}
    for number in table.order(found.view.sort).tolist():
        if table.keys[number] not in shown:
            yield Line(table.keys[number], table.snapshot.rows[number], table.tiers[number], False, False)


def _merged(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """The columns of the table: the organisation stands below the model, where both are asked for."""
    both = {"model", "organisation"} <= {each.key for each in columns}
    return tuple(each for each in columns if not (both and each.key == "organisation"))


def _shown(found: Seen, line: Line, columns: Sequence[Column], scales: Mapping[str, Scale]) -> Shown:
    return Shown(
        line=line,
        number=found.table.index[line.key],
        name=label(line.row.entrant.model),
        organisation=organisation(line.row),
        cells=tuple(cell(each, line.row, scales.get(each.key)) for each in columns),
        front=line.key in found.front,
        hidden=not (line.matches or line.pinned),
    )


def cell(column: Column, row: Row, on: Scale | None = None) -> Cell:
    """What a column shows of a row; with a scale its interval is drawn on that."""
    limits, value = column.limits(row), column.value(row)
    said = text(column, row)
    if column.kind not in ("text", "date"):
        said = said.replace("-", "−")
    if limits is None or not isinstance(value, int | float):
        return Cell(column.key, column.kind, said)
    return Cell(
        column.key, column.kind, said, margin(column, row), whisker(on, value, *limits) if on else Markup()
    )


_FACET_WORDS = {
    "organisation": "of {}",
    "licence": "licence {}",
    "precision": "precision {}",
    "provenance": "known: {}",
}


def _active(found: Seen) -> Iterator[Active]:
    view = found.view

    def active(words: str, name: str, value: object, without: object = None) -> Active:
        left = getattr(EVERYTHING, name) if without is None else without
        return Active(words, name, str(value), view.query(**{name: left}))

    if view.search:
        yield active(f"search: {view.search}", "search", view.search)
    for name, words in _FACET_WORDS.items():
        for value in getattr(view, name):
            said = words.format("not stated" if value == NOT_STATED else value)
            yield active(said, name, value, view.toggled(name, value)[name])
    if view.state != "all":
        yield active("with a rank", "state", view.state)
    for name, words, kind in _LIMITS:
        if (number := getattr(view, name)) is not None:
            yield active(words.format(written(number, kind)), name, f"{number:g}")
    if view.since is not None:
        yield active(f"since {view.since}", "since", view.since)
    if view.pareto:
        yield active(f"Pareto front of score and {view.pareto}", "pareto", view.pareto)
    if view.tied:
        model = label(found.table.row(view.tied).entrant.model)
        yield active(f"not told apart from {model}", "tied", view.tied)
    for each in found.presets:
        if each.chosen:
            yield active(f"{each.title}: {each.tip}", "preset", each.name)


_LIMITS: Sequence[tuple[str, str, Kind]] = (
    ("parameters_min", "at least {}", "billions"),
    ("parameters_max", "at most {}", "billions"),
    ("cost_max", "cost at most {}", "dollars"),
    ("latency_max", "latency at most {}", "seconds"),
)


def _carried(found: Seen, there: set[str]) -> Iterator[tuple[str, str]]:
    """What of a view its form must carry along, besides its own fields: boxes of rows on other pages too."""
    view = found.view
    yield from view.pairs(**_CARRIED_APART)
    yield from (("pin", key) for key in view.pin)
    yield from (("compare", key) for key in view.compare if key not in there)


KNOWN: Mapping[Provenance, str] = {
    "measured": "measured here",
    "reproduced": "measured here and again for somebody else",
    "records": "supplied with every record",
    "reported": "reported by others",
}
"""The ways in which a score is known, in words."""
_FOLDED = (
    "licence",
    "precision",
    "provenance",
    "parameters_min",
    "parameters_max",
    "cost_max",
    "latency_max",
    "since",
    "pareto",
    "state",
)
"""The fields of a view that are folded away."""
_CARRIED_APART = {
    name: getattr(EVERYTHING, name)
    for name in ("search", "organisation", *_FOLDED, "columns", "pin", "compare", "at", "version", "page")
}
"""What leaves of a view the parts that its form has no field for."""
PRICE_WORDS: Mapping[str, tuple[str, Unit]] = {
    "cost": ("cost", dollars),
    "latency": ("latency", seconds),
    "parameters": ("parameters", Unit(after="billion")),
}
"""By what a score is drawn against, its name and unit."""
