"""The server: it listens, says where, and ends when told."""

import sys

import uvicorn

from bakeoff.errors import BakeoffError
from bakeoff.web.app import create_app
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
    at = f"[{host}]" if ":" in host else host
    print(f"http://{at}:{listening.getsockname()[1]}/  (Ctrl-C ends it)", file=sys.stderr, flush=True)  # noqa: T201
    # What a proxy says is looked at by our own middleware, or by nobody.
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, proxy_headers=False, server_header=False
    )
    uvicorn.Server(config).run(sockets=[listening])
