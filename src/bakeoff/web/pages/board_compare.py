"""Rows of a board side by side: each score, and by how much it differs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from bakeoff.board.definition import Board
from bakeoff.board.ranking.publishing import Dated
from bakeoff.board.scores import Value
from bakeoff.board.table import Column, Line, Table, View, label, text
from bakeoff.board.table.view import COMPARED
from bakeoff.charts import Estimate, Forest, Unit, forest, points, raw, share
from bakeoff.errors import BakeoffError
from bakeoff.web.links import Links
from bakeoff.web.pages.difference import Gap, gap

_DIFFERENCE = Unit(signed=True)


@dataclass(frozen=True, slots=True)
class Score:
    """A column of scores: by row its value, and how it differs from the first row."""

    column: Column
    values: tuple[Value, ...]
    gaps: tuple[Gap | None, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something else that is said of the rows; `differs` where not the same of all."""

    column: Column
    texts: tuple[str, ...]

    @property
    def differs(self) -> bool:
        """Whether rows say different things."""
        return len(set(self.texts)) > 1


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rows, the better one first, and by how much the board's score is better. `tied` says that the
    board's ranks, for all rows at once, do not tell them apart; None where they have no ranges.
    """

    better: Line
    worse: Line
    gap: Gap
    tied: bool | None


@dataclass(frozen=True, slots=True)
class Shared:
    """A task that several of the rows were asked in runs that can be looked at here."""

    task: str
    runs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardCompare:
    """Up to four rows of a board side by side, the first being what the others are held against."""

    board: Board
    state: Dated
    newest: bool
    table: Table
    rows: tuple[Line, ...]
    scores: tuple[Score, ...]
    facts: tuple[Fact, ...]
    pairs: tuple[Pair, ...]
    shared: tuple[Shared, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the rows."""
        return tuple(line.key for line in self.rows)

    @property
    def unit(self) -> Unit:
        """How scores are written."""
        return share if self.table.snapshot.unit == "share" else raw

    @property
    def difference(self) -> Unit:
        """How differences are written."""
        return points if self.table.snapshot.unit == "share" else _DIFFERENCE

    @property
    def level(self) -> str:
        """The level of intervals: `95 %`."""
        return f"{100 * self.table.snapshot.level:g} %"

    @property
    def at(self) -> str:
        """The state in an address; empty for the newest."""
        return "" if self.newest else self.state.digest[7:23]

    @property
    def back(self) -> str:
        """The view of the board with these rows pinned."""
        return View(pin=self.keys, at=self.at).query()

    def first(self, links: Links, key: str) -> str:
        """The page on which the others are held against the row of that key."""
        keys = (key, *(each for each in self.keys if each != key))
        return links.of_board(self.board.name, "compare", row=keys, at=self.at or None)

    def chart(self) -> Markup:
        """By how much the better of each pair is better."""
        return forest(
            Forest(
                title="Differences of the board's score",
                rows=tuple(
                    Estimate(
                        f"{label(each.better.row.entrant.model)} over {label(each.worse.row.entrant.model)}",
                        each.gap.value,
                        each.gap.low,
                        each.gap.high,
                    )
                    for each in self.pairs
                ),
                of="pair",
                value_name="difference",
                unit=self.difference,
                reference=0.0,
                reference_name="no difference",
            ),
            "differences",
        )


def board_compare(
    board: Board,
    dates: tuple[Dated, ...],
    state: Dated,
    table: Table,
    keys: Sequence[str],
    *,
    here: Callable[[str], bool] = lambda _run: False,
) -> BoardCompare:
    """The page's data; `here` says whether a run can be looked at.

    Raises:
        BakeoffError: not two to four rows, or one that is not on the board.
    """
    keys = tuple(dict.fromkeys(keys))
    if not 2 <= len(keys) <= COMPARED:
        raise BakeoffError(
            f"row: two to {COMPARED} rows can be compared, not {len(keys)}",
            "choose them by their boxes on the board",
        )
    lines = tuple(
        Line(key, table.row(key), table.tiers[table.place(key)], pinned=False, matches=True) for key in keys
    )
    return BoardCompare(
        board=board,
        state=state,
        newest=state == dates[0],
        table=table,
        rows=lines,
        scores=tuple(_scores(table, lines)),
        facts=tuple(_facts(table, lines)),
        pairs=tuple(_pairs(table, lines)),
        shared=tuple(_shared(lines, here)),
    )


def _scores(table: Table, lines: Sequence[Line]) -> Iterator[Score]:
    for column in table.columns:
        if column.score is None:
            continue
        values = tuple(column.score(line.row) for line in lines)
        if any(each.value is not None for each in values):
            yield Score(column, values, tuple(gap(each, values[0]) for each in values))


def _facts(table: Table, lines: Sequence[Line]) -> Iterator[Fact]:
    for column in table.columns:
        if column.score or column.key in ("model", "place"):
            continue
        texts = tuple(text(column, line.row) for line in lines)
        if any(texts):
            yield Fact(column, texts)


def _pairs(table: Table, lines: Sequence[Line]) -> Iterator[Pair]:
    scored = [line for line in lines if line.row.entrant.scores.score.value is not None]
    scored.sort(key=lambda line: line.row.entrant.scores.score.value or 0.0, reverse=not table.lower)
    for place, better in enumerate(scored):
        for worse in scored[place + 1 :]:
            found = gap(*(line.row.entrant.scores.score for line in (better, worse)))
            assert found is not None
            if table.lower:
                turned = (None if each is None else -each for each in (found.high, found.low))
                found = Gap(-found.value, *turned)
            both = None not in (better.tier, worse.tier)
            apart = table.told.apart(table.place(better.key))[table.place(worse.key)]
            yield Pair(better, worse, found, not apart if both else None)


def _shared(lines: Sequence[Line], here: Callable[[str], bool]) -> Iterator[Shared]:
    runs = [
        {task: run.partition(" ")[0] for task, run in line.row.entrant.scores.runs.items()} for line in lines
    ]
    for task in dict.fromkeys(task for each in runs for task in each):
        found = tuple(each[task] for each in runs if task in each and here(each[task]))
        if len(found) > 1:
            yield Shared(task, found)
