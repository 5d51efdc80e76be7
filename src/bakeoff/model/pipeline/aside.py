"""Somebody else's code, run where it can neither block our event loop nor hold up the exit.

Python cannot end a thread. So code that hangs is left to itself in a daemon thread, and only the wait for it
ends.
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Raised:
    """The exception in place of a value."""

    error: BaseException


async def in_thread(function: Callable[[], Any]) -> Any:
    """The value of `function()` from a daemon thread of its own; what it raises comes back as `Raised`."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()

    def deliver(value: Any) -> None:
        if not future.done():
            future.set_result(value)

    def work() -> None:
        try:
            value = function()
        except BaseException as error:  # noqa: BLE001 (sys.exit() in it must not pass for silence)
            value = Raised(error)
        with suppress(RuntimeError):  # the loop may have been closed: nobody waits any more
            loop.call_soon_threadsafe(deliver, value)

    threading.Thread(target=work, name="pipeline", daemon=True).start()
    return await future


class AsideLoop:
    """An event loop in a daemon thread, for coroutines that may block it. It starts with its first use."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = threading.Event()
        self._end: asyncio.Event

    async def value(self, awaitable: Awaitable[Any]) -> Any:
        """The value of `awaitable`; what it raises comes back as `Raised`. Cancelled with its waiter."""
        if self._loop is None:
            threading.Thread(target=lambda: asyncio.run(self._serve()), name="pipelines", daemon=True).start()
            self._ready.wait()
        assert self._loop is not None
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_awaited(awaitable), self._loop))

    def close(self) -> None:
        """Cancel what still runs, and end the loop once it is free."""
        if self._loop is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._end.set)
            self._loop = None

    async def _serve(self) -> None:
        self._end = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._ready.set()
        await self._end.wait()


async def _awaited(awaitable: Awaitable[Any]) -> Any:
    try:
        return await awaitable
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise  # by us
        return Raised(error)
    except (Exception, SystemExit) as error:  # noqa: BLE001 (whatever the user's own code raises)
        return Raised(error)
