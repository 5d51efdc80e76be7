"""`/boards/{board}/log`: what happened on a board, in the order of the log."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import Field

from bakeoff.board.changelog import MOST, told
from bakeoff.board.registry import known
from bakeoff.web.api.request import LARGEST, BoardName, Books, onward, problems
from bakeoff.web.api.shape import Moment, Part, Shape

router = APIRouter(tags=["log"])
Topic = Literal["", "rules", "snapshots", "submissions", "flags", "posts", "votes"]


class Entry(Shape):
    """An entry of the log: who did what to what, when and why. Each holds the digest of the one before."""

    number: int
    at: Moment
    actor: str
    kind: str
    subject: str
    reason: str
    facts: dict[str, Any]
    previous: str
    digest: str = Field(description="Of the entry and, through `previous`, of all before it.")


class Log(Part):
    """Entries of a board, its rows and its tasks, the newest first; `matching` of `total`."""

    entries: list[Entry]
    matching: int
    total: int


@router.get("/boards/{board}/log", responses=problems(404))
def log(
    board: BoardName,
    library: Books,
    request: Request,
    topic: Annotated[Topic, Query(description="Only entries about this.")] = "",
    before: Annotated[
        int | None, Query(ge=0, le=LARGEST, description="Only older ones: the cursor in `next`.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=MOST, description="So many at most.")] = 50,
) -> Log:
    """What happened on a board. Entries are only ever added, and none is ever changed."""
    with library.read() as connection:
        known(connection, board)
        found = told(connection, board, topic=topic, before=before, most=limit)
    return Log(
        entries=[Entry.model_validate(each) for each in found.entries],
        matching=found.matching,
        total=found.total,
        next=None if found.older is None else onward(request, {"before": found.older}),
    )
