"""`/account`: who one is; tokens, sessions and the password. `/accounts`: who there is, for admins.

Nothing here is open to tokens, and none of it is kept by anyone on the way.
"""

from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import RedirectResponse, Response

from bakeoff.accounts import (
    Account,
    Action,
    Session,
    accounts,
    close,
    close_all,
    new_token,
    revoke,
    set_password,
)
from bakeoff.accounts.passwords import LONGEST
from bakeoff.accounts.tokens import LONGEST_LABEL
from bakeoff.errors import BakeoffError
from bakeoff.web.answers import links_of
from bakeoff.web.middleware.limits import LoginLimits, address_of, too_often
from bakeoff.web.pages.account import account_page
from bakeoff.web.pages.typed import Problem
from bakeoff.web.reading import Library
from bakeoff.web.routes.login import checked, hashing, opened
from bakeoff.web.routes.request import Books, Served, shown
from bakeoff.web.routes.signing import InSession, SignedIn, check, with_session

router = APIRouter(include_in_schema=False)
_SAID = {
    "revoked": "The token is revoked.",
    "closed": "What was to be closed is closed.",
    "password": "The password is changed, and other sessions are closed.",
}


@router.get("/account")
def account(
    request: Request, library: Books, viewer: SignedIn, session: InSession, done: str = ""
) -> Response:
    """Who one is."""
    return _page(request, library, viewer, session, said=_SAID.get(done, ""))


@router.post("/account/tokens")
def make_token(
    request: Request,
    library: Books,
    viewer: SignedIn,
    session: InSession,
    label: Annotated[str, Form(max_length=4 * LONGEST_LABEL)],
    days: Annotated[int, Form()],
) -> Response:
    """Make a token, and show it this once: nothing that one is sent to afterwards could."""
    try:
        with library.write() as connection:
            _, text = new_token(connection, viewer.name, label, actor=viewer.name, days=days)
    except BakeoffError as error:
        return _page(
            request, library, viewer, session, problem=Problem(error.message, error.hint), status=400
        )
    return _page(request, library, viewer, session, new=text, status=201)


@router.post("/account/tokens/{number}/revoke", dependencies=[Depends(with_session)])
def revoke_token(request: Request, library: Books, viewer: SignedIn, number: int) -> Response:
    """Take a token of one's own no longer."""
    with library.write() as connection:
        revoke(connection, viewer.name, number, actor=viewer.name)
    return _back(request, "revoked", "tokens")


@router.post("/account/sessions/close")
def close_sessions(
    request: Request,
    library: Books,
    viewer: SignedIn,
    session: InSession,
    digest: Annotated[str, Form(alias="session", max_length=200)] = "",
) -> Response:
    """End one of one's sessions, or all but this one."""
    with library.write() as connection:
        if digest:
            close(connection, viewer, digest)
        else:
            close_all(connection, viewer, but=session.digest)
    return _back(request, "closed", "sessions")


@router.post("/account/password")
async def change_password(
    request: Request,
    library: Books,
    settings: Served,
    viewer: SignedIn,
    session: InSession,
    now: Annotated[str, Form(max_length=LONGEST)],
    then: Annotated[str, Form(max_length=4 * LONGEST)],
) -> Response:
    """Change the password, for who knows it: a browser left open is not enough. All sessions end, and this
    browser has a new one.
    """
    limits: LoginLimits = request.app.state.login_limits
    if (wait := limits.wait(viewer.name, address_of(request))) is not None:
        return too_often(request, wait)
    if await checked(library, viewer.name, now) is None:
        return await run_sync(
            _wrong, request, library, viewer, session, Problem("the password now is another")
        )
    limits.right(viewer.name, address_of(request))
    try:
        changed = await hashing(_changed, library, viewer, then)
    except BakeoffError as error:
        return await run_sync(_wrong, request, library, viewer, session, Problem(error.message, error.hint))
    links = links_of(request)
    return await run_sync(opened, request, library, settings, changed, links.to("account", done="password"))


@router.get("/accounts", dependencies=[Depends(with_session)])
def all_accounts(request: Request, library: Books, viewer: SignedIn) -> Response:
    """Who there is."""
    check(viewer, Action.SEE_ACCOUNTS)
    with library.read() as connection:
        found = accounts(connection)
    return _unkept(shown(request, "accounts", found))


def _changed(library: Library, viewer: Account, password: str) -> Account:
    with library.write() as connection:
        return set_password(connection, viewer.name, password, actor=viewer.name)


def _wrong(
    request: Request, library: Library, viewer: Account, session: Session, problem: Problem
) -> Response:
    return _page(request, library, viewer, session, problem=problem, status=400)


def _page(
    request: Request,
    library: Library,
    viewer: Account,
    session: Session,
    *,
    said: str = "",
    new: str = "",
    problem: Problem | None = None,
    status: int = 200,
) -> Response:
    with library.read() as connection:
        page = account_page(connection, viewer, session, new=new, problem=problem)
    return _unkept(shown(request, "account", page, said=said, status=status))


def _back(request: Request, done: str, part: str) -> Response:
    links = links_of(request)
    return RedirectResponse(f"{links.to('account', done=done)}#{part}", 303)


def _unkept(answer: Response) -> Response:
    answer.headers["cache-control"] = "no-store"
    return answer
