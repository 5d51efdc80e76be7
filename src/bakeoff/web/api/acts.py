"""Acts on submissions, posts and flags: what is done in public, under one's name, with a token."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, HTTPException, Path
from pydantic import ConfigDict, Field

from bakeoff.accounts import Account, Action, may, speaks_for
from bakeoff.board.community.attested import row
from bakeoff.board.community.discussion import LONGEST_POST, about, board_of, erase, hide, say, unhide
from bakeoff.board.community.flags import get_flag, reply, rule_on
from bakeoff.board.community.people import LONGEST_REASON
from bakeoff.board.definition import Board
from bakeoff.board.registry import known
from bakeoff.board.submissions import get
from bakeoff.database.tables import post as posts
from bakeoff.errors import BakeoffError
from bakeoff.web.acting import act_on
from bakeoff.web.api.bodies import read_as, takes
from bakeoff.web.api.discussion import Flag, Post
from bakeoff.web.api.request import BoardName, Books, Number, Viewer, problems
from bakeoff.web.api.shape import Shape
from bakeoff.web.api.submissions import Handed, shown
from bakeoff.web.pages.acts import Act

router = APIRouter(tags=["acts"])
_ERRORS = problems(400, 401, 403, 404, 413, 422)
Which = Annotated[Act, Path(description="What is done to it.")]


class _Said(Shape):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Reason(_Said):
    """Why: shown to everyone. To vote and to publish needs none; to flag names a rule of the board."""

    reason: str = Field("", max_length=LONGEST_REASON)
    rule: str = Field("", max_length=100)


class NewPost(_Said):
    """A post, in Markdown, for an organisation that one speaks for, or for oneself."""

    body: str = Field(min_length=1, max_length=LONGEST_POST)
    on: str = Field("", max_length=300, pattern="^[ -~]*$", description="A subject; else the board itself.")
    organisation: str = Field("", max_length=100)


class Reply(_Said):
    """What an organisation says to a flag on its row, once."""

    reply: str = Field(min_length=1, max_length=LONGEST_REASON)


class Ruling(_Said):
    """What a moderator rules on a flag. `urgent` upholds it before the organisation had its time to reply."""

    ruling: Literal["uphold", "dismiss"]
    reason: str = Field(min_length=1, max_length=LONGEST_REASON)
    urgent: bool = False


@router.post("/submissions/{number}/{act}", responses=_ERRORS, openapi_extra=takes(Reason))
def act(
    number: Number,
    act: Which,
    library: Books,
    account: Viewer,
    said: Annotated[Reason, Depends(read_as(Reason))],
) -> Handed:
    """Vote for a submission, withdraw one's own, or flag it; as a moderator publish, reject or retry it."""
    act_on(library, number, act, account, reason=said.reason, rule=said.rule)
    with library.read() as connection:
        found = get(connection, number)
        return shown(library, connection, found.board, [found])[0]


@router.post("/boards/{board}/discussion", status_code=201, responses=_ERRORS, openapi_extra=takes(NewPost))
def post(
    board: BoardName, library: Books, account: Viewer, said: Annotated[NewPost, Depends(read_as(NewPost))]
) -> Post:
    """Say something, on a board, on a task or on a row of it."""
    _check(account, Action.DISCUSS)
    if said.organisation and not speaks_for(account, said.organisation):
        raise HTTPException(403, f"{account.name} does not speak for {said.organisation}")
    with library.write() as connection:
        subject = about(connection, said.on or f"board {board}")
        if subject.board.name != board:
            raise BakeoffError(f"there is no thread on {subject.name} on {board}")
        made = say(connection, subject, said.body, author=account.name, organisation=said.organisation)
    return Post.model_validate(made)


@router.post("/posts/{number}/{act}", responses=_ERRORS, openapi_extra=takes(Reason))
def moderate(
    number: Number,
    act: Annotated[Literal["hide", "unhide", "erase"], Path(description="What is done to it.")],
    library: Books,
    account: Viewer,
    said: Annotated[Reason, Depends(read_as(Reason))],
) -> Post:
    """Hide a post in sight, show it again, or erase its text for good; for moderators."""
    how = {"hide": hide, "unhide": unhide, "erase": erase}[act]
    with library.write() as connection:
        subject = str(row(connection, posts, number).subject)
        _check(account, Action.HIDE, board_of(connection, subject))
        made = how(connection, number, actor=account.name, reason=said.reason)
    return Post.model_validate(made)


@router.post("/flags/{number}/reply", responses=_ERRORS, openapi_extra=takes(Reply))
def answer(
    number: Number, library: Books, account: Viewer, said: Annotated[Reply, Depends(read_as(Reply))]
) -> Flag:
    """Answer a flag, for the organisation whose row it is on."""
    _check(account, Action.REPLY)
    with library.write() as connection:
        organisation = get(connection, get_flag(connection, number).submission).organisation
        if not speaks_for(account, organisation):
            raise HTTPException(403, f"{account.name} does not speak for {organisation}")
        return Flag.model_validate(reply(connection, number, said.reply, actor=account.name))


@router.post("/flags/{number}/ruling", responses=_ERRORS, openapi_extra=takes(Ruling))
def rule(
    number: Number, library: Books, account: Viewer, said: Annotated[Ruling, Depends(read_as(Ruling))]
) -> Flag:
    """Uphold a flag, or dismiss it; for a moderator who is no party to it."""
    with library.write() as connection:
        board = get(connection, get_flag(connection, number).submission).board
        _check(account, Action.RULE, known(connection, board))
        made = rule_on(
            connection, number, said.ruling, actor=account.name, reason=said.reason, urgent=said.urgent
        )
    return Flag.model_validate(made)


def _check(account: Account, action: Action, board: Board | None = None) -> None:
    if not may(account, action, board):
        raise HTTPException(403, f"{account.name} may not {action}")
