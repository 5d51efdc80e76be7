"""Server-sent events over a real socket: they tell of changes, are bounded, and end with who reads them."""

import time
from contextlib import contextmanager
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from bakeoff.board.registry import register
from bakeoff.board.submissions import submit
from bakeoff.board.work.evaluating import enqueue
from bakeoff.database import database_url, open_database, writing
from bakeoff.database.migrate import migrate
from tests.board.making import model
from tests.board.recorded import answers, little
from tests.web.live import server

WAIT_S = 30


@contextmanager
def _served(folder, **changes):
    engine = open_database(database_url(f"sqlite:///{folder / 'bakeoff.db'}"))
    migrate(engine)
    board = little(folder)
    with writing(engine) as connection:
        register(connection, board, actor="operator")
    with server(folder, **changes) as address:
        yield f"{address}/boards/little/queue/events", engine, board
    engine.dispose()


def _next(stream, name):
    """The data of the next event of that name."""
    found = ""
    for line in stream:
        said = line.decode().rstrip("\n")
        if said.startswith("event: "):
            found = said.removeprefix("event: ")
        elif said.startswith("data: ") and found == name:
            return said.removeprefix("data: ")
    raise AssertionError("the stream ended")


def test_a_stream_tells_of_what_is_handed_in(tmp_path):
    with _served(tmp_path) as (address, engine, board), urlopen(address, timeout=WAIT_S) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert stream.headers["cache-control"] == "no-store"
        first = _next(stream, "changed")
        with writing(engine) as connection:
            made = submit(connection, board, model(), organisation="o", submitter="ann", way="predictions")
            enqueue(connection, board, made, model=answers(tmp_path), settings={}, actor="ann")
        assert _next(stream, "changed") != first


def test_who_has_seen_what_stands_there_is_told_nothing_of_it(tmp_path):
    with _served(tmp_path) as (address, _, _):
        with urlopen(address, timeout=WAIT_S) as stream:
            stamp = _next(stream, "changed").split('"')[3]
        with urlopen(f"{address}?seen={stamp}", timeout=WAIT_S) as stream:
            assert stream.readline().startswith(b"retry:")
            stream.readline()
            assert stream.readline() == b"event: progress\n"


def test_no_more_are_open_than_may_be_and_who_leaves_makes_room(tmp_path):
    with _served(tmp_path, streams=2) as (address, _, _):
        with urlopen(address, timeout=WAIT_S) as one, urlopen(address, timeout=WAIT_S) as two:
            _next(one, "changed")
            _next(two, "changed")
            with pytest.raises(HTTPError) as refused:
                urlopen(address, timeout=WAIT_S)
            assert refused.value.code == 503
            assert refused.value.headers["retry-after"] == "30"
        ends = time.monotonic() + WAIT_S
        while time.monotonic() < ends:
            try:
                with urlopen(address, timeout=WAIT_S) as again:
                    _next(again, "changed")
                    return
            except HTTPError:
                time.sleep(0.2)
        raise AssertionError("nobody made room")
