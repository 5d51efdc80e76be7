"""A board over time: how the scores of some of its rows went, and who may have been best in each state."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from bakeoff.board.definition import Board
from bakeoff.board.table import Table, label
from bakeoff.charts import Series, Timeline, raw, share, timeline
from bakeoff.errors import BakeoffError
from bakeoff.web.links import Links
from bakeoff.web.pages.past import Past, Standing, State, moments

DRAWN = 5
"""So many rows are drawn: more lines cannot be told apart."""


@dataclass(frozen=True, slots=True)
class Traced:
    """A row over the states of a board: `standings` are by state, None where it was not there."""

    key: str
    model: str
    standings: tuple[Standing | None, ...]


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """A board over its `states`, the oldest first, and the rows that are drawn: those that were `chosen`, or
    the first ones. `table` is of the newest state.
    """

    board: Board
    table: Table
    states: tuple[State, ...]
    rows: tuple[Traced, ...]
    chosen: bool

    @property
    def newest_first(self) -> tuple[tuple[int, State, State | None], ...]:
        """The states, with their numbers and the one before each, the newest first."""
        return tuple(
            (number, self.states[number], self.states[number - 1] if number else None)
            for number in reversed(range(len(self.states)))
        )

    def chart(self, links: Links) -> Markup:
        """The scores of the rows, from the first state that has one of them."""
        start = min(each.state for row in self.rows for each in row.standings if each)
        series = tuple(
            Series(
                label(row.model),
                moments(zip(self.states[start:], row.standings[start:], strict=True)),
                href=links.model(self.board.name, row.model) or None,
                key=row.key,
            )
            for row in self.rows
        )
        title = "Scores of the chosen rows" if self.chosen else f"Scores of the first {len(series)} rows"
        unit = share if self.table.snapshot.unit == "share" else raw
        return timeline(Timeline(title=title, series=series, unit=unit), "scores", table="states")


def history_page(board: Board, table: Table, past: Past, rows: Sequence[str] = ()) -> HistoryPage:
    """The page's data, of the rows of these keys; by default of the first of the newest state.

    Raises:
        BakeoffError: too many rows, or one that the board never had.
    """
    keys = tuple(dict.fromkeys(rows)) or table.keys[:DRAWN]
    if len(keys) > DRAWN:
        raise BakeoffError(f"row: {len(keys)} are too many", f"{DRAWN} at most")
    for key in keys:
        if key not in past.models:
            raise BakeoffError(f"there is no row {key!r:.80} on {board.name}, and never was")
    return HistoryPage(
        board=board,
        table=table,
        states=past.states,
        rows=tuple(Traced(key, past.models[key], _traced(past, key)) for key in keys),
        chosen=bool(rows),
    )


def _traced(past: Past, key: str) -> tuple[Standing | None, ...]:
    there = {each.state: each for each in past.standings[key]}
    return tuple(there.get(number) for number in range(len(past.states)))
