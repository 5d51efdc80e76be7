"""Who votes in an arena: somebody with a cookie of that arena, an account, or an invitation."""

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import HTTPException, Request
from fastapi.responses import Response

from bakeoff.arena.battles.live_arena import Kind, live_arena, voter
from bakeoff.arena.votes.pseudonym import pseudonym
from bakeoff.web.cookies import cookie_name, put_cookie
from bakeoff.web.pages.arena_votes import is_live

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from bakeoff.arena.battles.live_arena import LiveArena
    from bakeoff.arena.definition.definition import Arena

_YEAR_S = 365 * 86_400.0
_LONGEST = 100


@dataclass(frozen=True, slots=True)
class Voter:
    """`pseudonym` is who it is in the arena. `secret` is for a cookie that the browser does not have yet; ""
    where it needs none.
    """

    pseudonym: str
    secret: str = ""


def known(request: Request, connection: "Connection", arena: "Arena") -> Voter | None:
    """Who asks; None for somebody who was not there before, or may not vote.

    Raises:
        BakeoffError: the arena was never live.
    """
    found = claimed(request, arena, live_arena(connection, arena.name))
    if arena.voters == "invited" and not holds(connection, arena, _cookie(request, arena)):
        return None
    return found


def claimed(request: Request, arena: "Arena", live: "LiveArena") -> Voter | None:
    """Who the request says that it comes from. That is who it is, unless the arena is for those who were
    invited: the database alone knows whether that holds.
    """
    account = getattr(request.state, "viewer", None)
    cookie = _cookie(request, arena)
    told: tuple[Kind, str] | None = None
    match arena.voters:
        case "accounts" if account is not None:
            told = ("account", account.name)
        case "invited" if cookie:
            told = ("invitation", cookie)
        case "anyone" if _is_ours(live, cookie):
            told = ("cookie", cookie)
    return None if told is None else Voter(voter(live, *told))


def newcomer(request: Request, arena: "Arena", live: "LiveArena") -> Voter:
    """Somebody who is not known, and becomes known by the cookie that `welcome` puts.

    Raises:
        HTTPException: only those with an account, or an invitation, vote here (403); or too many have come
            from one address lately (429).
    """
    if arena.voters == "accounts":
        raise HTTPException(403, "who votes here has an account: log in first")
    if arena.voters == "invited":
        raise HTTPException(403, "who votes here was invited: open the link that you were sent")
    request.app.state.newcomers.check(request)
    made = secrets.token_urlsafe(24)
    secret = f"{made}.{_mark(live, made)}"
    return Voter(voter(live, "cookie", secret), secret)


def check_reader(request: Request, connection: "Connection", arena: str) -> None:
    """Whether who asks may read what was written in an arena: in one that is not for anyone its voters alone.

    Raises:
        HTTPException: they may not (403).
    """
    from bakeoff.arena.definition.preparing import stored

    if is_live(connection, arena):
        definition = stored(connection, arena)
        if definition.voters != "anyone" and known(request, connection, definition) is None:
            raise HTTPException(403, "what was written in this arena is read by its voters alone")


def welcome(request: Request, response: Response, arena: str, secret: str) -> None:
    """Let the browser keep who it is in an arena, for a year; nothing for an empty secret."""
    if secret:
        secure = request.app.state.settings.secure
        put_cookie(response, f"arena-{arena}", secret, secure=secure, seconds=_YEAR_S)


def holds(connection: "Connection", arena: "Arena", secret: str) -> bool:
    """Whether that is the secret of an invitation that holds, to an arena that asks for one."""
    from bakeoff.arena.definition.invitations import invited

    return arena.voters == "invited" and invited(connection, arena.name, secret)


def _mark(live: "LiveArena", made: str) -> str:
    """By which a cookie is known to be of our making: who could invent cookies would be as many voters."""
    return pseudonym(f"cookie made here:{made}", live.salt)


def _is_ours(live: "LiveArena", cookie: str) -> bool:
    made, _, mark = cookie.rpartition(".")
    return bool(made) and secrets.compare_digest(mark.encode(), _mark(live, made).encode())


def _cookie(request: Request, arena: "Arena") -> str:
    name = cookie_name(f"arena-{arena.name}", secure=request.app.state.settings.secure)
    return request.cookies.get(name, "")[:_LONGEST]
