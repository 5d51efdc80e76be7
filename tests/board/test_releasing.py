"""What a board with private answers tells, and what it does not, whoever asks and however."""

import json
import threading

import pytest
from sqlalchemy import select

from bakeoff.board.definition import load_board
from bakeoff.board.life import State
from bakeoff.board.private.releasing import sayable
from bakeoff.board.ranking.publishing import take
from bakeoff.board.registry import register
from bakeoff.board.submissions import get, move, publish, submit
from bakeoff.board.work.evaluating import enqueue, handler
from bakeoff.database import reading, writing
from bakeoff.database.tables import metadata
from bakeoff.errors import ModelError, TaskError
from bakeoff.jobs import work
from bakeoff.run import Stopped
from bakeoff.store import find_runs, query, read_manifest
from tests.board.making import model
from tests.board.recorded import ITEMS, TASKS, answers, little, submitted, work_off
from tests.cli.command import bakeoff

CANARY = "zephyrcanary"


def _private(folder, version=1, **policy):
    """The little board with private answers, whose items hold a word that must not be seen anywhere."""
    little(folder)
    for name in TASKS:
        path = folder / f"{name}.yaml"
        task = json.loads(path.read_text()) | {"private": True}
        if name == "one":
            items = task["data"].pop("items")
            for item in items:
                item["input"] = f"{CANARY} {item['input']}"
            (folder / "items.json").write_text(json.dumps(items))
            task["data"]["file"] = "items.json"
        path.write_text(json.dumps(task))
    path = folder / "board.yaml"
    rules = {"private": True, "quota": {"submissions": 50}} | policy
    text = path.read_text().replace("version: 1", f"version: {version}")
    path.write_text(f"{text}policy: {json.dumps(rules)}\n")
    return load_board(path)


@pytest.fixture
def board(tmp_path):
    return _private(tmp_path)


def _told(engine, board, folder, right, number, *, organisation="org", rows=None):
    """Hand in a model with so many right answers of each task; its number, and the scores that are kept."""
    ref = answers(folder, right, f"m{number}")
    if rows is not None:
        path = folder / f"m{number}.jsonl"
        path.write_text(
            "".join(json.dumps(rows(json.loads(line))) + "\n" for line in path.read_text().splitlines())
        )
    made = submitted(engine, board, ref, given=model(number), organisation=organisation)
    work_off(engine, folder)
    with reading(engine) as connection:
        found = get(connection, made)
    assert found.state is State.REVIEW
    return made, found.scores


def _score(scores):
    return scores["score"]["value"], scores["improved"]


def test_withdrawing_and_handing_in_again_begins_nothing_anew(engine, board, tmp_path):
    first, told = _told(engine, board, tmp_path, 6, 1)
    assert _score(told) == (0.4, True)
    with writing(engine) as connection:
        move(connection, first, State.WITHDRAWN, actor="ann", reason="another try")
    # One more of each task right, under another name: within a step of the first.
    _, told = _told(engine, board, tmp_path, 7, 2)
    assert _score(told) == (0.4, False)


def test_an_organisation_is_held_against_itself_alone(engine, board, tmp_path):
    _told(engine, board, tmp_path, 12, 1)
    _, told = _told(engine, board, tmp_path, 6, 2, organisation="other")
    assert _score(told) == (0.4, True)


def test_a_new_version_that_asks_the_same_begins_nothing_anew(engine, board, tmp_path):
    _told(engine, board, tmp_path, 6, 1)
    newer = _private(tmp_path, version=2, ranked_per_organisation=2)
    _, told = _told(engine, newer, tmp_path, 7, 2)
    assert _score(told) == (0.4, False)


def test_a_new_version_with_other_items_begins_anew(engine, board, tmp_path):
    _told(engine, board, tmp_path, 6, 1)
    path = tmp_path / "small.yaml"
    path.write_text("name: small\ncolumns:\n  - {name: One, parts: [{tasks: one.yaml}]}\n")
    board_file = tmp_path / "board.yaml"
    board_file.write_text(board_file.read_text().replace("version: 1", "version: 2"))
    _, told = _told(engine, load_board(board_file), tmp_path, 7, 2)
    # 7 of 12 are told in thirds.
    assert _score(told) == (pytest.approx(2 / 3), True)


def _slow(row):
    return row | {"latency_s": 0.123456, "prompt_tokens": 9, "completion_tokens": 3}


def _silent(row):
    """Says nothing to five items of the twelve: a message, in how many are empty."""
    return _slow(row) | ({"output": ""} if row["id"] in {f"one{n}" for n in range(5)} else {})


def test_how_answers_ended_is_told_in_steps_and_time_with_one_figure(engine, board, tmp_path):
    _, told = _told(engine, board, tmp_path, 12, 1, rows=_silent)
    # 5 of 24, in fifths.
    assert told["outcomes"]["empty"] == 0.2
    assert told["outcomes"]["scored"] == 0.8
    assert told["latency_p50"] == 0.1
    _, told = _told(engine, board, tmp_path, 3, 2, rows=_silent)
    assert not told["improved"]
    assert told["outcomes"] == {}


def test_that_samples_have_no_score_is_told_without_how_many(engine, board, tmp_path):
    ref = answers(tmp_path, 9, "few")
    path = tmp_path / "few.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join(line for line in lines if '"two7"' not in line))
    made = submitted(engine, board, ref)
    work_off(engine, tmp_path)
    with reading(engine) as connection:
        found = get(connection, made)
    assert found.scores["score"]["value"] is None
    assert found.scores["incomplete"] == "too many samples have no score: two"
    assert (found.scores["outcomes"], found.scores["columns"]) == ({}, {})


