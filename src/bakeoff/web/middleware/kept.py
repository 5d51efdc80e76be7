"""Answers kept for readers who are not logged in, so that many can read at once.

An answer to a GET without a cookie is kept while the log stands still, for half a minute at most. Pages that
change by other means answer with `LIVE` and are kept for a second; what says `Cache-Control: no-store` and
no more is never kept. While an answer is made, others who ask for the same wait for it.
"""

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from anyio.to_thread import run_sync

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

OLDEST_S = 30.0
LIVE_S = 1.0
CHECKED_S = 0.5
"""So long an answer may be behind the log."""
LIVE = "no-store, shared-for=1"
"""The `Cache-Control` of a page that shows work under way. No other cache knows the second word, and keeps
nothing; here a second's readers share it.
"""
_MOST_BYTES = 64 * 1024 * 1024
_LARGEST = 4 * 1024 * 1024
_PERSONAL = (b"cookie", b"authorization", b"range")
"""Headers of requests whose answers are nobody else's."""

Key = tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class _Answer:
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    etag: bytes
    stamp: str
    until: float
    """On the monotonic clock, seconds."""


@dataclass(slots=True)
class _Caught:
    """What an app said, held back until it is known whether it may be kept."""

    send: "Send"
    decided: asyncio.Event
    """Set once others need not wait: a stream may go on for hours."""
    start: "Message | None" = None
    parts: list[bytes] = field(default_factory=list)
    passing: bool = False


class Keeping:
    """`stamp` names the present state of what pages are made from; it is asked for twice a second at most."""

    def __init__(self, app: "ASGIApp", stamp: Callable[[], str]) -> None:
        self._app = app
        self._stamp = stamp
        self._known, self._checked = "", float("-inf")
        self._checking: asyncio.Task[None] | None = None
        self._answers: OrderedDict[Key, _Answer] = OrderedDict()
        self._bytes = 0
        self._making: dict[Key, asyncio.Event] = {}

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """One request."""
        headers = dict(scope.get("headers", ()))
        if scope["type"] != "http" or scope["method"] != "GET" or any(name in headers for name in _PERSONAL):
            await self._app(scope, receive, send)
            return
        stamp = await self._present()
        key = _key(scope, headers)
        if (making := self._making.get(key)) is not None:
            await making.wait()
        if (answer := self._fresh(key, stamp)) is not None:
            await _give(answer, headers, send)
            return
        if key in self._making:  # what was waited for was not to be kept, and somebody tries again
            await self._app(scope, receive, send)
            return
        self._making[key] = asyncio.Event()
        try:
            made = await self._made(scope, receive, _Caught(send, self._making[key]), headers, stamp)
            if made is not None:
                self._keep(key, made)
        finally:
            self._making.pop(key).set()

    async def _present(self) -> str:
        if time.monotonic() - self._checked < CHECKED_S:
            return self._known
        if self._checking is None or self._checking.done():
            self._checking = asyncio.create_task(self._check())
        await self._checking
        return self._known

    async def _check(self) -> None:
        self._known = await run_sync(self._stamp)
        self._checked = time.monotonic()

    def _fresh(self, key: Key, stamp: str) -> _Answer | None:
        answer = self._answers.get(key)
        if answer is None or answer.stamp != stamp or time.monotonic() > answer.until:
            return None
        self._answers.move_to_end(key)
        return answer

    def _keep(self, key: Key, answer: _Answer) -> None:
        if (before := self._answers.pop(key, None)) is not None:
            self._bytes -= len(before.body)
        self._answers[key] = answer
        self._bytes += len(answer.body)
        while self._bytes > _MOST_BYTES:
            self._bytes -= len(self._answers.popitem(last=False)[1].body)

    async def _made(
        self, scope: "Scope", receive: "Receive", caught: _Caught, asked: Mapping[bytes, bytes], stamp: str
    ) -> _Answer | None:
        """What the app answers, given to who asked; None where it is not to be kept."""
        await self._app(scope, receive, lambda message: _catch(caught, message))
        if caught.passing or caught.start is None:
            return None
        body = b"".join(caught.parts)
        etag = b'"' + hashlib.sha256(body).hexdigest()[:24].encode() + b'"'
        own = tuple(pair for pair in caught.start["headers"] if pair[0] not in (b"etag", b"cache-control"))
        headers = (*own, (b"etag", etag), (b"cache-control", b"no-cache"))
        answer = _Answer(headers, body, etag, stamp, time.monotonic() + _lasts_s(caught.start))
        await _give(answer, asked, caught.send)
        return answer if len(body) <= _LARGEST else None


def _key(scope: "Scope", headers: Mapping[bytes, bytes]) -> Key:
    packed = b"gzip" if b"gzip" in headers.get(b"accept-encoding", b"") else b""
    path = scope.get("raw_path") or scope["path"].encode()
    return (path, scope["query_string"], headers.get(b"host", b""), packed, headers.get(b"accept", b""))


async def _catch(caught: _Caught, message: "Message") -> None:
    if message["type"] == "http.response.start":
        if _keepable(message):
            caught.start = message
            return
        caught.passing = True
        caught.decided.set()
    if caught.passing:
        await caught.send(message)
    elif message["type"] == "http.response.body":
        caught.parts.append(message.get("body", b""))


def _control(start: Mapping[str, Any]) -> bytes:
    return bytes(dict(start["headers"]).get(b"cache-control", b""))


def _lasts_s(start: Mapping[str, Any]) -> float:
    return LIVE_S if _control(start) == LIVE.encode() else OLDEST_S


def _keepable(start: Mapping[str, Any]) -> bool:
    headers = dict(start["headers"])
    control = _control(start)
    return (
        start["status"] == 200
        and b"set-cookie" not in headers
        and (
            control == LIVE.encode()
            or not any(word in control for word in (b"no-store", b"private", b"immutable"))
        )
        and not headers.get(b"content-type", b"").startswith(b"text/event-stream")
    )


async def _give(answer: _Answer, asked: Mapping[bytes, bytes], send: "Send") -> None:
    if answer.etag in asked.get(b"if-none-match", b""):
        kept = [pair for pair in answer.headers if pair[0] not in (b"content-length", b"content-type")]
        await send({"type": "http.response.start", "status": 304, "headers": kept})
        await send({"type": "http.response.body", "body": b""})
        return
    await send({"type": "http.response.start", "status": 200, "headers": list(answer.headers)})
    await send({"type": "http.response.body", "body": answer.body})
