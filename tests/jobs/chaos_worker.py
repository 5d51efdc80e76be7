"""A worker of the chaos test: each unit of a job is one row, written under the lease.

Arguments: the database, the worker's name.
"""

import random
import sys
import threading
import time

from sqlalchemy import Column, Integer, MetaData, Table, insert, make_url, select

from bakeoff.database import open_database, reading, writing
from bakeoff.jobs import Failed, Fault, Job, Steps, check_held, work

UNIT = Table(
    "unit",
    MetaData(),
    Column("job", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
)


def handle(job: Job, steps: Steps) -> None:
    with reading(steps.engine) as connection:
        rows = connection.execute(select(UNIT.c.number).where(UNIT.c.job == job.id))
        done = {row.number for row in rows}
    if job.payload.get("broken"):
        raise Failed(Fault.SUBMITTER, "there is no such model")
    for number in range(job.payload["units"]):
        if number in done:
            continue
        time.sleep(random.uniform(0, 0.02))
        with writing(steps.engine) as connection:
            check_held(connection, steps.held)
            connection.execute(insert(UNIT).values(job=job.id, number=number))
        done.add(number)
        steps.step(len(done))


if __name__ == "__main__":
    database, name = sys.argv[1:]
    work(
        open_database(make_url(database)),
        name,
        handle,
        stop=threading.Event(),
        lease_s=1.5,
        pause_s=0.1,
    )
