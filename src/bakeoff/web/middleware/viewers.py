"""Who asks: by the cookie of a session, or by a token. Without either it is nobody, who may read."""

from typing import TYPE_CHECKING

from anyio.to_thread import run_sync
from starlette.datastructures import MutableHeaders
from starlette.requests import Request

from bakeoff import accounts
from bakeoff.accounts import sessions, tokens
from bakeoff.database.clock import current
from bakeoff.web.answers import refusal
from bakeoff.web.cookies import SESSION, cookie_name

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from bakeoff.accounts import Account, Session
    from bakeoff.web.reading import Library

SCHEME = "bearer "


class Viewers:
    """Sets `state.viewer`, an account or None, and `state.session`, where the viewer has a session.

    A token that is not taken is refused, since a program that sends one would not notice. A session that has
    ended is none. Where there is a token the cookie does not count.
    """

    def __init__(self, app: "ASGIApp", library: "Library", *, secure: bool) -> None:
        self._app = app
        self._library = library
        self._cookie = cookie_name(SESSION, secure=secure)

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        request.state.viewer, request.state.session = None, None
        given = request.headers.get("authorization", "")
        if given.lower().startswith(SCHEME):
            request.state.viewer = await run_sync(by_token, self._library, given[len(SCHEME) :].strip())
            if request.state.viewer is None:
                await _unknown(request)(scope, receive, send)
                return
        elif secret := request.cookies.get(self._cookie, ""):
            request.state.viewer, request.state.session = await run_sync(by_session, self._library, secret)
        if request.state.viewer is None:
            await self._app(scope, receive, send)
        else:
            await self._app(scope, receive, lambda message: send(_personal(message)))


def _personal(message: "Message") -> "Message":
    """Let nobody on the way keep what one person was shown, unless the route says otherwise."""
    if message["type"] == "http.response.start":
        headers = MutableHeaders(scope=message)
        headers.setdefault("cache-control", "private, no-cache")
        headers.add_vary_header("Cookie, Authorization")
    return message


def by_token(library: "Library", text: str) -> "Account | None":
    """Whose token that is; noted, where the last note is old."""
    with library.read() as connection:
        found, at = tokens.by_token(connection, text), current(connection)
    if found is None:
        return None
    if tokens.is_stale(found[1], at):
        with library.write() as connection:
            tokens.note_use(connection, found[1])
    return found[0]


def by_session(library: "Library", secret: str) -> "tuple[Account, Session] | tuple[None, None]":
    """Whose session that is; noted, where the last note is old."""
    with library.read() as connection:
        found, at = accounts.by_session(connection, secret), current(connection)
    if found is None:
        return None, None
    if sessions.is_stale(found[1], at):
        with library.write() as connection:
            sessions.note_use(connection, found[1])
    return found


def _unknown(request: Request) -> "ASGIApp":
    return refusal(
        request,
        401,
        "the token is not taken",
        "it is mistyped, has run out, or was revoked: bakeoff account token list NAME",
        {"www-authenticate": 'Bearer error="invalid_token"'},
    )
