"""The server: it listens, says where, and ends when told."""

import gc
import sys
from threading import Thread

import uvicorn

from bakeoff.errors import BakeoffError
from bakeoff.web.app import create_app
from bakeoff.web.reading import Library
from bakeoff.web.settings import Settings


def serve(settings: Settings, host: str, port: int) -> None:
    """Serve until interrupted.

    Raises:
        BakeoffError: nothing can listen there, or the database cannot be opened.
    """
    import socket

    app = create_app(settings)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        raise BakeoffError(
            f"nothing can listen on {host}, port {port}: {error.strerror or error}", "name another --port"
        ) from None
    Thread(target=_warm, args=(app.state.library,), daemon=True).start()
    # asyncio would do so for sockets of its own making: without it an answer waits 40 ms for its second part.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    at = f"[{host}]" if ":" in host else host
    print(f"http://{at}:{listening.getsockname()[1]}/  (Ctrl-C ends it)", file=sys.stderr, flush=True)  # noqa: T201
    # What a proxy says is looked at by our own middleware, or by nobody.
    # Streams of progress have no end of their own: who stops the server does not wait for their readers.
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    uvicorn.Server(config).run(sockets=[listening])


def _warm(library: Library) -> None:
    library.warm()
    # Millions of rows that stay are not to be walked through at each collection.
    gc.collect()
    gc.freeze()
