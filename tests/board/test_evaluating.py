import json
import threading

import pytest

from bakeoff.board.definition import load_board
from bakeoff.board.life import State
from bakeoff.board.ranking.publishing import take
from bakeoff.board.submissions import get, move, publish
from bakeoff.board.work.evaluating import handler
from bakeoff.database import reading, writing
from bakeoff.database.log import events
from bakeoff.errors import TaskError
from bakeoff.jobs import Fault, jobs, work
from bakeoff.store import find_runs, read_manifest
from tests.board.making import model
from tests.board.recorded import ITEMS, answers, submitted, work_off


def _get(engine, number):
    with reading(engine) as connection:
        return get(connection, number)


def test_a_submission_is_looked_at_asked_scored_and_published(engine, board, tmp_path):
    number = submitted(engine, board, answers(tmp_path))
    assert work_off(engine, tmp_path) == 2
    found = _get(engine, number)
    assert found.state is State.REVIEW
    assert found.scores["score"]["value"] == pytest.approx(9 / 12)
    assert found.scores["columns"]["small/Two"]["n"] == ITEMS
    assert found.model.engine == "recorded"
    with writing(engine) as connection:
        publish(connection, number, actor="bob")
        (row,) = take(connection, board, actor="bob").rows
    assert (row.place, row.entrant.provenance) == (1, "records")


def test_what_cannot_be_opened_fails_for_the_submitter_to_see(engine, board, tmp_path):
    number = submitted(engine, board, "recorded:none.jsonl")
    assert work_off(engine, tmp_path) == 0
    assert _get(engine, number).state is State.FAILED
    (job,) = jobs(engine)
    assert (job.state, job.fault) == ("failed", Fault.SUBMITTER)
    assert "none.jsonl" in job.error
    with reading(engine) as connection:
        reasons = [each.reason for each in events(connection, f"submission {number}") if each.reason]
    assert any("none.jsonl" in reason for reason in reasons)


def test_who_is_not_eligible_is_told_all_the_reasons(engine, board, tmp_path):
    strict = board.model_copy(
        update={
            "eligibility": board.eligibility.model_copy(update={"licences": ("mit",), "max_parameters": 1.0})
        }
    )
    number = submitted(engine, strict, answers(tmp_path), given=model(licence="own", parameters=7.0))
    work_off(engine, tmp_path)
    assert _get(engine, number).state is State.REJECTED
    with reading(engine) as connection:
        (reason,) = [each.reason for each in events(connection) if each.kind == "submission rejected"]
    assert "licence is own" in reason
    assert "7 billion" in reason


def test_a_model_that_answers_nothing_in_the_dry_run_is_not_queued(engine, board, tmp_path):
    path = tmp_path / "empty.jsonl"
    path.write_text('{"id": "other", "output": "x"}\n')
    number = submitted(engine, board, f"recorded:{path}")
    work_off(engine, tmp_path)
    assert _get(engine, number).state is State.REJECTED


def test_a_worker_that_is_stopped_leaves_off_and_another_goes_on(engine, board, tmp_path, monkeypatch):
    monkeypatch.setattr("bakeoff.board.work.evaluating._LOOK_S", 0.0)
    number = submitted(engine, board, answers(tmp_path))
    stop = threading.Event()
    seen = []

    def handle(job, steps):
        if job.kind == "evaluate":
            original = steps.step

            def step(done=None):
                seen.append(done)
                if len(seen) == 5:
                    stop.set()
                original(done)

            steps.step = step
        handler(engine, tmp_path / "runs")(job, steps)

    work(engine, "w1", handle, stop=stop, offers=["recorded"], until_empty=True)
    assert _get(engine, number).state is State.PREEMPTED
    work_off(engine, tmp_path, name="w2")
    assert _get(engine, number).state is State.REVIEW
    runs = {
        read_manifest(each).task.name: read_manifest(each)
        for each in find_runs(tmp_path / "runs" / f"submission-{number}")
    }
    assert {name: run.counts["total"] for name, run in runs.items()} == {"one": ITEMS, "two": ITEMS}
    assert sum(run.resumed for run in runs.values()) == 1


