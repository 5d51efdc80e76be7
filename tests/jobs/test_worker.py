import threading
import time

import pytest
from sqlalchemy import update

from bakeoff.database import reading, writing
from bakeoff.database.log import events
from bakeoff.database.tables import job as table
from bakeoff.jobs import Failed, Fault, LeaseLost, add, claim, finish, jobs, work


def _add(engine, **how):
    with writing(engine) as connection:
        return add(connection, "evaluate", {}, **({"owner": "us"} | how))


def _work(engine, handle, **how):
    return work(engine, "w1", handle, stop=threading.Event(), until_empty=True, **how)


def _only(engine):
    (found,) = jobs(engine)
    return found


def test_jobs_are_done_one_after_another(engine):
    for _ in range(3):
        _add(engine)
    seen = []
    assert _work(engine, lambda job, steps: seen.append(job.id)) == 3
    assert len(seen) == 3
    assert {each.state for each in jobs(engine)} == {"done"}


@pytest.mark.parametrize(
    ("raised", "fault", "state"),
    [
        (Failed(Fault.SUBMITTER, "no such model"), Fault.SUBMITTER, "failed"),
        (Failed(Fault.MODEL, "out of memory"), Fault.MODEL, "failed"),
        (Failed(Fault.OURS, "no network"), Fault.OURS, "queued"),
        (KeyError("bug"), Fault.OURS, "queued"),
    ],
)
def test_a_handler_that_raises_ends_its_attempt_and_not_the_worker(engine, raised, fault, state):
    _add(engine)
    healthy = _add(engine)

    def handle(job, steps):
        if job.id != healthy:
            raise raised

    assert _work(engine, handle) == 1
    found = next(each for each in jobs(engine) if each.id != healthy)
    assert (found.fault, found.state) == (fault, state)
    assert found.error


def test_a_handler_that_is_preempted_goes_on_later_from_where_it_was(engine):
    slow = _add(engine)
    order, reached = [], []

    def handle(job, steps):
        order.append(job.id)
        if job.id == slow and not reached:
            _add(engine, priority=5)
            reached.append(7)
            steps.step(7)

    assert _work(engine, handle) == 2
    assert order[0] == order[2] == slow
    assert next(each for each in jobs(engine) if each.id == slow).done == 7


def test_a_unit_longer_than_its_lease_does_not_lose_it(engine):
    _add(engine)
    taken = []

    def handle(job, steps):
        time.sleep(1.0)
        taken.append(claim(engine, "w2"))

    assert _work(engine, handle, lease_s=0.5) == 1
    assert taken == [None]


def test_a_worker_whose_job_was_taken_writes_nothing_more_of_it(engine):
    _add(engine)
    stopped = []

    def handle(job, steps):
        if stopped:
            return
        with writing(engine) as connection:
            connection.execute(update(table).values(lease_until=1.0))
        other = claim(engine, "w2")
        try:
            steps.step()
        except LeaseLost:
            stopped.append(True)
            finish(engine, other)
            raise

    assert _work(engine, handle) == 0
    assert stopped == [True]
    assert _only(engine).state == "done"
    with reading(engine) as connection:
        assert [each.actor for each in events(connection) if each.kind == "job done"] == ["w2"]


def test_a_worker_that_is_stopped_puts_its_job_back(engine):
    _add(engine)
    stop = threading.Event()

    def handle(job, steps):
        stop.set()
        steps.step()

    assert work(engine, "w1", handle, stop=stop) == 0
    found = _only(engine)
    assert (found.state, found.attempts) == ("queued", 0)
