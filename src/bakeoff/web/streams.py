"""Streams of server-sent events: what happens, told to browsers as it does. They take no thread each."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import orjson
from anyio.to_thread import run_sync
from fastapi import HTTPException
from fastapi.responses import StreamingResponse

if TYPE_CHECKING:
    from fastapi import FastAPI

PERIOD_S = 2.0
"""So often what streams tell is looked up, once for all who watch the same."""
_LONGEST_S = 600.0
"""A browser opens an ended stream again by itself; one that nobody reads any more is found out so."""
_SILENCE_S = 15.0

Told = tuple[str, Any]
"""The name of an event and its data, which becomes JSON."""


class Streams:
    """The streams that are open on one server, at most so many. For one event loop."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open = 0
        self._ended = asyncio.Event()
        self._latest: dict[Hashable, tuple[float, asyncio.Future[Any]]] = {}

    @property
    def open(self) -> int:
        """How many are open."""
        return self._open

    @contextmanager
    def one(self) -> Iterator[None]:
        """While one more is open, which `check` allowed."""
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1

    def check(self) -> None:
        """Whether one more may be opened.

        Raises:
            HTTPException: as many as may be are open (503).
        """
        if self._open >= self._most:
            raise HTTPException(
                503, "too many watch already: load the page again to see more", {"retry-after": "30"}
            )

    def end(self) -> None:
        """Let all streams end: the server does."""
        self._ended.set()

    async def pause(self, seconds: float) -> bool:
        """Wait; whether streams go on then. They end at once where the server does."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), seconds)
        return not self._ended.is_set()

    async def latest(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` returns, called in a thread, at most once in `PERIOD_S` whoever asks for the key."""
        now = time.monotonic()
        made, found = self._latest.get(key, (float("-inf"), None))
        if found is None or now - made >= PERIOD_S:
            self._latest = {name: each for name, each in self._latest.items() if now - each[0] < 2 * PERIOD_S}
            found = asyncio.ensure_future(run_sync(make))
            self._latest[key] = (now, found)
        return await asyncio.shield(found)

    def answer(self, events: AsyncIterator[Told]) -> StreamingResponse:
        """The stream of these events, as long as there are any and somebody listens.

        Raises:
            HTTPException: as many as may be are open (503).
        """
        self.check()
        # Proxies are not to hold events back.
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(self._counted(events), media_type="text/event-stream", headers=headers)

    async def _counted(self, events: AsyncIterator[Told]) -> AsyncIterator[bytes]:
        with self.one():
            async for part in self._held(events):
                yield part

    async def _held(self, events: AsyncIterator[Told]) -> AsyncIterator[bytes]:
        ends = time.monotonic() + _LONGEST_S
        waiting: asyncio.Future[Told] | None = None
        try:
            yield b"retry: 5000\n\n"
            while time.monotonic() < ends:
                waiting = waiting or asyncio.ensure_future(anext(events))
                done, _ = await asyncio.wait([waiting], timeout=_SILENCE_S)
                if not done:
                    yield b":\n\n"
                    continue
                try:
                    name, data = waiting.result()
                except StopAsyncIteration:
                    return
                waiting = None
                yield f"event: {name}\ndata: ".encode() + orjson.dumps(data) + b"\n\n"
        finally:
            if waiting is not None:
                waiting.cancel()


def streams(app: "FastAPI") -> Streams:
    """Those of an app."""
    if not hasattr(app.state, "streams"):
        app.state.streams = Streams(app.state.settings.streams)
    found: Streams = app.state.streams
    return found
