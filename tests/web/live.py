"""The app on a real database, for tests: in process by a client, or behind a real socket for a browser."""

import tempfile
import threading
import time
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import uvicorn
from starlette.testclient import TestClient

from bakeoff.database import database_url, open_database
from bakeoff.database.migrate import migrate
from bakeoff.web.app import create_app
from bakeoff.web.settings import Settings


def settings(folder, **changes):
    """Of an app whose database and runs lie in `folder`; the tables are there, as if migrated."""
    database = folder / "bakeoff.db"
    if not database.exists():
        database.write_bytes(_migrated())
    usual = {
        "database": f"sqlite:///{folder / 'bakeoff.db'}",
        "runs": folder / "runs",
        "newcomers": "1000/hour",
    }
    return Settings(**(usual | changes))


@cache
def _migrated():
    """A database with all tables and nothing in them, made once: a test migrates in a tenth of a second."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bakeoff.db"
        engine = open_database(database_url(f"sqlite:///{path}"))
        migrate(engine)
        engine.dispose()
        return path.read_bytes()


@contextmanager
def client(folder, **changes):
    """A client of the app in this process; mistakes of the app are raised here."""
    with TestClient(create_app(settings(folder, **changes)), base_url="http://127.0.0.1") as found:
        yield found


@contextmanager
def server(folder, **changes):
    """The address of a server on a free port of this machine."""
    config = uvicorn.Config(
        create_app(settings(folder, **changes)),
        port=0,
        log_config=None,
        log_level="warning",
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    while not running.started:
        assert thread.is_alive()
        time.sleep(0.01)
    port = running.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    running.should_exit = True
    thread.join()
