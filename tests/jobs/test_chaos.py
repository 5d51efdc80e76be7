"""Four workers, forty jobs, and a kill -9 every second or so."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter

from sqlalchemy import func, select

from bakeoff.database import reading, writing
from bakeoff.database.log import broken, events
from bakeoff.jobs import Fault, add, jobs
from tests.jobs.chaos_worker import UNIT

DURATION_S = float(os.environ.get("BAKEOFF_CHAOS_S", "20"))
"""How long workers are killed for."""
JOBS = 40


class Workers:
    """Processes that are started again as they are killed."""

    def __init__(self, database, number):
        self._database = database.render_as_string(hide_password=False)
        self._count = 0
        self._running = [self._started() for _ in range(number)]

    def kill_one(self):
        place = random.randrange(len(self._running))
        self._running[place].send_signal(signal.SIGKILL)
        self._running[place].wait()
        self._running[place] = self._started()

    def end(self):
        for process in self._running:
            process.kill()
            process.wait()

    def _started(self):
        self._count += 1
        return subprocess.Popen(
            [sys.executable, "-m", "tests.jobs.chaos_worker", self._database, f"w{self._count}"]
        )


def test_every_job_ends_and_every_unit_is_written_once_whoever_is_killed(engine, database):
    random.seed(7)
    UNIT.create(engine)
    units = max(10, round(DURATION_S * 2))
    with writing(engine) as connection:
        numbers = [
            add(
                connection,
                "evaluate",
                {"units": units, "broken": each % 10 == 9},
                owner=f"o{each % 3}",
                priority=each % 4,
                max_attempts=1_000,
            )
            for each in range(JOBS)
        ]
    workers = Workers(database, 4)
    kills, urgent = 0, []
    try:
        end = time.monotonic() + DURATION_S
        while time.monotonic() < end:
            time.sleep(random.uniform(0.5, 1.5))
            workers.kill_one()
            kills += 1
            if kills % 5 == 0:
                with writing(engine) as connection:
                    urgent.append(
                        add(connection, "evaluate", {"units": 5}, owner="o0", priority=99, max_attempts=1_000)
                    )
        deadline = time.monotonic() + 300
        while any(each.state in ("queued", "running") for each in jobs(engine)):
            assert time.monotonic() < deadline, Counter(each.state for each in jobs(engine))
            time.sleep(0.2)
    finally:
        workers.end()

    ended = {each.id: each for each in jobs(engine)}
    assert set(ended) == {*numbers, *urgent}
    for each in ended.values():
        assert each.state == ("failed" if each.payload.get("broken") else "done")
        assert each.fault is (Fault.SUBMITTER if each.payload.get("broken") else each.fault)
        assert each.worker is None
    with reading(engine) as connection:
        written = dict(
            tuple(row) for row in connection.execute(select(UNIT.c.job, func.count()).group_by(UNIT.c.job))
        )
        assert written == {each.id: each.payload["units"] for each in ended.values() if each.state == "done"}
        assert broken(connection) is None
        told = Counter((each.subject, each.kind) for each in events(connection))
    for number, each in ended.items():
        assert told[f"job {number}", "job done"] == (each.state == "done")
        assert told[f"job {number}", "job failed"] == (each.state == "failed")
        starts = told[f"job {number}", "job claimed"] + told[f"job {number}", "job took over"]
        assert starts >= 1
    assert kills >= DURATION_S / 2
    print(
        f"{kills} kills, {len(ended)} jobs, {sum(written.values())} units, ",
        dict(Counter(kind for _, kind in told.elements())),
    )
