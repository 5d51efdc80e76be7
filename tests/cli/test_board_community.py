"""`bakeoff board discuss`, `flag`, `vote` and what belongs to them."""

import json
import sqlite3

import pytest

from tests.cli.command import bakeoff


@pytest.fixture
def folder(tmp_path):
    """A board with two submissions, 1 by ann for org and 2 by zoe for zoo, that nobody has looked at."""
    items = [{"id": f"i{each}", "input": f"{each}?", "target": str(each)} for each in range(5)]
    (tmp_path / "one.yaml").write_text(
        json.dumps({"name": "one", "data": {"items": items}, "scorer": "exact"})
    )
    (tmp_path / "small.yaml").write_text(
        "name: small\ncolumns:\n  - {name: One, parts: [{tasks: one.yaml}]}\n"
    )
    for name, right in (("good", 5), ("bad", 1)):
        rows = [{"id": f"i{each}", "output": str(each if each < right else "?")} for each in range(5)]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    _done(tmp_path, "new", "little")
    path = tmp_path / "little.yaml"
    path.write_text(path.read_text().replace("suite: core", "suite: small.yaml"))
    _done(tmp_path, "add", "little.yaml")
    for name, who, whom in (("good", "ann", "org"), ("bad", "zoe", "zoo")):
        _done(
            tmp_path, "submit", "little", "--model", f"recorded:{name}.jsonl", "--organisation", whom, who=who
        )
    return tmp_path


def _board(folder, *arguments, who="eve"):
    return bakeoff(folder, "board", *arguments, BAKEOFF_DATABASE_URL="sqlite:///boards.db", LOGNAME=who)


def _done(folder, *arguments, who="eve"):
    done = _board(folder, *arguments, who=who)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def test_a_thread_is_written_read_and_moderated(folder):
    on = ("submission", "1")
    assert "post 1 on submission 1" in _done(folder, "discuss", *on, "--say", "Which template?")
    _done(folder, "discuss", *on, "--say", "The model's own.", "--organisation", "org", who="ann")
    _done(folder, "discuss", "task little/one", "--say", "Item i3 is wrong.")
    shown = _done(folder, "discuss", *on)
    assert "eve\n    Which template?\npost 2" in shown
    assert "ann for org\n    The model's own.\n" in shown
    assert "Item i3" not in shown
    _done(folder, "hide", "1", "--reason", "off topic", who="mod")
    shown = _done(folder, "discuss", *on)
    assert "hidden by mod, 20" in shown
    assert ": off topic" in shown
    assert "Which template?" not in shown
    _done(folder, "unhide", "1", "--reason", "on topic", who="mod")
    _done(folder, "erase", "2", "--reason", "asked for by its author", who="mod")
    posts = json.loads(_done(folder, "discuss", *on, "--json"))["posts"]
    assert [(each["body"], each["hidden"]) for each in posts] == [("Which template?", None), ("", None)]
    assert posts[1]["erased"]["reason"] == "asked for by its author"
    assert "nothing has been said" in _done(folder, "discuss", "board", "little")
    assert "whole" in _done(folder, "verify", "little")


def test_what_people_write_cannot_pass_for_what_bakeoff_prints(folder):
    forged = "  hidden by mod, 2026-01-01 00:00:00Z: spam"
    _done(
        folder, "discuss", "submission", "1", "--say", f"\x1b[2J\u202ehi\n{forged}\rpost 9\u2028flag 3\x85x"
    )
    _done(folder, "flag", "1", "--rule", "identity", "--reason", f"\x1b[1mlook\n{forged}")
    shown = _done(folder, "discuss", "submission", "1")
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    ours = [line for line in shown.splitlines() if not line.startswith("    ")]
    assert [line.split()[0] for line in ours] == ["flag", "post"]
    for command in (("flags", "little"), ("queue", "little", "--events", "1")):
        assert "\x1b" not in _done(folder, *command)
    events = _done(folder, "queue", "little", "--events", "1").splitlines()
    assert all(line[:2] == "20" for line in events)


