"""How far the work for submissions is."""

from bakeoff.board.work.progress import progress
from bakeoff.database import reading
from bakeoff.jobs import claim, fail, heartbeat
from bakeoff.jobs.queue import Fault
from tests.board.recorded import answers, submitted, work_off


def _work(engine, number):
    with reading(engine) as connection:
        return progress(connection, "little")[number]


def test_it_follows_the_work_from_the_look_to_the_end(engine, board, tmp_path):
    number = submitted(engine, board, answers(tmp_path))
    waiting = _work(engine, number)
    assert (waiting.kind, waiting.state, waiting.worker, waiting.done, waiting.total) == (
        "validate",
        "queued",
        None,
        0,
        5,
    )
    held = claim(engine, "w1", offers=["recorded"], lease_s=600)
    heartbeat(engine, held, done=3)
    running = _work(engine, number)
    assert (running.state, running.worker, running.done, running.attempts) == ("running", "w1", 3, 1)
    assert not running.ended
    assert fail(engine, held, Fault.SUBMITTER, "no such name\ncorrect it") is False
    failed = _work(engine, number)
    assert (failed.fault, failed.error, failed.ended) == (Fault.SUBMITTER, "no such name\ncorrect it", True)


def test_the_total_is_that_of_an_earlier_evaluation_under_the_same_version(engine, board, tmp_path):
    first = submitted(engine, board, answers(tmp_path))
    work_off(engine, tmp_path)
    assert _work(engine, first).kind == "evaluate"
    assert _work(engine, first).total == 24
    second = submitted(engine, board, answers(tmp_path, 3, "other"), organisation="another")
    assert _work(engine, second).total == 5


def test_a_board_has_the_work_for_its_own_alone(engine, board, tmp_path):
    submitted(engine, board, answers(tmp_path))
    with reading(engine) as connection:
        assert progress(connection, "other") == {}
