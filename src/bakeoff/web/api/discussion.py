"""`/boards/{board}/threads` and `/discussion`: what people say of a board, of a task on it, of a row."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from bakeoff.board.community.discussion import about, thread
from bakeoff.board.community.flags import flags as flags_on
from bakeoff.board.community.threads import threads as threads_on
from bakeoff.board.registry import known
from bakeoff.errors import BakeoffError
from bakeoff.web.api.request import BoardName, Books, problems
from bakeoff.web.api.shape import Moment, Shape

router = APIRouter(tags=["discussion"])


class Thread(Shape):
    """A thread, on `board NAME`, `task NAME/TASK` or `submission N`."""

    subject: str
    posts: int
    newest: Moment


class Threads(Shape):
    """The threads on a board in which something was written, the one with the newest post first."""

    threads: list[Thread]


class Act(Shape):
    """What a moderator did to a post, when (null where the log does not say), and why."""

    by: str
    at: Moment | None
    reason: str


class Post(Shape):
    """A post, for an organisation or for its author alone. `body` is Markdown, as it was written."""

    id: int
    author: str
    organisation: str
    body: str = Field(description="Empty where the post is hidden or erased.")
    created: Moment
    hidden: Act | None
    erased: Act | None


class Discussion(Shape):
    """A thread with its posts, the oldest first."""

    subject: str
    posts: list[Post]


class Flag(Shape):
    """A flag on a row under a rule of the board, with the organisation's reply and the ruling."""

    id: int
    submission: int
    rule: str
    reason: str
    raised_by: str
    created: Moment
    reply: str | None
    replied_by: str | None
    state: str
    ruling: str | None
    ruled_by: str | None
    ruled: Moment | None
    urgent: bool


class Flags(Shape):
    """All flags on the rows of a board, those that were dismissed too."""

    flags: list[Flag]


@router.get("/boards/{board}/threads", responses=problems(404))
def threads(board: BoardName, library: Books) -> Threads:
    """Where on a board something was written."""
    with library.read() as connection:
        known(connection, board)
        return Threads(threads=[Thread.model_validate(each) for each in threads_on(connection, board)])


@router.get("/boards/{board}/discussion", responses=problems(400, 404, 422))
def discussion(
    board: BoardName,
    library: Books,
    on: Annotated[
        str,
        Query(
            max_length=300,
            pattern="^[ -~]*$",
            description="A subject, as in `threads`; by default the board itself.",
        ),
    ] = "",
) -> Discussion:
    """A thread. A post that is hidden or erased stays in its place, with who did it, when and why."""
    with library.read() as connection:
        known(connection, board)
        subject = about(connection, on or f"board {board}")
        if subject.board.name != board:
            raise BakeoffError(
                f"there is no thread on {subject.name} here", f"it belongs to the board {subject.board.name}"
            )
        posts = [Post.model_validate(each) for each in thread(connection, subject)]
    return Discussion(subject=subject.name, posts=posts)


@router.get("/boards/{board}/flags", responses=problems(404))
def flags(board: BoardName, library: Books) -> Flags:
    """The flags on rows: how one can lose its rank, under a rule that the board states."""
    with library.read() as connection:
        known(connection, board)
        found = flags_on(connection, board)
    return Flags(flags=[Flag.model_validate(each) for row in found.values() for each in row])