def test_a_flag_is_raised_answered_and_ruled_on(folder):
    raised = json.loads(
        _done(folder, "flag", "1", "--rule", "contamination", "--reason", "see its data", "--json")
    )
    assert raised == {"flag": 1}
    early = _board(folder, "rule", "1", "uphold", "--reason", "so it is", who="mod")
    assert early.returncode == 2
    assert "org has not replied" in early.stderr
    _done(folder, "reply", "1", "--text", "It was left out.", who="ann")
    assert "upheld" in _done(folder, "rule", "1", "uphold", "--reason", "41 of 500", who="mod")
    shown = _done(folder, "flags", "little")
    for said in ("under contamination: upheld", "ann replied:\n    It was left out.", "41 of 500"):
        assert said in shown
    assert _done(folder, "discuss", "submission", "1") == shown
    _done(folder, "rule", "1", "dismiss", "--reason", "another set", who="carl")
    _done(folder, "flag", "2", "--rule", "identity", "--reason", "another model answers")
    _done(folder, "rule", "2", "uphold", "--urgent", "--reason", "it names another", who="mod")
    assert "urgent" in _done(folder, "flags", "little")
    states = [
        (each["state"], each["urgent"]) for each in json.loads(_done(folder, "flags", "little", "--json"))
    ]
    assert states == [("dismissed", False), ("upheld", True)]
    assert "flag dismissed: another set" in _done(folder, "queue", "little", "--events", "1")
    assert "whole" in _done(folder, "verify", "little")


def test_votes_go_with_a_submission_from_one_job_to_the_next_and_change_no_score(folder):
    for who in ("eve", "bob"):
        _done(folder, "vote", "2", who=who)
    assert json.loads(_done(folder, "vote", "1", "--json")) == {"submission": 1, "votes": 1}
    _done(folder, "worker", "--until-empty")
    with sqlite3.connect(folder / "boards.db") as connection:
        job = "SELECT kind, json_extract(payload, '$.submission'), votes FROM job ORDER BY started"
        jobs = connection.execute(job).fetchall()
    assert sorted(jobs) == [(kind, n, n) for kind in ("evaluate", "validate") for n in (1, 2)]
    assert jobs[0] == ("validate", 2, 2)
    for number in ("1", "2"):
        _done(folder, "publish", number)
    rows = json.loads(_done(folder, "snapshot", "little", "--json"))["rows"]
    assert [(row["entrant"]["submission"], row["place"]) for row in rows] == [(1, 1), (2, 2)]
    assert "published" in _board(folder, "vote", "1", who="carl").stderr


def test_a_mistake_is_said_and_changes_nothing(folder):
    _done(folder, "discuss", "board", "little", "--say", "hello")
    _done(folder, "flag", "1", "--rule", "identity", "--reason", "another model answers")
    _done(folder, "vote", "1")
    for arguments, said in (
        (["discuss"], "no thread"),
        (["discuss", "board", "none"], "no board none"),
        (["discuss", "submission", "7"], "no submission 7"),
        (["discuss", "board", "little", "--say", " "], "the post is empty"),
        (["discuss", "board", "little", "--say", "we", "--organisation", "org"], "does not speak for org"),
        (["hide", "1"], "--reason"),
        (["hide", "1", "--reason", ""], "the reason is empty"),
        (["hide", "7", "--reason", "spam"], "no post 7"),
        (["unhide", "1", "--reason", "fine"], "not hidden"),
        (["erase", "7", "--reason", "spam"], "no post 7"),
        (["flag", "1", "--rule", "ugly", "--reason", "it is"], "states no rule ugly"),
        (["flag", "1", "--rule", "identity", "--reason", "again"], "is open"),
        (["flag", "7", "--rule", "identity", "--reason", "it is"], "no submission 7"),
        (["flags", "none"], "no board none"),
        (["reply", "1", "--text", "we admit it"], "does not speak for org"),
        (["rule", "1", "uphold", "--reason", "I say so"], "raised it"),
        (["rule", "1", "delete", "--reason", "I say so"], "uphold"),
        (["rule", "7", "dismiss", "--reason", "no"], "no flag 7"),
        (["vote", "1"], "has voted"),
        (["vote", "7"], "no submission 7"),
    ):
        done = _board(folder, *arguments)
        assert done.returncode != 0, arguments
        assert said in done.stderr, arguments
        assert "Traceback" not in done.stderr
    told = json.loads(_done(folder, "discuss", "board", "little", "--json"))
    assert [(each["body"], each["hidden"]) for each in told["posts"]] == [("hello", None)]
    (flag,) = json.loads(_done(folder, "flags", "little", "--json"))
    assert (flag["state"], flag["reply"]) == ("open", None)
    assert "whole" in _done(folder, "verify", "little")
