import math
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, insert, update

from bakeoff.database import writing
from bakeoff.database.tables import event
from bakeoff.database.tables import job as table
from bakeoff.database.tables import worker as workers
from bakeoff.jobs import Fault, Job, add, cancel, claim, fail, finish, jobs, waits
from bakeoff.jobs.waiting import Wait, explained, in_turn
from bakeoff.jobs.workers import Worker, see


def _add(engine, **how):
    with writing(engine) as connection:
        return add(connection, how.pop("kind", "evaluate"), {}, **({"owner": "us"} | how))


def _look(engine, name, *, offers=(), memory=math.inf):
    """Have a worker say that it is there, without taking anything."""
    with writing(engine) as connection:
        see(connection, name, offers, memory)


def test_a_job_says_how_many_go_before_it(engine):
    numbers = [_add(engine) for _ in range(4)]
    urgent = _add(engine, priority=1)
    _look(engine, "w1")
    assert waits(engine) == {
        urgent: Wait(1, ("next",)),
        **{number: Wait(place, (f"before it {place - 1}",)) for place, number in enumerate(numbers, 2)},
    }


def test_what_ended_or_runs_does_not_wait(engine):
    for _ in range(3):
        _add(engine)
    finish(engine, claim(engine, "w1"))
    claim(engine, "w1")
    cancel(engine, 3, actor="ann", reason="withdrawn")
    assert waits(engine) == {}


@pytest.mark.parametrize(
    ("needs", "memory", "reason"),
    [
        (["vllm"], 0.0, "no worker offers vllm"),
        (["vllm", "tpu", "hf"], 0.0, "no worker offers tpu, vllm"),
        (["hf", "cuda"], 0.0, "no worker offers cuda and hf together"),
        (["hf"], 80.0, "no worker has 80 GB (the largest 16)"),
        (["cuda"], 80.5, "no worker has 80.5 GB (the largest 80)"),
        ([], 81.0, "no worker has 81 GB (the largest 80)"),
    ],
)
def test_a_job_that_nobody_can_do_says_what_is_missing_and_holds_nobody_up(engine, needs, memory, reason):
    stuck = _add(engine, needs=needs, memory=memory, priority=5)
    other = _add(engine, needs=["hf"])
    _look(engine, "w1", offers=["hf", "cpu"], memory=16.0)
    _look(engine, "w2", offers=["hf"], memory=8.0)
    _look(engine, "w3", offers=["cuda"], memory=80.0)
    assert waits(engine) == {stuck: Wait(None, (reason,)), other: Wait(1, ("next",))}
    # And it is true: none of them takes it.
    for name, offers, gb in (("w2", ["hf"], 8.0), ("w3", ["cuda"], 80.0), ("w1", ["hf", "cpu"], 16.0)):
        held = claim(engine, name, offers=offers, memory=gb)
        assert held is None or held.job.id == other


def test_only_those_count_as_before_it_that_a_worker_might_take_in_its_stead(engine):
    for _ in range(3):
        _add(engine, needs=["hf"])
    lonely, common = _add(engine, needs=["vllm"]), _add(engine)
    _look(engine, "w1", offers=["hf"])
    _look(engine, "w2", offers=["vllm"])
    found = waits(engine)
    assert found[lonely] == Wait(1, ("next",))
    assert found[common] == Wait(5, ("before it 4",))


def test_without_any_worker_that_is_the_reason_and_there_is_an_order_all_the_same(engine):
    first, second = _add(engine, needs=["hf"]), _add(engine, memory=80.0)
    nobody = "no worker was seen in the last minute"
    assert waits(engine) == {first: Wait(1, (nobody, "next")), second: Wait(2, (nobody, "before it 1"))}
    _look(engine, "w1", offers=["hf"], memory=16.0)
    assert waits(engine)[first] == Wait(1, ("next",))
    with writing(engine) as connection:
        connection.execute(update(workers).values(seen=workers.c.seen - 61))
    assert waits(engine)[first] == Wait(1, (nobody, "next"))


def test_a_job_that_is_to_be_retried_says_when(engine):
    number = _add(engine)
    fail(engine, claim(engine, "w1"), Fault.OURS, "disk full")
    (wait,) = waits(engine).values()
    assert wait.position is None
    assert wait.reasons[0].startswith("retried at 20")
    with writing(engine) as connection:
        connection.execute(update(table).values(not_before=1.0))
    assert waits(engine) == {number: Wait(1, ("next",))}


def test_a_job_whose_worker_died_waits_again_and_says_so(engine):
    number = _add(engine)
    claim(engine, "w1")
    with writing(engine) as connection:
        connection.execute(update(table).values(lease_until=1.0))
    assert waits(engine) == {number: Wait(1, ("the lease of w1 ran out", "next"))}


