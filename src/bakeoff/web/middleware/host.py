"""By which names the site may be asked for: a page elsewhere could have its own name lead here.

A server that listens on one's own machine is reached by no stranger, but by one's own browser: a page of a
stranger whose name is made to lead to 127.0.0.1 (DNS rebinding) would read there what only oneself may. An
address in numbers cannot be made to lead elsewhere; of names those count that the operator gave.
"""

import re
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?")


class Host:
    """Refuses what is asked for by another name than that of `address`, this machine's, or numbers."""

    def __init__(self, app: "ASGIApp", *, address: str = "") -> None:
        self._app = app
        self._names = {"localhost", urlsplit(address).hostname}

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """One request."""
        if scope["type"] == "http":
            name = host_name(Headers(scope=scope).get("host", ""))
            if name is None:
                await PlainTextResponse("the Host header is malformed\n", 400)(scope, receive, send)
                return
            if name not in self._names and not _is_address(name):
                said = f"this site is not called {name}; bakeoff serve --address says what it is called\n"
                await PlainTextResponse(said, 421)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def host_name(header: str) -> str | None:
    """The name or the address in a Host header, in lower case and without the port; None where it is none."""
    found = _HOST.fullmatch(header)
    if found is None:
        return None
    name = found[1].lower()
    if not name.startswith("["):
        return name
    return name[1:-1] if _is_address(name[1:-1]) else None


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
