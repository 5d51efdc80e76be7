"""How the rows of a board stood in each of its snapshots."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import orjson
from sqlalchemy import Connection, select

from bakeoff.board.ranking.snapshot import Entrant, Row
from bakeoff.board.scores import Value
from bakeoff.board.table.keys import row_keys
from bakeoff.charts import Moment
from bakeoff.database.tables import snapshot as table


@dataclass(frozen=True, slots=True)
class State:
    """A snapshot without its rows: how many they are, how many have a rank, who may be best."""

    digest: str
    version: int
    made: str
    rows: int
    ranked: int
    best: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """A row in the snapshot `state`, counted from 0: its place, its range of ranks, its score, or why it has
    no rank.
    """

    state: int
    place: int | None
    low: int | None
    high: int | None
    score: Value
    unranked: str


@dataclass(frozen=True, slots=True)
class Past:
    """The `states` of a board, the oldest first; where each row stood, by its key; and each row's model."""

    states: tuple[State, ...]
    standings: Mapping[str, tuple[Standing, ...]]
    models: Mapping[str, str]

    def of_model(self, model: str) -> dict[str, tuple[Standing, ...]]:
        """The standings of all rows by this name, by their keys."""
        return {key: self.standings[key] for key, name in self.models.items() if name == model}


def past(connection: Connection, board: str) -> Past:
    """What the snapshots of a board say of its rows.

    What is measured is the same row under its number; what others report under its name and precision.
    """
    states: list[State] = []
    standings: dict[str, list[Standing]] = {}
    models: dict[str, str] = {}
    query = select(table.c.digest, table.c.version, table.c.made, table.c.content)
    for number, found in enumerate(
        connection.execute(query.where(table.c.board == board).order_by(table.c.made))
    ):
        # The scores stay JSON but for one: there are thousands of rows on a hundred days.
        content = orjson.loads(found.content)
        rows = [Row(**(row | {"entrant": Entrant(**row["entrant"])})) for row in content["rows"]]
        ranked = sum(row.place is not None for row in rows)
        best = tuple(row.entrant.model for row in rows if row.low == 1)
        states.append(State(found.digest, found.version, content["made"], len(rows), ranked, best))
        for key, row, raw in zip(row_keys(rows), rows, content["rows"], strict=True):
            standings.setdefault(key, []).append(_standing(number, row, raw["entrant"]["scores"]))
            models[key] = row.entrant.model
    return Past(tuple(states), {key: tuple(each) for key, each in standings.items()}, models)


def moments(stood: Iterable[tuple[State, Standing | None]]) -> tuple[Moment, ...]:
    """The score of a row by day, for a chart: of the last state of each day, and nothing where the row was
    not in it. `stood` is by state, the oldest first.
    """
    found: dict[date, Moment] = {}
    for state, standing in stood:
        day = date.fromisoformat(state.made[:10])
        score = standing.score if standing else Value(None)
        found[day] = Moment(day, score.value, score.low, score.high)
    return tuple(found.values())


def _standing(state: int, row: Row, scores: Mapping[str, Any]) -> Standing:
    return Standing(state, row.place, row.low, row.high, Value(**scores["score"]), row.unranked)
