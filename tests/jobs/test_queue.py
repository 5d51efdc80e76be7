from threading import Barrier, Thread

import pytest
from sqlalchemy import select, update

from bakeoff.database import reading, writing
from bakeoff.database.log import broken, events
from bakeoff.database.tables import job as table
from bakeoff.database.tables import worker as workers
from bakeoff.jobs import (
    Fault,
    LeaseLost,
    add,
    cancel,
    claim,
    fail,
    finish,
    heartbeat,
    jobs,
    release,
)
from bakeoff.jobs.workers import forget, there


def _add(engine, **how):
    with writing(engine) as connection:
        return add(connection, "evaluate", {"model": "m"}, **({"owner": "us"} | how))


def _expire(engine):
    """The leases of all running jobs have run out."""
    with writing(engine) as connection:
        connection.execute(update(table).where(table.c.state == "running").values(lease_until=1.0))


def _state(engine, number):
    return next(each for each in jobs(engine) if each.id == number)


def _log(engine, number):
    with reading(engine) as connection:
        return [(each.actor, each.kind) for each in events(connection, f"job {number}")]


def test_a_job_goes_from_the_queue_to_done_and_the_log_says_so(engine):
    number = _add(engine, total=3)
    held = claim(engine, "w1")
    assert held is not None
    assert (held.job.id, held.job.attempts, held.job.payload) == (number, 1, {"model": "m"})
    assert not heartbeat(engine, held, done=2)
    assert _state(engine, number).done == 2
    finish(engine, held, done=3)
    assert (_state(engine, number).state, _state(engine, number).done) == ("done", 3)
    assert claim(engine, "w1") is None
    assert _log(engine, number) == [("w1", "job claimed"), ("w1", "job done")]
    with reading(engine) as connection:
        assert broken(connection) is None


def test_the_more_urgent_goes_first_then_the_owner_with_less_running_then_the_older(engine):
    first = _add(engine, owner="a")
    second = _add(engine, owner="a")
    third = _add(engine, owner="b")
    urgent = _add(engine, owner="a", priority=5)
    order = [claim(engine, f"w{each}").job.id for each in range(4)]
    # After the urgent one a has one running, so b's turn comes before a's older jobs.
    assert order == [urgent, third, first, second]


def test_votes_order_one_owners_jobs_and_overtake_neither_priority_nor_turns(engine):
    plain = _add(engine, owner="a")
    liked = _add(engine, owner="a", votes=9)
    other = _add(engine, owner="b")
    urgent = _add(engine, owner="b", priority=1)
    order = [claim(engine, f"w{each}").job.id for each in range(4)]
    assert order == [urgent, liked, plain, other]
    # Between owners with as much running it is votes that decide; a has two running, b has two.
    old, new = _add(engine, owner="a"), _add(engine, owner="b", votes=1)
    assert [claim(engine, f"w{each}").job.id for each in range(2)] == [new, old]


def test_votes_preempt_nobody(engine):
    _add(engine)
    held = claim(engine, "w1")
    _add(engine, votes=1_000)
    assert not heartbeat(engine, held)


def test_a_worker_gets_only_what_fits_into_its_memory(engine):
    large, small, unknown = _add(engine, memory=80.0, priority=2), _add(engine, memory=16.0), _add(engine)
    assert claim(engine, "w1", memory=15.9).job.id == unknown
    assert claim(engine, "w1", memory=15.9) is None
    held = claim(engine, "w2", memory=16.0)
    assert (held.job.id, held.job.memory) == (small, 16.0)
    # Nor is it asked to make room for what it could not take.
    assert not heartbeat(engine, held)
    assert claim(engine, "w3").job.id == large


@pytest.mark.parametrize("memory", [-1.0, float("nan"), float("inf")])
def test_a_memory_that_no_machine_has_is_refused(engine, memory):
    with pytest.raises(ValueError, match="number of GB"):
        _add(engine, memory=memory)


def _seen(engine):
    with reading(engine) as connection:
        return {each.name: (each.offers, each.memory) for each in there(connection)}


def _unseen(engine, seconds):
    """Nobody was seen for so long."""
    with writing(engine) as connection:
        connection.execute(update(workers).values(seen=workers.c.seen - seconds))


def test_a_worker_is_seen_when_it_looks_for_work_and_while_it_works(engine):
    assert claim(engine, "w1", offers=["hf", "cpu", "hf"], memory=16.0) is None
    assert _seen(engine) == {"w1": ({"hf", "cpu"}, 16.0)}
    _add(engine)
    held = claim(engine, "w1", offers=["vllm"])
    assert _seen(engine) == {"w1": ({"vllm"}, float("inf"))}
    _unseen(engine, 61)
    assert _seen(engine) == {}
    heartbeat(engine, held)
    assert set(_seen(engine)) == {"w1"}


def test_a_worker_that_nobody_saw_for_a_week_is_forgotten(engine):
    claim(engine, "w1")
    _unseen(engine, 8 * 86_400)
    claim(engine, "w2")
    with writing(engine) as connection:
        forget(connection)
        assert list(connection.execute(select(workers.c.name)).scalars()) == ["w2"]


def test_what_a_model_said_in_its_error_is_kept_so_that_it_can_be_shown(engine):
    number = _add(engine)
    fail(engine, claim(engine, "w1"), Fault.MODEL, "bad\x00 \x1b[2J \ud800 " + "x" * 10_000)
    found = _state(engine, number)
    assert found.error.startswith("bad\\u0000 \\u001b[2J \\ud800 ")
    assert len(found.error) == 2_000
    with reading(engine) as connection:
        assert broken(connection) is None


