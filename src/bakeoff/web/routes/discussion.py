"""`/boards/{board}/discussion`: threads, and what can be done to a post."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse, Response
from sqlalchemy import Connection

from bakeoff.accounts import Account, Action
from bakeoff.board.community.attested import row
from bakeoff.board.community.discussion import Post, erase, hide, say, unhide
from bakeoff.board.registry import known
from bakeoff.database.tables import post as table
from bakeoff.errors import BakeoffError
from bakeoff.web.answers import links_of
from bakeoff.web.pages.discussion import discussion, on
from bakeoff.web.pages.typed import NOTHING, Typed, refused
from bakeoff.web.reading import Library
from bakeoff.web.routes.form import Fields, after, said
from bakeoff.web.routes.request import Books, shown
from bakeoff.web.routes.signing import SignedIn, Viewer, check, check_speaks

router = APIRouter(include_in_schema=False)

Act = Literal["hide", "unhide", "erase"]
_DONE: dict[Act, str] = {"hide": "hidden", "unhide": "shown", "erase": "erased"}


@router.get("/boards/{board}/discussion")
def threads(
    request: Request,
    board: str,
    library: Books,
    viewer: Viewer,
    subject: Annotated[str, Query(alias="on", max_length=300)] = "",
) -> HTMLResponse:
    """A thread, and which others there are."""
    return _page(request, library, board, subject, viewer)


@router.post("/boards/{board}/discussion")
def posted(request: Request, board: str, fields: Fields, library: Books, viewer: SignedIn) -> Response:
    """Add a post."""
    check(viewer, Action.DISCUSS)
    organisation = fields.get("organisation", "")
    if organisation:
        check_speaks(viewer, organisation)
    with library.read() as connection:
        subject = on(connection, board, fields.get("on", ""))
    try:
        with library.write() as connection:
            made = say(
                connection, subject, fields.get("body", ""), author=viewer.name, organisation=organisation
            )
    except BakeoffError as error:
        return _page(request, library, board, subject.name, viewer, refused("post", fields, error))
    return _on(request, board, made, "posted")


@router.post("/boards/{board}/posts/{number}/{act}")
def moderated(
    request: Request,
    board: str,
    number: Annotated[int, Path(ge=1, lt=2**63)],
    act: Act,
    fields: Fields,
    library: Books,
    viewer: SignedIn,
) -> Response:
    """Hide a post, show it again, or erase its text."""
    with library.read() as connection:
        check(viewer, Action.HIDE, known(connection, board))
        subject = on(connection, board, str(row(connection, table, number).subject)).name
    try:
        with library.write() as connection:
            made = _do(connection, number, act, actor=viewer.name, reason=fields.get("reason", ""))
    except BakeoffError as error:
        return _page(request, library, board, subject, viewer, refused(f"{act} {number}", fields, error))
    return _on(request, board, made, _DONE[act])


def _do(connection: Connection, number: int, act: Act, *, actor: str, reason: str) -> Post:
    match act:
        case "hide":
            return hide(connection, number, actor=actor, reason=reason)
        case "unhide":
            return unhide(connection, number, actor=actor, reason=reason)
        case "erase":
            return erase(connection, number, actor=actor, reason=reason)


def _on(request: Request, board: str, made: Post, done: str) -> Response:
    links = links_of(request)
    return after(links.post(board, made.subject, made.id), done)


def _page(
    request: Request,
    library: Library,
    board: str,
    subject: str,
    viewer: Account | None,
    typed: Typed = NOTHING,
) -> HTMLResponse:
    with library.read() as connection:
        page = discussion(connection, board, subject, viewer, typed)
    status = 200 if typed is NOTHING else 400
    return shown(request, "discussion", page, status=status, said=said(request) if status == 200 else "")
