"""How much one request may send: forms and JSON little, uploads as much as the server was told."""

from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request

from bakeoff.web.answers import refusal

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SMALL = 1024 * 1024
_UPLOADS = ("multipart/form-data", "application/octet-stream")


class Bodies:
    """Refuses what says that it is too large at once, and what proves to be while it is read.

    `largest` is in bytes, of what is read part by part; all else is read whole, and has a mebibyte at most.
    """

    def __init__(self, app: "ASGIApp", largest: int) -> None:
        self._app = app
        self._largest = largest

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        most = self._largest if kind in _UPLOADS else min(SMALL, self._largest)
        said = request.headers.get("content-length", "0")
        if said.isascii() and said.isdigit() and int(said[:20]) > most:
            await refusal(request, 413, *_too_large(most))(scope, receive, send)
            return
        seen = 0

        async def counted() -> "Message":
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > most:
                raise HTTPException(413, _too_large(most)[0])
            return message

        await self._app(scope, counted, send)


def _too_large(most: int) -> tuple[str, str]:
    return "that is too large", f"{most / SMALL:,.3g} MiB is the most"
