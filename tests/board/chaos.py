"""Real evaluations by four workers, one killed every second or so, on the answers of a paid endpoint."""

import base64
import os
import random
import threading
import time
from collections import Counter
from itertools import count
from urllib.parse import quote

from sqlalchemy import make_url, select

from bakeoff.board.definition import Board
from bakeoff.board.entry.door import Permits, address
from bakeoff.board.entry.keys import Lent, announce, lend, need, new_key, read_key
from bakeoff.board.life import State
from bakeoff.board.ranking.publishing import problems
from bakeoff.board.registry import register
from bakeoff.board.submissions import submissions, submit
from bakeoff.board.work.evaluating import enqueue, handler
from bakeoff.database import open_database, reading, writing
from bakeoff.database.log import broken, events
from bakeoff.database.tables import job as job_table
from bakeoff.database.tables import metadata, secret
from bakeoff.jobs import jobs, work
from bakeoff.store import find_runs, query, read_manifest
from tests.board.key_server import key_server
from tests.board.making import model
from tests.board.recorded import ITEMS, TASKS
from tests.jobs.killing import Workers

DURATION_S = float(os.environ.get("BAKEOFF_CHAOS_S", "120"))
"""How long workers are killed for."""
WORKERS, SUBMISSIONS, URGENT = 4, 20, 50
"""Twenty submissions are forty jobs: a look and an evaluation each."""
KEY = "sk-canary-0123456789abcdef"


def worker(name, database, out, key_file):
    random.seed(name)
    engine = open_database(make_url(database))
    key = read_key(key_file)
    work(
        engine,
        name,
        handler(engine, out, Permits(private=True, key=key)),
        stop=threading.Event(),
        offers=["openai", need(key.public)],
        lease_s=2.0,
        pause_s=0.2,
    )


def chaos(engine, database, board, tmp_path):
    """Let it happen, and hold what is left against what must be; a line that tells of it."""
    random.seed(7)
    many = {"policy": {"quota": {"submissions": 1_000, "days": 7}}, "eligibility": {"card": 0}}
    board = Board.model_validate(board.model_dump() | many)
    out, key_file = tmp_path / "runs", tmp_path / "board.key"
    out.mkdir()
    key = new_key(key_file)
    with writing(engine) as connection:
        register(connection, board, actor="bob")
        announce(connection, key.public, actor="bob")
    with key_server(KEY, pause_s=_pause()) as server:
        for number in range(SUBMISSIONS):
            _hand_in(engine, board, number, server.url, priority=number % 4)
        workers = Workers(
            WORKERS,
            worker,
            database.render_as_string(hide_password=False),
            out,
            key_file,
            preload=[
                "psycopg",
                "sqlite3",
                "bakeoff.board.work.evaluating",
                "bakeoff.run",
                "bakeoff.model.remote.openai",
            ],
        )
        try:
            end = time.monotonic() + DURATION_S
            for kills in count():
                if time.monotonic() > end:
                    break
                time.sleep(random.uniform(0.7, 1.7))
                if (
                    kills % 10 == 5 or _alive(engine) < WORKERS
                ):  # there is something to do until the last kill
                    priority = URGENT if kills % 10 == 5 else kills % 4
                    _hand_in(engine, board, SUBMISSIONS + kills, server.url, priority=priority)
                workers.kill(random.randrange(WORKERS))
            deadline = time.monotonic() + 300
            while left := _alive(engine):
                assert time.monotonic() < deadline, f"{left} jobs did not end"
                time.sleep(0.5)
        finally:
            used = workers.end()
        asked = len(server.sent)
    told = _checked(engine, out, tmp_path, key_file)
    return (
        f"{kills} kills in {DURATION_S:.0f} s, {told['jobs']} jobs of {told['submissions']} submissions, "
        f"{told['samples']:,} samples each once ({asked:,} requests); {told['job took over']} taken over, "
        f"{told['job put back']} put back; {used:.1f} s of processor time in the workers"
    )


def _pause():
    """What an answer takes: half of what would fill the time, since what is killed is begun again."""
    return DURATION_S * WORKERS / (SUBMISSIONS * ITEMS * len(TASKS)) / 2


def _alive(engine):
    return sum(each.state in ("queued", "running") for each in jobs(engine))


def _hand_in(engine, board, number, url, *, priority):
    settings = {"base_url": url, "concurrency": "1"}
    ref = "openai:rule"
    with writing(engine) as connection:
        made = submit(
            connection,
            board,
            model(number, engine="openai", revision="", name="rule"),
            organisation=f"o{number % 3}",
            submitter="ann",
            way="endpoint",
        )
        lent = lend(connection, made.id, Lent(address(ref, settings), KEY), actor="ann")
        enqueue(
            connection,
            board,
            made,
            model=ref,
            settings=settings,
            actor="ann",
            priority=priority,
            lent=lent,
            max_attempts=1_000,  # nobody gets far in the seconds that a worker lives here
        )


def _checked(engine, out, tmp_path, key_file):
    """What happened how often, after it was held against what must be."""
    told = Counter()
    with reading(engine) as connection:
        assert broken(connection) is None
        assert list(problems(connection, "little")) == []
        found = list(submissions(connection, "little"))
        assert [each.state for each in found] == [State.REVIEW] * len(found)
        assert connection.execute(select(secret)).all() == []
        assert not connection.execute(select(job_table).where(job_table.c.lease_until.is_not(None))).all()
        kinds = Counter(each.kind for each in events(connection))
        dump = "".join(
            str(tuple(row)) for table in metadata.sorted_tables for row in connection.execute(select(table))
        )
    told += kinds
    all_jobs = list(jobs(engine))
    assert {each.state for each in all_jobs} == {"done"}
    assert kinds["job done"] == len(all_jobs) == 2 * len(found)
    for each in found:
        runs = [folder for folder in find_runs(out / f"submission-{each.id}") if "dry-run" not in str(folder)]
        assert sorted(read_manifest(run).task.name for run in runs) == sorted(TASKS)
        for run in runs:
            assert read_manifest(run).status == "complete"
            samples = [item for (item,) in query(run, "SELECT item_id FROM samples")]
            assert sorted(samples) == sorted(f"{read_manifest(run).task.name}{item}" for item in range(ITEMS))
            told["samples"] += len(samples)
    told["jobs"], told["submissions"] = len(all_jobs), len(found)
    for form in (KEY, base64.b64encode(KEY.encode()).decode().rstrip("="), quote(KEY)):
        assert form not in dump
        for path in tmp_path.rglob("*"):
            assert not path.is_file() or form.encode() not in path.read_bytes(), path
    assert told["job took over"]
    return told
