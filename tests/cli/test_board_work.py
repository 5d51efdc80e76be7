"""`bakeoff board worker`, `queue` and `copy`: who can do what, why the rest waits, and a copy of it all."""

import json

import pytest

from bakeoff.database import database_url, open_database, writing
from bakeoff.database.migrate import migrate
from bakeoff.jobs import add, jobs
from tests.cli.command import bakeoff


@pytest.fixture
def folder(tmp_path):
    items = [{"id": f"i{each}", "input": f"{each}?", "target": str(each)} for each in range(6)]
    (tmp_path / "one.yaml").write_text(
        json.dumps({"name": "one", "data": {"items": items}, "scorer": "exact"})
    )
    (tmp_path / "small.yaml").write_text(
        "name: small\ncolumns:\n  - {name: One, parts: [{tasks: one.yaml}]}\n"
    )
    rows = [{"id": f"i{each}", "output": str(each)} for each in range(6)]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "little.yaml").write_text(
        "name: little\nversion: 1\nsince: 2026-01-01\nsuites: [{suite: small.yaml}]\n"
    )
    _done(tmp_path, "add", "little.yaml")
    return tmp_path


def _done(folder, *arguments, code=0):
    done = bakeoff(folder, "board", *arguments, BAKEOFF_DATABASE_URL=f"sqlite:///{folder}/boards.db")
    assert done.returncode == code, done.stderr + done.stdout
    return done.stdout if code == 0 else done.stdout + done.stderr


def _submitted(folder):
    _done(folder, "submit", "little", "--model", "recorded:answers.jsonl", "--organisation", "org")


def test_the_queue_says_where_each_stands_and_why_it_waits(folder):
    _submitted(folder)
    _submitted(folder)
    told = _done(folder, "queue", "little")
    assert "submission 1 waits: number 1 of the queue; no worker was seen in the last minute, next" in told
    assert "submission 2 waits: number 2 of the queue" in told
    _done(folder, "worker", "--until-empty", "--offers", "nothing", "--memory", "16", "--name", "w1")
    assert "submission 2 waits: no worker offers recorded" in _done(folder, "queue", "little")
    (first, _) = json.loads(_done(folder, "queue", "little", "--json"))
    assert first["waits"] == {
        "position": None,
        "reasons": ["no worker offers recorded"],
        "done_in": None,
    }
    assert first["job"]["needs"] == ["recorded"]
    _done(folder, "worker", "--until-empty")
    assert "waits" not in _done(folder, "queue", "little")
    assert [each["waits"] for each in json.loads(_done(folder, "queue", "little", "--json"))] == [None, None]


def test_a_worker_takes_only_what_fits_into_the_memory_that_was_said(folder):
    engine = open_database(database_url(f"sqlite:///{folder}/boards.db"))
    with writing(engine) as connection:
        large = add(connection, "validate", {}, owner="us", needs=["recorded"], memory=20.0)
    assert "0 jobs done" in _done(folder, "worker", "--until-empty", "--memory", "16")
    (found,) = jobs(engine)
    assert (found.id, found.state, found.attempts) == (large, "queued", 0)
    engine.dispose()


def test_a_copy_is_verified_as_the_board_is_and_goes_on(folder):
    _submitted(folder)
    _done(folder, "worker", "--until-empty")
    _done(folder, "publish", "1")
    _done(folder, "snapshot", "little")
    copy = f"sqlite:///{folder}/copy.db"
    told = json.loads(_done(folder, "copy", copy, "--json"))
    assert told["rows"]["submission"] == 1
    assert _done(folder, "verify", "little", "--database", copy) == _done(folder, "verify", "little")
    assert _done(folder, "queue", "little", "--database", copy) == _done(folder, "queue", "little")
    _done(
        folder, "submit", "little", "--model", "recorded:answers.jsonl", "--organisation", "org",
        "--database", copy,
    )  # fmt: skip
    assert "whole" in _done(folder, "verify", "little", "--database", copy)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["copy", "sqlite:///{folder}/boards.db"], "is not empty"),
        (
            ["copy", "sqlite:///{folder}/new.db", "--database", "sqlite:///{folder}/none.db"],
            "nothing to copy",
        ),
        (["copy", "sqlite:///{folder}/none/new.db"], "there is no folder"),
        (["copy", "mysql://u:secret@h/d"], "postgresql://"),
        (["copy", "postgresql://u:secret@127.0.0.1:9/d"], "cannot be opened"),
        (["worker", "--memory", "-1"], "--memory"),
        (["worker", "--memory", "nan"], "--memory"),
    ],
)
def test_a_mistake_is_said_and_copies_nothing(folder, arguments, said):
    engine = open_database(database_url(f"sqlite:///{folder}/none.db"))
    migrate(engine)
    engine.dispose()
    done = bakeoff(
        folder,
        "board",
        *(each.format(folder=folder) for each in arguments),
        BAKEOFF_DATABASE_URL=f"sqlite:///{folder}/boards.db",
    )
    assert done.returncode in (2, 3, 4)
    assert said in done.stderr
    assert "secret" not in done.stderr
