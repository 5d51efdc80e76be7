"""No address holds a NUL: PostgreSQL keeps none, and cannot even be asked for one."""

from typing import TYPE_CHECKING

from starlette.requests import Request

from bakeoff.web.answers import refusal

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


class NoNul:
    """Refuses an address with a NUL in its path or its query."""

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """One request."""
        if scope["type"] == "http":
            path, query = "\0" in scope["path"], b"%00" in scope["query_string"]
            if path or query:
                refused = refusal(Request(scope), 404 if path else 422, "no address here holds a NUL")
                await refused(scope, receive, send)
                return
        await self._app(scope, receive, send)
