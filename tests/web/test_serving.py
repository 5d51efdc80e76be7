"""The server as a process of its own: how it ends."""

import os
import signal
import subprocess
import sys
from urllib.request import urlopen

from bakeoff.board.registry import register
from bakeoff.database import database_url, open_database, writing
from bakeoff.database.migrate import migrate
from tests.board.recorded import little

WAIT_S = 60


def test_streams_end_whole_when_the_server_is_told_to_end(tmp_path):
    """Streams of progress have no end of their own: one that is cut off raises here."""
    engine = open_database(database_url(f"sqlite:///{tmp_path / 'bakeoff.db'}"))
    migrate(engine)
    with writing(engine) as connection:
        register(connection, little(tmp_path), actor="operator")
    engine.dispose()
    process = subprocess.Popen(
        [sys.executable, "-m", "bakeoff", "serve", "--port", "0"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"BAKEOFF_CACHE": str(tmp_path / "cache")},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    address = next(line for line in process.stderr if line.startswith("http://")).split()[0]
    with urlopen(f"{address}boards/little/queue/events", timeout=WAIT_S) as stream:
        assert stream.readline().startswith(b"retry:")
        process.send_signal(signal.SIGINT)
        assert b"event: changed\n" in stream.read()
    assert (process.wait(WAIT_S), process.stderr.read()) == (130, "")
