"""`/boards/{board}/submissions/{number}`: one submission, and what can be done to it."""

from collections.abc import Callable
from typing import Annotated, Literal

from fastapi import APIRouter, HTTPException, Path, Request
from fastapi.responses import HTMLResponse, Response
from sqlalchemy import Connection

from bakeoff.accounts import Account, Action
from bakeoff.board.community.flags import get_flag, reply, rule_on
from bakeoff.board.registry import known
from bakeoff.board.submissions import Submission
from bakeoff.errors import BakeoffError
from bakeoff.web.acting import act_on
from bakeoff.web.answers import links_of
from bakeoff.web.links import Links
from bakeoff.web.middleware.kept import LIVE
from bakeoff.web.pages.acts import Act
from bakeoff.web.pages.submission import of_board, submission
from bakeoff.web.pages.typed import NOTHING, Typed, refused
from bakeoff.web.reading import Library
from bakeoff.web.routes.form import Fields, after, said
from bakeoff.web.routes.request import Books, shown
from bakeoff.web.routes.signing import SignedIn, Viewer, check, check_speaks

router = APIRouter(include_in_schema=False)

Number = Annotated[int, Path(ge=1, lt=2**63)]
_DONE: dict[Act, str] = {
    "vote": "voted",
    "publish": "published",
    "reject": "rejected",
    "withdraw": "withdrawn",
    "retry": "retried",
    "flag": "flagged",
}


@router.get("/boards/{board}/submissions/{number}")
def one(request: Request, board: str, number: Number, library: Books, viewer: Viewer) -> HTMLResponse:
    """What it is, where it stands, and what happened to it."""
    return _page(request, library, board, number, viewer)


@router.post("/boards/{board}/submissions/{number}/{act}")
def acted(
    request: Request,
    board: str,
    number: Number,
    act: Act,
    fields: Fields,
    library: Books,
    viewer: SignedIn,
) -> Response:
    """Do that to it."""
    with library.read() as connection:
        of_board(connection, board, number)
    try:
        reason, rule = fields.get("reason", ""), fields.get("rule", "")
        act_on(library, number, act, viewer, reason=reason, rule=rule)
    except BakeoffError as error:
        return _page(request, library, board, number, viewer, refused(act, fields, error))
    return after(_links(request).submission(board, number), _DONE[act])


@router.post("/boards/{board}/flags/{number}/reply")
def replied(
    request: Request, board: str, number: Number, fields: Fields, library: Books, viewer: SignedIn
) -> Response:
    """Answer a flag for the organisation whose row it is on."""
    with library.read() as connection:
        found = of_board(connection, board, get_flag(connection, number).submission)
    check(viewer, Action.REPLY)
    check_speaks(viewer, found.organisation)

    def answer(connection: Connection) -> None:
        reply(connection, number, fields.get("reply", ""), actor=viewer.name)

    return _on_flag(request, library, found, viewer, f"reply {number}", fields, answer)


@router.post("/boards/{board}/flags/{number}/rule")
def ruled(
    request: Request, board: str, number: Number, fields: Fields, library: Books, viewer: SignedIn
) -> Response:
    """Uphold or dismiss a flag."""
    with library.read() as connection:
        found = of_board(connection, board, get_flag(connection, number).submission)
        check(viewer, Action.RULE, known(connection, board))
    ruling = _ruling(fields.get("ruling", ""))

    def rule(connection: Connection) -> None:
        rule_on(
            connection,
            number,
            ruling,
            actor=viewer.name,
            reason=fields.get("reason", ""),
            urgent=fields.get("urgent") == "yes",
        )

    return _on_flag(request, library, found, viewer, f"rule {number}", fields, rule)


def _ruling(text: str) -> Literal["uphold", "dismiss"]:
    match text:
        case "uphold" | "dismiss":
            return text
        case _:
            raise HTTPException(400, "a flag is upheld or dismissed: choose one")


def _on_flag(
    request: Request,
    library: Library,
    found: Submission,
    viewer: Account,
    form: str,
    fields: Fields,
    act: Callable[[Connection], None],
) -> Response:
    try:
        with library.write() as connection:
            act(connection)
    except BakeoffError as error:
        return _page(request, library, found.board, found.id, viewer, refused(form, fields, error))
    done = "replied" if form.startswith("reply") else "ruled"
    return after(f"{_links(request).submission(found.board, found.id)}#flags", done)


def _page(
    request: Request,
    library: Library,
    board: str,
    number: int,
    viewer: Account | None,
    typed: Typed = NOTHING,
) -> HTMLResponse:
    with library.read() as connection:
        page = submission(library, connection, board, number, viewer, typed)
    status = 200 if typed is NOTHING else 400
    answer = shown(request, "submission", page, status=status, said=said(request) if status == 200 else "")
    answer.headers["cache-control"] = LIVE
    return answer


def _links(request: Request) -> Links:
    return links_of(request)
