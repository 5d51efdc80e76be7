"""`/boards/{board}/history`: how rows stood in each state of a board."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from bakeoff.board.ranking.publishing import dates
from bakeoff.board.registry import known
from bakeoff.board.scores import Value
from bakeoff.errors import BakeoffError
from bakeoff.web.api.request import BoardName, Books, problems, unchanged
from bakeoff.web.api.shape import Moment, Shape

router = APIRouter(tags=["snapshots"])


class Standing(Shape):
    """A row in one state. Scores under different versions are of different rules."""

    digest: str = Field(description="Of the state.")
    version: int
    made: Moment
    ranked: int = Field(description="How many rows had a rank.")
    place: int | None
    low: int | None
    high: int | None
    score: Value
    unranked: str


class RowHistory(Shape):
    """Where a row stood, in the oldest state first."""

    key: str
    model: str
    standings: list[Standing]


class History(Shape):
    """Where the rows of a model stood."""

    board: str
    model: str
    rows: list[RowHistory]


@router.get("/boards/{board}/history", response_model=History, responses=problems(400, 404))
def history(
    board: BoardName,
    library: Books,
    request: Request,
    response: Response,
    model: Annotated[str, Query(min_length=1, max_length=300, description="The model's whole name.")],
) -> History | Response:
    """How a model stood over time: its place, its range of ranks and its score in each state of the board."""
    with library.read() as connection:
        known(connection, board)
        there = (each.digest for each in dates(connection, board))
        if whole := unchanged(request, response, board, *there, model):
            return whole
        found = library.past(connection, board)
    rows = found.of_model(model)
    if not rows:
        raise BakeoffError(f"there is no model {model!r:.200} on {board}", "give its whole name")
    return History(
        board=board,
        model=model,
        rows=[
            RowHistory(
                key=key,
                model=model,
                standings=[
                    Standing(
                        digest=found.states[each.state].digest,
                        version=found.states[each.state].version,
                        made=found.states[each.state].made,
                        ranked=found.states[each.state].ranked,
                        place=each.place,
                        low=each.low,
                        high=each.high,
                        score=each.score,
                        unranked=each.unranked,
                    )
                    for each in standings
                ],
            )
            for key, standings in rows.items()
        ],
    )