def _done(connection, kind, seconds):
    """Jobs of a kind that took so long."""
    columns = {"kind": kind, "payload": "{}", "owner": "us", "priority": 0, "state": "done", "attempts": 1}
    columns |= {"max_attempts": 3, "not_before": 0.0, "token": 1, "wanted": 0, "done": 0, "created": 0.0}
    rows = [columns | {"started": 100.0, "finished": 100.0 + each} for each in seconds]
    connection.execute(insert(table), rows)


def test_how_long_it_takes_is_guessed_from_jobs_of_its_kind(engine):
    with writing(engine) as connection:
        _done(connection, "evaluate", [10.0] * 5 + [20.0] * 5)
        _done(connection, "validate", [1.0, 1.0])
    numbers = [_add(engine) for _ in range(4)]
    other = _add(engine, kind="validate", priority=-1)
    _look(engine, "w1")
    _look(engine, "w2")
    found = waits(engine)
    # Two workers, nothing runs: two begin at once, and the others share them.
    assert [found[number].done_in for number in numbers] == [(10, 20), (10, 20), (20, 40), (25, 50)]
    # Two of a kind tell nothing.
    assert found[other].done_in is None
    claim(engine, "w1")
    claim(engine, "w2")
    # One of those that run may end at once, or take as long as any.
    assert [waits(engine)[number].done_in for number in numbers[2:]] == [(10, 40), (15, 50)]


def test_only_the_newest_jobs_tell_how_long_one_takes(engine):
    with writing(engine) as connection:
        _done(connection, "evaluate", [1_000.0] * 50)
        connection.execute(update(table).values(finished=1_100.0, started=100.0))
        _done(connection, "evaluate", [5_000.0 + each / 100 for each in range(100)])
    number = _add(engine)
    _look(engine, "w1")
    assert waits(engine)[number].done_in == pytest.approx((5_000.1, 5_000.89))


_ASKED = st.lists(
    st.fixed_dictionaries(
        {
            "owner": st.sampled_from("abc"),
            "priority": st.integers(0, 2),
            "votes": st.integers(0, 2),
            "needs": st.sampled_from([(), ("hf",), ("vllm",), ("hf", "vllm")]),
            "memory": st.sampled_from([0.0, 8.0, 40.0]),
        }
    ),
    max_size=8,
)
_WORKERS = {
    "w1": {"offers": ["hf"], "memory": 16.0},
    "w2": {"offers": ["hf", "vllm"], "memory": 8.0},
}


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(asked=_ASKED)
def test_jobs_are_taken_in_the_order_that_was_told(engine, asked):
    with writing(engine) as connection:
        for each in (table, workers, event):
            connection.execute(delete(each))
    for each in asked:
        _add(engine, **each)
    told = [each.id for each in in_turn(jobs(engine), {})]
    taken = []
    while (held := claim(engine, "all", offers=["hf", "vllm"])) is not None:
        taken.append(held.job.id)
    assert taken == told


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(asked=_ASKED, name=st.sampled_from(sorted(_WORKERS)))
def test_who_is_next_is_taken_next_and_who_is_stuck_is_not_taken(engine, asked, name):
    with writing(engine) as connection:
        for each in (table, workers, event):
            connection.execute(delete(each))
    for each, how in _WORKERS.items():
        _look(engine, each, **how)
    for each in asked:
        _add(engine, **each)
    found = waits(engine)
    assert set(found) == {each.id for each in jobs(engine)}
    held = claim(engine, name, **_WORKERS[name])
    if held is not None:
        assert found[held.job.id].position is not None
    else:
        able = [Worker(each, frozenset(how["offers"]), how["memory"]) for each, how in _WORKERS.items()]
        (mine,) = [each for each in able if each.name == name]
        assert not any(mine.can_run(each.needs, each.memory) for each in jobs(engine))
    if len(asked) and all(wait.position is not None for wait in found.values()):
        assert 1 in {wait.position for wait in found.values()}


@given(asked=_ASKED)
def test_positions_are_one_to_n_where_any_worker_can_do_anything(asked):
    alive = [
        Job(
            id=number,
            kind="evaluate",
            payload={},
            state="queued",
            attempts=0,
            max_attempts=3,
            worker=None,
            done=0,
            total=None,
            fault=None,
            error=None,
            created=0.0,
            started=None,
            finished=None,
            **each,
        )
        for number, each in enumerate(asked)
    ]
    one = Worker("w1", frozenset({"hf", "vllm"}), math.inf)
    found = explained(alive, [one], {}, 0.0)
    assert [wait.position for wait in found.values()] == list(range(1, len(alive) + 1))
    # Neither turns nor votes overtake a priority.
    ordered = [next(each.priority for each in alive if each.id == number) for number in found]
    assert ordered == sorted(ordered, reverse=True)
    # Of the first priority the turns of owners differ by one at most, while they have jobs left.
    level = [each for number in found for each in alive if each.id == number and each.priority == ordered[0]]
    left = Counter(each.owner for each in level)
    taken: Counter[str] = Counter()
    for each in level:
        assert taken[each.owner] <= min(taken[owner] for owner in left if taken[owner] < left[owner])
        taken[each.owner] += 1