def test_a_worker_gets_only_what_it_can_do(engine):
    big = _add(engine, needs=["hf", "80GB"])
    small = _add(engine, needs=["hf"])
    assert claim(engine, "w0") is None
    assert claim(engine, "w1", offers=["hf"]).job.id == small
    assert claim(engine, "w1", offers=["hf"]) is None
    assert claim(engine, "w2", offers=["vllm", "80GB", "hf"]).job.id == big


def test_a_dead_workers_job_is_taken_over_and_the_dead_one_can_write_nothing_more(engine):
    number = _add(engine)
    dead = claim(engine, "w1")
    assert claim(engine, "w2") is None
    _expire(engine)
    taken = claim(engine, "w2")
    assert (taken.job.id, taken.job.attempts) == (number, 2)
    assert taken.token > dead.token
    for step in (heartbeat, finish, lambda e, h: release(e, h, ""), lambda e, h: fail(e, h, Fault.OURS, "")):
        with pytest.raises(LeaseLost, match="no longer held by w1"):
            step(engine, dead)
    finish(engine, taken)
    assert _state(engine, number).state == "done"


def test_a_lease_that_is_renewed_is_not_taken_over(engine):
    _add(engine)
    held = claim(engine, "w1")
    for _ in range(3):
        _expire(engine)
        heartbeat(engine, held)
        assert claim(engine, "w2") is None


def test_a_job_that_kills_its_workers_ends_and_does_not_hold_up_the_queue(engine):
    poison, healthy = _add(engine, max_attempts=2, priority=1), _add(engine)
    for worker in ("w1", "w2"):
        assert claim(engine, worker).job.id == poison
        _expire(engine)
    assert claim(engine, "w3").job.id == healthy
    ended = _state(engine, poison)
    assert (ended.state, ended.fault, ended.attempts) == ("failed", Fault.OURS, 2)
    assert "died 2 times" in ended.error


def test_a_job_that_gets_further_each_time_is_not_given_up_until_it_is_stuck(engine):
    number = _add(engine, max_attempts=2)
    for done in range(1, 6):
        held = claim(engine, f"w{done}")
        assert held.job.id == number
        heartbeat(engine, held, done=done)
        _expire(engine)
    # From here on it gets no further, whatever it repeats.
    held = claim(engine, "w6")
    heartbeat(engine, held, done=5)
    _expire(engine)
    assert claim(engine, "w7") is None
    ended = _state(engine, number)
    assert (ended.state, ended.attempts, ended.done) == ("failed", 6, 5)
    assert "died 2 times without getting further" in ended.error


@pytest.mark.parametrize(
    ("fault", "again"), [(Fault.OURS, True), (Fault.MODEL, False), (Fault.SUBMITTER, False)]
)
def test_only_our_own_failures_are_tried_again(engine, fault, again):
    number = _add(engine)
    assert fail(engine, claim(engine, "w1"), fault, "what happened") is again
    found = _state(engine, number)
    assert (found.state, found.fault, found.error) == (
        "queued" if again else "failed",
        fault,
        "what happened",
    )
    # It waits before it is tried again, and holds nobody up meanwhile.
    assert claim(engine, "w1") is None


def test_our_failures_are_tried_as_often_as_was_said(engine):
    number = _add(engine, max_attempts=3)
    for attempt in range(1, 4):
        with writing(engine) as connection:
            connection.execute(update(table).values(not_before=0.0))
        held = claim(engine, "w1")
        assert held.job.attempts == attempt
        assert fail(engine, held, Fault.OURS, "disk full") is (attempt < 3)
    assert _state(engine, number).state == "failed"


def test_a_more_urgent_job_asks_one_worker_to_make_room_and_costs_it_no_attempt(engine):
    slow, other = _add(engine), _add(engine)
    held, second = claim(engine, "w1"), claim(engine, "w2")
    assert not heartbeat(engine, held)
    urgent = _add(engine, priority=9)
    assert heartbeat(engine, held)
    assert not heartbeat(engine, second)
    release(engine, held, "preempted")
    assert claim(engine, "w1").job.id == urgent
    again = claim(engine, "w3")
    assert (again.job.id, again.job.attempts) == (slow, 1)
    assert second.job.id == other


def test_a_worker_is_not_asked_to_make_room_for_what_it_cannot_do(engine):
    _add(engine)
    held = claim(engine, "w1", offers=["cpu"])
    _add(engine, priority=9, needs=["gpu"])
    assert not heartbeat(engine, held)


def test_a_cancelled_job_is_nobodys(engine):
    number = _add(engine)
    held = claim(engine, "w1")
    assert cancel(engine, number, actor="ann", reason="withdrawn")
    with pytest.raises(LeaseLost):
        heartbeat(engine, held)
    assert not cancel(engine, number, actor="ann", reason="again")
    assert _state(engine, number).state == "cancelled"


def test_a_key_makes_one_job_of_two(engine):
    assert _add(engine, key="m@abc") == _add(engine, key="m@abc")
    assert len(list(jobs(engine))) == 1


def test_many_workers_at_once_get_each_job_once(engine):
    wanted = {_add(engine, owner=f"o{each % 3}") for each in range(40)}
    got: list[int] = []
    start = Barrier(6)

    def work(name):
        start.wait()
        while (held := claim(engine, name)) is not None:
            got.append(held.job.id)
            finish(engine, held)

    threads = [Thread(target=work, args=(f"w{each}",)) for each in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == sorted(wanted)
    assert {each.state for each in jobs(engine)} == {"done"}
    with reading(engine) as connection:
        assert broken(connection) is None


def test_no_attempt_at_all_is_refused(engine):
    with pytest.raises(ValueError, match="at least one attempt"):
        _add(engine, max_attempts=0)
