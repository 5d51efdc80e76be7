"""Headers that tell browsers what a page may do: use our files, and nothing else."""

from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
ALWAYS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


_OF_FILES = {"x-content-type-options", "cross-origin-resource-policy"}
"""What matters of our own styles and scripts, of which a page loads several."""


class Headers:
    """Adds them to every answer; with `secure` also that the site is to be reached by https alone."""

    def __init__(self, app: "ASGIApp", *, secure: bool = False) -> None:
        self._app = app
        wanted = ALWAYS | ({"strict-transport-security": "max-age=31536000"} if secure else {})
        self._headers = [(key.encode(), value.encode()) for key, value in wanted.items()]
        self._of_files = [each for each in self._headers if each[0].decode() in _OF_FILES]

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        static = scope["path"].startswith(f"{scope.get('root_path', '')}/static/")
        wanted = self._of_files if static else self._headers

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                there = {key for key, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(each for each in wanted if each[0] not in there),
                ]
            await send(message)

        await self._app(scope, receive, with_headers)
