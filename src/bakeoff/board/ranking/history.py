"""How models stood over time, from the snapshots there are."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection

from bakeoff.board.ranking.publishing import snapshots
from bakeoff.board.scores import Value


@dataclass(frozen=True, slots=True)
class Standing:
    """A model in one snapshot: its place and range of ranks among `ranked` rows, and its score.

    Without a rank `unranked` says why. Scores under different versions are of different rules.
    """

    made: str
    version: int
    digest: str
    ranked: int
    submission: int
    model: str
    place: int | None
    low: int | None
    high: int | None
    score: Value
    unit: Literal["share", "raw"]
    unranked: str


def history(connection: Connection, board: str, model: str) -> Iterator[Standing]:
    """Where the rows of a model, by its name or a part of it, stood in each snapshot, the oldest first."""
    for each in snapshots(connection, board):
        ranked = sum(row.place is not None for row in each.rows)
        for row in each.rows:
            if model.lower() in row.entrant.model.lower():
                yield Standing(
                    made=each.made,
                    version=each.version,
                    digest=each.digest,
                    ranked=ranked,
                    submission=row.entrant.submission,
                    model=row.entrant.model,
                    place=row.place,
                    low=row.low,
                    high=row.high,
                    score=row.entrant.scores.score,
                    unit=each.unit,
                    unranked=row.unranked,
                )