def test_what_is_withdrawn_meanwhile_is_not_asked_any_more(engine, board, tmp_path):
    number = submitted(engine, board, answers(tmp_path))
    with writing(engine) as connection:
        move(connection, number, State.WITHDRAWN, actor="ann", reason="wrong file")
    assert work_off(engine, tmp_path) == 1
    assert _get(engine, number).state is State.WITHDRAWN
    assert not find_runs(tmp_path / "runs" / f"submission-{number}")


def test_a_key_in_the_environment_reaches_no_table_and_no_file(engine, board, tmp_path, monkeypatch):
    monkeypatch.setenv("SUBMITTERS_KEY", "sk-canary-0123456789")
    # Nobody listens there.
    settings = {"base_url": "http://127.0.0.1:9/v1", "api_key_env": "SUBMITTERS_KEY", "attempts": "1"}
    number = submitted(engine, board, "openai:x", settings=settings)
    work(
        engine,
        "w",
        handler(engine, tmp_path / "runs"),
        stop=threading.Event(),
        offers=["openai"],
        until_empty=True,
    )
    with reading(engine) as connection:
        assert "canary" not in "".join(str(each) for each in events(connection))
    assert "canary" not in "".join(str(each) for each in jobs(engine))
    assert _get(engine, number).state in (State.FAILED, State.VALIDATING)
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or b"canary" not in path.read_bytes()


@pytest.fixture
def private_board(board, tmp_path):
    """The same with private answers."""
    for name in ("one", "two"):
        path = tmp_path / f"{name}.yaml"
        path.write_text(json.dumps(json.loads(path.read_text()) | {"private": True}))
    path = tmp_path / "board.yaml"
    path.write_text(path.read_text() + "policy: {private: true, quota: {submissions: 50}}\n")
    return load_board(path)


def test_a_board_with_private_answers_needs_private_tasks(board, tmp_path):
    path = tmp_path / "board.yaml"
    path.write_text(path.read_text() + "policy: {private: true}\n")
    with pytest.raises(TaskError, match="one is not private"):
        load_board(path)


def test_private_answers_are_told_of_in_steps_and_only_when_they_are_better_by_more_than_one(
    engine, private_board, tmp_path
):
    told = []
    for number, right in enumerate((6, 7, 6, 12)):
        made = submitted(engine, private_board, answers(tmp_path, right, f"m{number}"), given=model(number))
        work_off(engine, tmp_path)
        found = _get(engine, made)
        assert found.state is State.REVIEW
        assert found.scores["columns"] == {}
        assert found.scores["score"]["low"] is None
        told.append((found.scores["score"]["value"], found.scores["improved"]))
    # 24 items are told in fifths, of 4.8. 12, 14, 12 and 24 of them are right.
    assert told == [(0.4, True), (0.4, False), (0.4, False), (1.0, True)]


def test_no_answer_of_a_private_board_is_in_its_database(engine, private_board, tmp_path):
    for name in ("one", "two"):
        path = tmp_path / f"{name}.yaml"
        task = json.loads(path.read_text())
        task["data"]["items"] = [
            item | {"target": f"canary-{item['target']}"} for item in task["data"]["items"]
        ]
        path.write_text(json.dumps(task))
    number = submitted(engine, private_board, answers(tmp_path))
    work_off(engine, tmp_path)
    assert _get(engine, number).state is State.REVIEW
    with writing(engine) as connection:
        publish(connection, number, actor="bob")
        shot = take(connection, private_board, actor="bob")
        assert "canary" not in "".join(str(each) for each in events(connection))
    assert "canary" not in json.dumps(shot.as_json())
    assert "canary" not in "".join(str(each) for each in jobs(engine))
