"""Forms of other sites are not taken: what a browser sends for a page that is not ours changes nothing.

The rule is that of Go 1.25 (net/http.CrossOriginProtection): browsers say where a request comes from, in
Sec-Fetch-Site or, older ones, in Origin; programs say neither, and have no cookies to be tricked with.
"""

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.requests import Request

from bakeoff.web.answers import refusal
from bakeoff.web.middleware.viewers import SCHEME

if TYPE_CHECKING:
    from starlette.datastructures import Headers
    from starlette.types import ASGIApp, Receive, Scope, Send

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Origin:
    """Refuses what would change something and comes from elsewhere. `address` is the site's, as the public
    knows it, where a proxy changes the Host.
    """

    def __init__(self, app: "ASGIApp", *, address: str = "") -> None:
        self._app = app
        self._address = address

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """One request."""
        if scope["type"] == "http" and scope["method"] not in _SAFE:
            request = Request(scope)
            if not _by_token_alone(request.headers) and not comes_from_here(request.headers, self._address):
                answer = refusal(
                    request, 403, "this was sent from another site", "open the page here, and send it again"
                )
                await answer(scope, receive, send)
                return
        await self._app(scope, receive, send)


def comes_from_here(headers: "Headers", address: str) -> bool:
    """Whether a request comes from a page of ours, from a person's own hand, or from no browser."""
    said = headers.get("sec-fetch-site")
    if said is not None:
        return said in ("same-origin", "none")
    origin = headers.get("origin")
    if origin is None:
        return True
    host = _host(origin)
    return host != "" and host in (headers.get("host"), _host(address))


def _host(address: str) -> str:
    """The host of an address, with its port; "" where there is none."""
    try:
        return urlsplit(address).netloc
    except ValueError:
        return ""


def _by_token_alone(headers: "Headers") -> bool:
    return headers.get("authorization", "").lower().startswith(SCHEME) and "cookie" not in headers
