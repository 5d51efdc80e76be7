"""Four workers, forty jobs and more, and a kill -9 every second or so.

Each unit of a job is one row, written under the lease. Units sleep rather than work, so that the test takes
its time and not the processor's.
"""

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterable
from itertools import count

from sqlalchemy import Column, Engine, Integer, MetaData, Table, func, insert, make_url, select
from sqlalchemy.engine import URL

from bakeoff.database import open_database, reading, writing
from bakeoff.database.log import Event, broken, events
from bakeoff.database.tables import job as table
from bakeoff.jobs import Failed, Fault, Job, Steps, add, check_held, jobs, work
from tests.jobs.killing import Workers

DURATION_S = float(os.environ.get("BAKEOFF_CHAOS_S", "30"))
"""How long workers are killed for; the chaos of real evaluations takes two minutes."""
WORKERS, JOBS, UNITS = 4, 40, 10
UNIT_S = 0.4
"""What a unit takes on average."""
URGENT = 99

UNIT = Table(
    "unit",
    MetaData(),
    Column("job", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
)

FOLLOWING = {
    ("queued", "job claimed"): "running",
    ("running", "job took over"): "running",
    ("running", "job put back"): "queued",
    ("running", "job will be retried"): "queued",
    ("running", "job done"): "done",
    ("running", "job failed"): "failed",
}
"""Where each entry of the log leads from where."""


def handle(job: Job, steps: Steps) -> None:
    if job.payload["does"] == "break":
        raise Failed(Fault.SUBMITTER, "there is no such model")
    if job.payload["does"] == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    with reading(steps.engine) as connection:
        done = set(connection.execute(select(UNIT.c.number).where(UNIT.c.job == job.id)).scalars())
    steps.step(len(done))  # the last one was perhaps killed before it said so
    for number in range(job.payload["units"]):
        if number in done:
            continue
        time.sleep(random.uniform(0, 2 * UNIT_S))
        with writing(steps.engine) as connection:
            check_held(connection, steps.held)
            connection.execute(insert(UNIT).values(job=job.id, number=number))
            time.sleep(random.uniform(0, 0.02))  # some are killed here, in the middle
        done.add(number)
        steps.step(len(done))


def worker(name: str, database: str) -> None:
    random.seed(name)
    engine = open_database(make_url(database))
    work(engine, name, handle, stop=threading.Event(), lease_s=1.5, pause_s=0.1)


def chaos(engine: Engine, database: URL) -> str:
    """Let it happen, and hold what is left against what must be; a line that tells of it."""
    random.seed(7)
    UNIT.create(engine)
    wanted = [
        _add(engine, "break" if each % 10 == 9 else "work", UNITS, owner=f"o{each % 3}", priority=each % 4)
        for each in range(JOBS)
    ]
    wanted.append(_add(engine, "kill", 1, owner="o0", priority=URGENT - 1, max_attempts=3))
    workers = Workers(
        WORKERS, worker, database.render_as_string(hide_password=False), preload=["psycopg", "sqlite3"]
    )
    try:
        end = time.monotonic() + DURATION_S
        for kills in count():
            if time.monotonic() > end:
                break
            while _alive(engine) < 2 * WORKERS:  # there is enough to do until the last kill
                wanted.append(_add(engine, "work", UNITS, owner=f"o{kills % 3}", priority=kills % 4))
            pause = random.uniform(0.5, 1.5)
            time.sleep(pause / 2)
            if kills % 5 == 1:
                wanted.append(_add(engine, "work", 5, owner="o0", priority=URGENT))
            time.sleep(pause / 2)
            workers.kill(random.randrange(WORKERS))
        deadline = time.monotonic() + 300
        while left := _alive(engine):
            assert time.monotonic() < deadline, f"{left} jobs did not end"
            time.sleep(0.5)
    finally:
        used = workers.end()
    told = _checked(engine, wanted)
    return (
        f"{kills} kills in {DURATION_S:.0f} s, {len(wanted)} jobs, {told['units']:,} units each once; "
        f"{told['job took over']} taken over, {told['preempted']} preempted, {told['job failed']} failed; "
        f"{used:.1f} s of processor time in the workers"
    )


def _add(engine, does, units, *, max_attempts=1_000, **how):
    with writing(engine) as connection:
        payload = {"does": does, "units": units}
        return add(connection, "evaluate", payload, max_attempts=max_attempts, **how)


def _alive(engine):
    with reading(engine) as connection:
        query = select(func.count()).where(table.c.state.in_(("queued", "running")))
        return connection.execute(query).scalar_one()


def _checked(engine: Engine, wanted: Iterable[int]) -> Counter[str]:
    """What happened how often, after it was held against what must be."""
    ended = {each.id: each for each in jobs(engine)}
    assert set(ended) == set(wanted)
    with reading(engine) as connection:
        assert broken(connection) is None
        written = dict(
            tuple(row) for row in connection.execute(select(UNIT.c.job, func.count()).group_by(UNIT.c.job))
        )
        logged: dict[str, list[Event]] = {}
        for each in events(connection):
            logged.setdefault(each.subject, []).append(each)
        tokens = dict(tuple(row) for row in connection.execute(select(table.c.id, table.c.token)))
    assert written == {each.id: each.payload["units"] for each in ended.values() if each.state == "done"}
    assert set(logged) == {f"job {number}" for number in wanted}
    told: Counter[str] = Counter(units=sum(written.values()))
    for number, job in ended.items():
        does = job.payload["does"]
        assert job.state == ("done" if does == "work" else "failed")
        assert job.fault is {"work": None, "break": Fault.SUBMITTER, "kill": Fault.OURS}[does]
        assert job.worker is None
        assert job.lease_until is None
        assert job.done == (job.payload["units"] if does == "work" else 0)
        seen = logged[f"job {number}"]
        _check_order(seen, job)
        kinds = Counter(each.kind for each in seen)
        starts = kinds["job claimed"] + kinds["job took over"]
        assert job.attempts == starts - kinds["job put back"]
        # Only what it gave up on itself takes the token from the last worker.
        assert tokens[number] == starts + (seen[-1].actor == "queue")
        told += kinds
        told["preempted"] += sum(each.reason.startswith("preempted") for each in seen)
    assert told["preempted"]
    assert told["job took over"]
    return told


def _check_order(seen: Iterable[Event], job: Job) -> None:
    """Whether a job's entries can follow one another, and lead to where it is."""
    state, holder = "queued", ""
    for each in seen:
        if each.kind == "job took over":
            assert holder in each.reason
        elif state == "running":
            assert each.actor in (holder, "queue")
        assert (state, each.kind) in FOLLOWING, f"job {job.id} was {state} before {each}"
        state = FOLLOWING[state, each.kind]
        holder = each.actor
    assert state == job.state
