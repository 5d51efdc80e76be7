"""Submissions whose job ended without them."""

import threading

import pytest

from bakeoff.board.life import State
from bakeoff.board.submissions import get
from bakeoff.board.work.evaluating import handler
from bakeoff.board.work.settling import retry, settle
from bakeoff.database import reading, writing
from bakeoff.database.log import broken, events
from bakeoff.errors import BakeoffError
from bakeoff.jobs import cancel, claim, work
from tests.board.recorded import answers, submitted, work_off


def _get(engine, number):
    with reading(engine) as connection:
        return get(connection, number)


def _dies_with_every_attempt(engine):
    """Workers that claim the job and are never heard of again."""
    for attempt in range(6):
        claim(engine, f"w{attempt}", offers=["recorded"], lease_s=-1)


def test_a_job_whose_workers_all_died_ends_its_submission(engine, board, tmp_path):
    number = submitted(engine, board, answers(tmp_path))
    _dies_with_every_attempt(engine)
    assert _get(engine, number).state is State.VALIDATING
    with writing(engine) as connection:
        assert settle(connection) == [number]
        assert settle(connection) == []
    assert _get(engine, number).state is State.FAILED
    with reading(engine) as connection:
        (reason,) = [each.reason for each in events(connection) if each.kind == "submission failed"]
    assert "its worker died 5 times without getting further" in reason


def test_a_cancelled_job_ends_its_submission(engine, board, tmp_path):
    number = submitted(engine, board, answers(tmp_path))
    cancel(engine, _get(engine, number).job, actor="bob", reason="the disk is full")
    with writing(engine) as connection:
        settle(connection)
    assert _get(engine, number).state is State.FAILED


def test_any_worker_settles_what_it_finds(engine, board, tmp_path):
    lost = submitted(engine, board, answers(tmp_path))
    _dies_with_every_attempt(engine)
    other = submitted(engine, board, answers(tmp_path, name="other"), organisation="other")
    work_off(engine, tmp_path)
    assert _get(engine, lost).state is State.FAILED
    assert _get(engine, other).state is State.REVIEW


def test_what_waits_and_what_has_ended_well_is_left_alone(engine, board, tmp_path):
    done = submitted(engine, board, answers(tmp_path))
    work_off(engine, tmp_path)
    waits = submitted(engine, board, answers(tmp_path, name="other"))
    with writing(engine) as connection:
        assert settle(connection) == []
    assert (_get(engine, done).state, _get(engine, waits).state) == (State.REVIEW, State.VALIDATING)


def test_our_own_failure_is_tried_again_as_no_new_attempt(engine, board, tmp_path):
    number = submitted(engine, board, answers(tmp_path))
    _dies_with_every_attempt(engine)
    with writing(engine) as connection:
        settle(connection)
        retry(connection, number, actor="bob")
    work_off(engine, tmp_path)
    found = _get(engine, number)
    assert (found.state, found.attempt) == (State.REVIEW, 1)
    with reading(engine) as connection:
        assert broken(connection) is None


def test_a_failure_can_be_tried_again_more_than_once(engine, board, tmp_path):
    number = submitted(engine, board, answers(tmp_path))
    for _ in range(3):
        _dies_with_every_attempt(engine)
        with writing(engine) as connection:
            settle(connection)
            retry(connection, number, actor="bob")
    work_off(engine, tmp_path)
    assert _get(engine, number).state is State.REVIEW


def test_a_failed_evaluation_is_tried_again_too(engine, board, tmp_path):
    number = submitted(engine, board, answers(tmp_path))
    stop = threading.Event()

    def look(job, steps):
        handler(engine, tmp_path / "runs")(job, steps)
        stop.set()

    work(engine, "w", look, stop=stop, offers=["recorded"], until_empty=True)
    assert _get(engine, number).state is State.QUEUED
    _dies_with_every_attempt(engine)
    with writing(engine) as connection:
        settle(connection)
        retry(connection, number, actor="bob")
    work_off(engine, tmp_path)
    assert _get(engine, number).state is State.REVIEW


def test_what_is_not_our_fault_is_not_tried_again(engine, board, tmp_path):
    number = submitted(engine, board, answers(tmp_path))
    for path in tmp_path.glob("**/*.jsonl"):
        path.unlink()
    work_off(engine, tmp_path)
    assert _get(engine, number).state is State.FAILED
    with pytest.raises(BakeoffError, match="by a fault of the"), writing(engine) as connection:
        retry(connection, number, actor="bob")


def test_what_has_not_failed_is_not_tried_again(engine, board, tmp_path):
    number = submitted(engine, board, answers(tmp_path))
    with pytest.raises(BakeoffError, match="is validating"), writing(engine) as connection:
        retry(connection, number, actor="bob")
