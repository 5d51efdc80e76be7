"""A key that was lent is destroyed when its submission leaves the way, whichever way it leaves."""

from itertools import pairwise

import duckdb
import pytest
from sqlalchemy import select

from bakeoff.board.definition import Eligibility
from bakeoff.board.entry.door import Permits
from bakeoff.board.entry.keys import Lent, announce, lend, need, new_key
from bakeoff.board.life import FOLLOWING, State
from bakeoff.board.registry import register
from bakeoff.board.submissions import get, move, submit
from bakeoff.board.work.settling import settle
from bakeoff.database import reading, writing
from bakeoff.database.log import broken, events
from bakeoff.database.tables import secret
from bakeoff.jobs import cancel, jobs
from tests.board.key_server import key_server
from tests.board.leaks import leaks
from tests.board.making import model
from tests.board.small_board import done, found, handed_in, small_board
from tests.cli.command import bakeoff

KEY = "canary-0123456789"
SETTINGS = {"stream": "false", "attempts": "1", "concurrency": "1"}
KEPT = {State.DRAFT, State.VALIDATING, State.QUEUED, State.RUNNING, State.PREEMPTED}


@pytest.fixture
def board(engine, tmp_path):
    made = small_board(tmp_path)
    with writing(engine) as connection:
        register(connection, made, actor="bob")
    return made


@pytest.fixture
def key(engine, tmp_path):
    made = new_key(tmp_path / "board.key")
    with writing(engine) as connection:
        announce(connection, made.public, actor="bob")
    return made


def _keys(engine):
    """The submissions that have a key, and those whose key the log says is destroyed."""
    with reading(engine) as connection:
        assert broken(connection) is None
        told = [each.subject for each in events(connection) if each.kind == "key destroyed"]
        return list(connection.execute(select(secret.c.submission)).scalars()), told


def _way(to):
    """The states on a shortest way from a draft."""
    ways = {State.DRAFT: [State.DRAFT]}
    for now in (order := [State.DRAFT]):
        for then in sorted(FOLLOWING[now] - ways.keys()):
            ways[then] = [*ways[now], then]
            order.append(then)
    return ways[to]


@pytest.mark.parametrize("state", State)
def test_in_every_state_a_key_is_there_only_while_it_is_wanted(engine, board, key, state):
    with writing(engine) as connection:
        made = submit(connection, board, model(), organisation="org", submitter="ann", way="endpoint")
        lend(connection, made.id, Lent("https://x.example/v1", KEY), actor="ann")
    for _, then in pairwise(_way(state)):
        with writing(engine) as connection:
            move(connection, made.id, then, actor="queue", reason="because")
    wanted = state in KEPT
    assert _keys(engine) == (([made.id], []) if wanted else ([], ["submission 1"]))


def _permits(key):
    return Permits(key=key, private=True)


def _lent(engine, board, url):
    return handed_in(engine, board, f"{url}#rule", SETTINGS, Lent(url, KEY))


@pytest.mark.parametrize("ending", ["review", "failed", "rejected"])
def test_a_key_is_destroyed_when_its_work_ends(engine, board, key, tmp_path, ending):
    if ending == "rejected":
        board = board.model_copy(update={"eligibility": Eligibility(openness="weights"), "version": 2})
        with writing(engine) as connection:
            register(connection, board, actor="bob")
    with key_server(KEY, refusal="no" if ending == "failed" else "") as server:
        number = _lent(engine, board, server.url)
        assert _keys(engine) == ([number], [])
        done(engine, tmp_path, _permits(key), "http", need(key.public))
    assert found(engine, number).state == ending
    assert _keys(engine) == ([], [f"submission {number}"])


def test_a_key_is_destroyed_when_nobody_works_for_it_any_more(engine, board, key):
    number = _lent(engine, board, "http://127.0.0.1:9/v1")
    (job,) = jobs(engine)
    cancel(engine, job.id, actor="bob", reason="by hand")
    with writing(engine) as connection:
        settle(connection)
    assert found(engine, number).state is State.FAILED
    assert _keys(engine) == ([], [f"submission {number}"])


def test_who_withdraws_while_it_is_asked_is_soon_asked_no_more(engine, board, key, tmp_path, monkeypatch):
    monkeypatch.setattr("bakeoff.board.work.evaluating._LOOK_S", 0.0)
    with key_server(KEY) as server:
        number = _lent(engine, board, server.url)

        class Withdrawing(list):
            """Notes keys; at the third of the evaluation the submission is withdrawn."""

            def append(self, sent):
                super().append(sent)
                with reading(engine) as connection:
                    running = get(connection, number).state is State.RUNNING
                self.running = getattr(self, "running", 0) + running
                if self.running == 3:
                    with writing(engine) as connection:
                        job = move(connection, number, State.WITHDRAWN, actor="ann", reason="stop").job
                    cancel(engine, job, actor="ann", reason="stop")

        server.sent = Withdrawing()
        done(engine, tmp_path, _permits(key), "http", need(key.public))
        assert server.sent.running == 3
        # What was asked in the look, the three, and what was in flight.
        assert found(engine, number).state is State.WITHDRAWN
        assert len(server.sent) <= 5 + 6 + 3 + 2
    assert _keys(engine) == ([], [f"submission {number}"])


def test_withdrawing_cancels_the_work_and_destroys_the_key(database, tmp_path):
    small_board(tmp_path)
    url = database.render_as_string(hide_password=False)

    def command(*arguments):
        ended = bakeoff(tmp_path, "board", *arguments, BAKEOFF_DATABASE_URL=url, OUR_KEY=KEY)
        assert ended.returncode == 0, ended.stderr + ended.stdout
        return ended.stdout

    command("add", "board.yaml")
    command("key", "new", "board.key")
    given = ["--model", "https://x.example/v1#rule", "--organisation", "org"]
    command("submit", "little", *given, "--key-from", "OUR_KEY")
    command("withdraw", "1", "--reason", "wrong one")
    told = command("queue", "little", "--events", "1")
    assert "key lent" in told
    assert "key destroyed" in told
    assert "cancelled" in command("queue", "little", "--json")
    assert "0 jobs done" in command("worker", "--until-empty", "--key-file", "board.key")


@pytest.mark.parametrize("stream", ["true", "false"])
def test_a_key_that_comes_back_in_answers_is_kept_nowhere(engine, board, key, tmp_path, database, stream):
    with key_server(KEY, repeats=True) as server:
        settings = SETTINGS | {"stream": stream}
        number = handed_in(engine, board, f"{server.url}#rule", settings, Lent(server.url, KEY))
        assert done(engine, tmp_path, _permits(key), "http", need(key.public)) == 2
    assert found(engine, number).state is State.REVIEW
    (place, *_) = (tmp_path / "runs").rglob("samples.parquet")
    assert "***" in repr(duckdb.sql(f"SELECT * FROM '{place}'").fetchall())
    assert leaks(KEY, database, tmp_path) == []
