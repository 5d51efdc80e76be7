"""`/boards/{board}/snapshots` and `/changes`: dated states of a board, and what changed between them."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from sqlalchemy import select

from bakeoff.board.ranking.difference import differences
from bakeoff.board.ranking.publishing import dates
from bakeoff.board.ranking.snapshot import Snapshot
from bakeoff.board.registry import known
from bakeoff.board.table import at
from bakeoff.database.tables import snapshot as table
from bakeoff.web.api.boards import Dated
from bakeoff.web.api.request import BoardName, Books, problems, unchanged
from bakeoff.web.api.shape import Shape

router = APIRouter(tags=["snapshots"])
_STATE = "A day (its last state or the one before), the beginning of a digest, `last` or `first`."
State = Annotated[str, Path(max_length=80, description=_STATE)]


class Snapshots(Shape):
    """The states of a board that were published, the newest first."""

    snapshots: list[Dated]


class Change(Shape):
    """What became of a row, and why. `submission` is null for what concerns all rows."""

    kind: Literal["rule", "added", "removed", "rescored", "moved"]
    submission: int | None
    model: str
    text: str


class Changes(Shape):
    """What changed from one state to another."""

    old: Dated
    new: Dated
    changes: list[Change]


@router.get("/boards/{board}/snapshots", responses=problems(404))
def snapshots(board: BoardName, library: Books) -> Snapshots:
    """The states of a board that were published, each named by its digest and never changed."""
    with library.read() as connection:
        known(connection, board)
        return Snapshots(snapshots=[Dated.model_validate(each) for each in dates(connection, board)])


@router.get(
    "/boards/{board}/snapshots/{state}",
    response_model=Snapshot,
    responses=problems(400, 404),
)
def snapshot(
    board: BoardName, state: State, library: Books, request: Request, response: Response
) -> Response:
    """A state of a board: every row, with its scores, intervals and range of ranks.

    The digest of a snapshot is the SHA-256 of exactly these bytes; `Snapshot-Digest` repeats it.
    """
    with library.read() as connection:
        known(connection, board)
        found = at(dates(connection, board), state)
        if whole := unchanged(request, response, found.digest):
            return whole
        content = connection.execute(
            select(table.c.content).where(table.c.digest == found.digest)
        ).scalar_one()
    headers = {"etag": response.headers["etag"], "cache-control": "no-cache", "snapshot-digest": found.digest}
    return Response(content, media_type="application/json", headers=headers)


@router.get("/boards/{board}/changes", response_model=Changes, responses=problems(400, 404))
def changes(
    board: BoardName,
    library: Books,
    request: Request,
    response: Response,
    old: Annotated[
        str, Query(alias="from", max_length=80, description=f"{_STATE} By default the one before.")
    ] = "",
    new: Annotated[
        str, Query(alias="to", max_length=80, description=f"{_STATE} By default the newest.")
    ] = "",
) -> Changes | Response:
    """What changed between two states: the rule, rows that came and went, scores, ranks because of those."""
    with library.read() as connection:
        known(connection, board)
        there = dates(connection, board)
        later = at(there, new)
        place = there.index(later)
        earlier = at(there, old) if old else there[min(place + 1, len(there) - 1)]
        if whole := unchanged(request, response, earlier.digest, later.digest):
            return whole
        found = differences(
            library.snapshot(connection, board, earlier.digest),
            library.snapshot(connection, board, later.digest),
        )
    return Changes(
        old=Dated.model_validate(earlier),
        new=Dated.model_validate(later),
        changes=[Change.model_validate(each) for each in found],
    )