def _everything(engine):
    """Every cell of every table."""
    with reading(engine) as connection:
        rows = [row for table in metadata.sorted_tables for row in connection.execute(select(table))]
    return "\n".join(str(tuple(row)) for row in rows)


def test_no_table_holds_a_text_a_score_of_an_item_or_what_a_guess_could_be_held_against(
    engine, board, tmp_path
):
    for number, right in enumerate(({"one": 7, "two": 4}, {"one": 12, "two": 11})):
        made, told = _told(engine, board, tmp_path, right, number)
        assert told.keys() - {
            "score",
            "improved",
            "incomplete",
            "outcomes",
            "latency_p50",
            "cost",
            "runs",
        } == {
            "columns",
            "tasks",
        }
        assert (told["columns"], told["tasks"], told["score"]["raw"]) == ({}, {}, None)
        with writing(engine) as connection:
            publish(connection, made, actor="bob")
    with writing(engine) as connection:
        take(connection, board, actor="bob")
    everything = _everything(engine)
    assert CANARY not in everything
    runs = find_runs(tmp_path / "runs" / "submission-1") + find_runs(tmp_path / "runs" / "submission-2")
    assert len(runs) == 2 * len(TASKS)
    for run in runs:
        manifest = read_manifest(run)
        for digest in (manifest.task.digest, *(file.digest for file in manifest.files.values())):
            assert digest not in everything
        rows = query(run, "SELECT item_id, item_digest FROM samples")
        assert len(rows) == ITEMS
        for item, digest in rows:
            assert f"'{item}'" not in everything
            assert f'"{item}"' not in everything
            assert digest not in everything
    # Of a task alone, and of the whole: 7, 4, 12 and 11 of 12; 11 and 23 of 24.
    for exact in (7 / 12, 4 / 12, 11 / 12, 11 / 24, 23 / 24):
        assert f"{exact:.4f}" not in everything


def test_no_command_of_boards_prints_more(tmp_path):
    _private(tmp_path)
    said = ""

    def run(*arguments):
        nonlocal said
        done = bakeoff(tmp_path, "board", *arguments, BAKEOFF_DATABASE_URL="sqlite:///boards.db")
        assert done.returncode in (0, 1), done.stderr
        said += done.stdout + done.stderr
        return done.stdout

    run("add", "board.yaml")
    for number, right in enumerate((7, 11), 1):
        answers(tmp_path, right, f"m{number}")
        run("submit", "little", "--model", f"recorded:m{number}.jsonl", "--organisation", "org")
        run("worker", "--until-empty")
        run("publish", str(number))
        run("snapshot", "little", "--json")
    run("queue", "little", "--json")
    run("queue", "little", "--events", "1", "--json")
    run("queue", "little", "--events", "2")
    run("snapshot", "little", "--show", "last")
    run("diff", "little", "--json")
    run("verify", "little", "--json")
    run("answers", "little")
    assert CANARY not in said
    for run_ in find_runs(tmp_path / "runs" / "submission-1"):
        for item, digest in query(run_, "SELECT item_id, item_digest FROM samples"):
            assert digest[7:27] not in said
            assert f'"{item}"' not in said
    # 14 and 22 of 24, and their columns.
    assert not any(f"{exact:.1f}" in said for exact in (100 * 14 / 24, 100 * 22 / 24))
    assert not any(f"{exact:.4f}" in said for exact in (14 / 24, 22 / 24))


def _stopped(folder, cause):
    try:
        raise Stopped(folder, cause) from cause
    except Stopped as stopped:
        return stopped


def test_what_a_server_repeats_of_an_item_is_kept_beside_the_run(tmp_path):
    cause = ModelError(f"it failed 20 times in a row, at last with: what is {CANARY}?", f"mend {CANARY}")
    message, hint = sayable(_stopped(tmp_path, cause))
    assert CANARY not in message + hint
    assert message == "the run stopped by a ModelError"
    kept = tmp_path / "stopped.txt"
    assert (str(kept) in hint, CANARY in kept.read_text()) == (True, True)
    assert kept.stat().st_mode & 0o077 == 0


def test_a_mistake_in_a_task_is_not_told_and_one_in_the_model_is():
    assert CANARY not in "".join(sayable(TaskError(f"item 3: {CANARY} has no target")))
    assert sayable(ModelError("there is no model x", "look")) == ("there is no model x", "look")


def test_what_a_run_stops_with_is_in_no_table(engine, board, tmp_path):
    """A model that repeats what it was asked when it fails, and fails after the look."""
    items = [{"id": f"one{n}", "input": f"{CANARY} {n}?", "target": str(n)} for n in range(40)]
    (tmp_path / "items.json").write_text(json.dumps(items))
    (tmp_path / "pipeline.py").write_text(
        "def answer(question):\n"
        "    if int(question.split()[-1].rstrip('?')) > 4:\n"
        "        raise ValueError(f'cannot answer {question}')\n"
        "    return '1'\n"
    )
    with writing(engine) as connection:
        register(connection, board, actor="bob")
        made = submit(connection, board, model(), organisation="org", submitter="ann", way="endpoint").id
        ref = f"call:{tmp_path / 'pipeline.py'}:answer"
        enqueue(connection, board, get(connection, made), model=ref, settings={}, actor="ann")
    work(
        engine,
        "w",
        handler(engine, tmp_path / "runs"),
        stop=threading.Event(),
        offers=["call"],
        until_empty=True,
    )
    with reading(engine) as connection:
        assert get(connection, made).state is State.FAILED
    everything = _everything(engine)
    assert "the run stopped by a ModelError" in everything
    assert CANARY not in everything
    (kept,) = (tmp_path / "runs").rglob("stopped.txt")
    assert CANARY in kept.read_text()
