"""The server: it opens what it needs, listens, says where, and ends when told."""

import gc
import socket
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from threading import Thread

import uvicorn
from fastapi import FastAPI

from bakeoff.errors import BakeoffError
from bakeoff.visible import visible
from bakeoff.web.app import create_app
from bakeoff.web.links import Links
from bakeoff.web.pages import arena_standing
from bakeoff.web.reading import Library
from bakeoff.web.settings import Settings


def serve(settings: Settings, host: str, port: int) -> None:
    """Serve until interrupted.

    Raises:
        BakeoffError: nothing can listen there, the database cannot be opened, or an arena cannot be live: a
            model cannot be opened, or its definition is not that of the arena of this name.
    """
    listening = _listening(host, port)
    with listening, _responsive():
        app = create_app(settings)
        Thread(target=_warm, args=(app.state.library,), daemon=True).start()
        # What a proxy says is looked at by our own middleware, or by nobody.
        # Streams of progress have no end of their own: who stops the server does not wait for their readers.
        config = uvicorn.Config(
            app,
            # Uvicorn's own would close what others in this process write their logs to.
            log_config=None,
            log_level="warning",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=3,
            lifespan="off",
        )
        at = f"[{host}]" if ":" in host else host
        _Server(config, app, f"http://{at}:{listening.getsockname()[1]}").run(sockets=[listening])


class _Server(uvicorn.Server):
    """Opens what the app needs before it listens to requests and signals: a mistake there ends it with that
    mistake, and Ctrl-C at once.
    """

    def __init__(self, config: uvicorn.Config, app: FastAPI, address: str) -> None:
        super().__init__(config)
        self._app, self._address = app, address
        self._opened = AsyncExitStack()

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        settings: Settings = self._app.state.settings
        for arena in settings.arenas:
            models = ", ".join(dict.fromkeys(each.model for each in arena.models))
            _say(f"{arena.name}: opening {visible(models)}")
        async with self._opened:
            await self._opened.enter_async_context(self._app.router.lifespan_context(self._app))
            _say(f"{self._address}/  (Ctrl-C ends it)")
            links = Links(settings.address.rstrip("/") or self._address)
            for arena in settings.arenas:
                _say(f"{arena.name}: {links.arena(arena.name, 'battle')}")
            with self.capture_signals():
                await self._serve(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for each in self.servers:
            each.close()
        # First, since then the streams of battles end: their readers are told, and nobody waits for them.
        await self._opened.aclose()
        await super().shutdown(sockets)


@contextmanager
def _responsive() -> Iterator[None]:
    """While everybody waits for one event loop: threads that compute let it have its turn after 1 ms, not 5,
    and the garbage collector, which lets nobody have a turn, looks at 10,000 new objects seldom instead of at
    700 often. Few are garbage: what is done with goes without it.
    """
    interval, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(0.001)
    gc.set_threshold(10_000, 20, 20)
    try:
        yield
    finally:
        sys.setswitchinterval(interval)
        gc.set_threshold(*thresholds)


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=1024)
    except (OSError, OverflowError) as error:
        said = getattr(error, "strerror", None) or error
        raise BakeoffError(
            f"nothing can listen on {host}, port {port}: {said}", "name another --port"
        ) from None
    # asyncio would do so for sockets of its own making: without it an answer waits 40 ms for its second part.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201


def _warm(library: Library) -> None:
    library.warm()
    arena_standing.warm(library)
    # Millions of rows that stay are not to be walked through at each collection.
    gc.collect()
    gc.freeze()
