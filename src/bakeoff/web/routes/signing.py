"""What routes ask of the one who acts: to be somebody, and to be allowed to."""

from typing import Annotated

from fastapi import Depends, HTTPException, Request

from bakeoff.accounts import Account, Action, Session, may, speaks_for
from bakeoff.accounts.roles import Moderated
from bakeoff.web.links import Links


def viewer(request: Request) -> Account | None:
    """Who asks; None where it is nobody known."""
    found: Account | None = getattr(request.state, "viewer", None)
    return found


def signed_in(request: Request) -> Account:
    """Who asks. Who opens a page without being known is led to the log-in, and back.

    Raises:
        HTTPException: it is nobody known.
    """
    found = viewer(request)
    if found is not None:
        return found
    root = request.scope.get("root_path", "")
    if request.method == "GET" and not request.url.path.startswith(f"{root}/api/"):
        then = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        raise HTTPException(303, "log in first", {"location": Links(root).login(then)})
    raise HTTPException(401, "log in first", {"www-authenticate": "Bearer"})


def with_session(request: Request, account: Annotated[Account, Depends(signed_in)]) -> Session:
    """The session of who asks: what concerns the account itself is not open to tokens, or one that leaked
    could make others.

    Raises:
        HTTPException: it is nobody known, or one known by a token.
    """
    found: Session | None = request.state.session
    if found is None:
        raise HTTPException(403, f"a token cannot change {account.name}: log in with a browser")
    return found


Viewer = Annotated[Account | None, Depends(viewer)]
"""Who asks, for a route's parameter."""
SignedIn = Annotated[Account, Depends(signed_in)]
InSession = Annotated[Session, Depends(with_session)]


def check(account: Account | None, action: Action, board: Moderated | None = None) -> None:
    """Whether somebody may do that (`accounts.may`).

    Raises:
        HTTPException: they may not.
    """
    if not may(account, action, board):
        who = account.name if account else "nobody"
        raise HTTPException(403, f"{who} may not {action}")


def check_speaks(account: Account, organisation: str) -> None:
    """Whether an account speaks for an organisation (`accounts.speaks_for`).

    Raises:
        HTTPException: it does not.
    """
    if not speaks_for(account, organisation):
        known = ", ".join((*account.organisations, account.name))
        raise HTTPException(403, f"{account.name} does not speak for {organisation}, only for {known}")
