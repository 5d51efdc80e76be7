"""A column of a board's scores: how they spread, who is ahead, whether it still tells models apart."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import quantiles

from markupsafe import Markup

from bakeoff.board.definition import Board
from bakeoff.board.ranking.publishing import Dated
from bakeoff.board.scores import Value
from bakeoff.board.table import Column, Line, Table, label
from bakeoff.charts import Estimate, Forest, Unit, forest, raw, share
from bakeoff.errors import BakeoffError
from bakeoff.task.suite import load_suite
from bakeoff.web.links import Links
from bakeoff.web.pages.difference import gap

SHOWN = 25
"""So many rows are drawn."""
NEAR_TOP = 0.95
"""Shares from here on are counted as nearly all right."""
QUANTILES = tuple(
    f"reached by {part}" for part in ("nine of ten", "three of four", "half", "one of four", "one of ten")
)


@dataclass(frozen=True, slots=True)
class Placed:
    """A row with its score in the column."""

    line: Line
    value: Value


@dataclass(frozen=True, slots=True)
class ColumnPage:
    """A column of a board. `rows` are those that have a score in it and a rank, the best first; `missing`
    those that have a rank and no score. `tied` are the rows whose difference from the first may be nothing,
    one comparison at a time; None where scores come without intervals. `near_top` have nearly all right.
    `spread` are scores that nine of ten, three of four … rows reach. `tasks` are what was asked.
    """

    board: Board
    state: Dated
    newest: bool
    table: Table
    column: Column
    rows: tuple[Placed, ...]
    missing: int
    tied: int | None
    near_top: int | None
    spread: tuple[tuple[str, float], ...]
    tasks: tuple[str, ...]
    agreement: float | None
    """How far the column orders rows as the board's score does: Spearman's rank correlation, -1 to 1."""

    @property
    def unit(self) -> Unit:
        """How its scores are written."""
        return share if self.table.snapshot.unit == "share" else raw

    @property
    def judged(self) -> bool:
        """Whether it is known which end is better: what others report beside a score may be anything."""
        return self.column.key == "score" or self.table.snapshot.unit == "share"

    @property
    def level(self) -> str:
        """The level of intervals: `95 %`."""
        return f"{100 * self.table.snapshot.level:g} %"

    @property
    def likeness(self) -> str:
        """In words, how far the column orders rows as the board's score does."""
        assert self.agreement is not None
        words = ((0.9, "nearly as"), (0.6, "much as"), (0.3, "somewhat as"), (-0.3, "hardly as"))
        return next((each for least, each in words if self.agreement >= least), "rather against how")

    def chart(self, links: Links) -> Markup:
        """The first rows on one scale."""
        first = self.rows[:SHOWN]
        return forest(
            Forest(
                title=f"The {'best' if self.judged else 'greatest'} {len(first)} of {len(self.rows):,}"
                if len(self.rows) > SHOWN
                else "All rows",
                rows=tuple(
                    Estimate(
                        label(each.line.row.entrant.model),
                        each.value.value,
                        each.value.low,
                        each.value.high,
                        href=links.model(self.board.name, each.line.row.entrant.model) or None,
                        key=each.line.key,
                    )
                    for each in first
                ),
                of="model",
                unit=self.unit,
            ),
            "rows",
        )


def column_page(board: Board, dates: tuple[Dated, ...], state: Dated, table: Table, key: str) -> ColumnPage:
    """The page's data, of the column of scores with that key.

    Raises:
        BakeoffError: the board has no such column of scores.
    """
    column = next((each for each in table.columns if each.key == key and each.score), None)
    if column is None or column.score is None:
        names = ", ".join(each.key for each in table.columns if each.score)
        raise BakeoffError(f"there is no task {key!r:.80} on {board.name}", f"its columns are {names}")
    score = column.score
    ranked = [place for place, row in enumerate(table.snapshot.rows) if row.place is not None]
    order = [place for place in table.order(key).tolist() if table.snapshot.rows[place].place is not None]
    rows = [
        Placed(Line(table.keys[place], row, table.tiers[place], False, True), value)
        for place in order
        if (value := score(row := table.snapshot.rows[place])).value is not None
    ]
    return ColumnPage(
        board=board,
        state=state,
        newest=state == dates[0],
        table=table,
        column=column,
        rows=tuple(rows),
        missing=len(ranked) - len(rows),
        tied=_tied(rows),
        near_top=_near_top(table, rows, column),
        spread=tuple(_spread(rows, column)),
        tasks=_tasks(board, column),
        agreement=_agreement(rows, column),
    )


def _tied(rows: list[Placed]) -> int | None:
    if not rows or rows[0].value.low is None:
        return None
    gaps = [gap(rows[0].value, each.value) for each in rows[1:]]
    return sum(each is not None and not each.apart for each in gaps)


def _near_top(table: Table, rows: list[Placed], column: Column) -> int | None:
    if table.snapshot.unit != "share" or not column.descending:
        return None
    return sum(each.value.value is not None and each.value.value >= NEAR_TOP for each in rows)


def _spread(rows: list[Placed], column: Column) -> Iterator[tuple[str, float]]:
    values = [each.value.value for each in rows if each.value.value is not None]
    if len(values) < 10:
        return
    tenths = quantiles(values, n=20, method="inclusive")
    # Of twentieths: the second is a tenth, the fifth a quarter.
    found = [tenths[place] for place in (1, 4, 9, 14, 17)]
    yield from zip(QUANTILES, found if column.descending else found[::-1], strict=True)


def _tasks(board: Board, column: Column) -> tuple[str, ...]:
    """What is asked in the column of a suite; nothing of other columns."""
    suite, slash, name = column.name.rpartition("/")
    if not slash:
        return ()
    for each in board.suites:
        found = load_suite(each.suite)
        if found.name == suite:
            asked = (part.tasks for one in found.columns if one.name == name for part in one.parts)
            return tuple(dict.fromkeys(ref.partition(":")[0] for refs in asked for ref in refs))
    return ()


def _agreement(rows: list[Placed], column: Column) -> float | None:
    """Spearman's rank correlation of the column with the board's score; None of the score itself, of fewer
    than three rows, and where either says one thing of all.
    """
    import numpy as np

    if column.key == "score" or len(rows) < 3:
        return None
    pairs = np.array(
        [(each.value.value, each.line.row.entrant.scores.score.value) for each in rows], dtype=np.float64
    )
    ranks = [_ranks(pairs[:, side].tolist()) for side in (0, 1)]
    if any(len(set(each)) == 1 for each in ranks):
        return None
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def _ranks(values: list[float]) -> list[float]:
    """Ranks from 1, equal values sharing the middle of theirs."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for place in order[start : end + 1]:
            ranks[place] = 1 + (start + end) / 2
        start = end + 1
    return ranks
