"""`/login` and `/logout`: by a password. Each log-in opens a new session, and ends the one there was."""

from collections.abc import Callable
from typing import Annotated, TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from bakeoff.accounts import Account, Session, check_password, close, open_session
from bakeoff.accounts.passwords import LONGEST
from bakeoff.accounts.sessions import LIFETIME_S
from bakeoff.web.answers import links_of
from bakeoff.web.cookies import SESSION, drop_cookie, put_cookie
from bakeoff.web.middleware.limits import LoginLimits, address_of, too_often
from bakeoff.web.pages.login import Login, local_path
from bakeoff.web.pages.typed import Problem
from bakeoff.web.reading import Library
from bakeoff.web.routes.request import Books, Served, shown
from bakeoff.web.routes.signing import Viewer
from bakeoff.web.settings import Settings

router = APIRouter(include_in_schema=False)
T = TypeVar("T")
_HASHING = CapacityLimiter(2)
"""A check takes 64 MiB and a core: so many are made at once, and the others wait."""


@router.get("/login")
def login(request: Request, settings: Served, viewer: Viewer, then: str = "") -> Response:
    """The form; whoever is known already goes on."""
    links = links_of(request)
    if viewer is not None:
        return RedirectResponse(local_path(then) or links.account(), 303)
    return form(request, settings, Login(local_path(then)))


@router.post("/login")
async def log_in(
    request: Request,
    library: Books,
    settings: Served,
    name: Annotated[str, Form(max_length=200)],
    password: Annotated[str, Form(max_length=LONGEST)],
    then: Annotated[str, Form(max_length=4000)] = "",
) -> Response:
    """Open a session, and go on to where one came from."""
    limits: LoginLimits = request.app.state.login_limits
    if (wait := limits.wait(name, address_of(request))) is not None:
        return too_often(request, wait)
    account = await checked(library, name, password)
    if account is None:
        wrong = Problem("the name or the password is wrong")
        return form(request, settings, Login(local_path(then), name, wrong), status=401)
    limits.right(name, address_of(request))
    return await run_sync(opened, request, library, settings, account, local_path(then))


@router.post("/logout")
def log_out(request: Request, library: Books, settings: Served, viewer: Viewer) -> Response:
    """End the session."""
    session: Session | None = request.state.session
    if viewer is not None and session is not None:
        with library.write() as connection:
            close(connection, viewer, session.digest)
    answer = RedirectResponse(links_of(request).home(), 303)
    drop_cookie(answer, SESSION, secure=settings.secure)
    return answer


def opened(request: Request, library: Library, settings: Settings, account: Account, then: str) -> Response:
    """A new session for somebody who has shown who they are, in place of the one there was."""
    viewer: Account | None = request.state.viewer
    before: Session | None = request.state.session
    with library.write() as connection:
        if viewer is not None and before is not None:
            close(connection, viewer, before.digest)
        secret = open_session(connection, account)
    answer = RedirectResponse(then or links_of(request).home(), 303)
    put_cookie(answer, SESSION, secret, secure=settings.secure, seconds=LIFETIME_S)
    return answer


async def checked(library: Library, name: str, password: str) -> Account | None:
    """The account, where the password is its own (`check_password`)."""
    return await hashing(_checked, library, name, password)


async def hashing(work: Callable[..., T], *arguments: object) -> T:
    """Do what hashes a password, in a thread, as one of few."""
    return await run_sync(work, *arguments, limiter=_HASHING)


def _checked(library: Library, name: str, password: str) -> Account | None:
    with library.read() as connection:
        return check_password(connection, name, password)


def form(request: Request, settings: Settings, page: Login, *, status: int = 200) -> Response:
    """The form, with the other way in where there is one."""
    return shown(request, "login", page, provider=settings.oidc.name if settings.oidc else "", status=status)
