"""`bakeoff board` from a definition to a verified snapshot."""

import json

import pytest

from tests.cli.command import bakeoff

ITEMS = 8


@pytest.fixture
def folder(tmp_path):
    items = [{"id": f"i{each}", "input": f"{each}?", "target": str(each)} for each in range(ITEMS)]
    (tmp_path / "one.yaml").write_text(
        json.dumps({"name": "one", "data": {"items": items}, "scorer": "exact"})
    )
    (tmp_path / "small.yaml").write_text(
        "name: small\ncolumns:\n  - {name: One, parts: [{tasks: one.yaml}]}\n"
    )
    for name, right in (("good", 7), ("bad", 2)):
        rows = [{"id": f"i{each}", "output": str(each if each < right else "?")} for each in range(ITEMS)]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def _done(folder, *arguments, code=0):
    done = bakeoff(folder, "board", *arguments, BAKEOFF_DATABASE_URL="sqlite:///boards.db")
    assert done.returncode == code, done.stderr + done.stdout
    return done.stdout if code == 0 else done.stdout + done.stderr


def _board(folder):
    _done(folder, "new", "little")
    path = folder / "little.yaml"
    path.write_text(path.read_text().replace("suite: core", "suite: small.yaml"))
    _done(folder, "add", "little.yaml")


def _published(folder, name, number):
    _done(folder, "submit", "little", "--model", f"recorded:{name}.jsonl", "--organisation", "org")
    assert "2 jobs done" in _done(folder, "worker", "--until-empty")
    _done(folder, "publish", str(number))


def test_a_board_from_its_definition_to_a_verified_snapshot(folder):
    _board(folder)
    _published(folder, "good", 1)
    assert "87.5" in _done(folder, "snapshot", "little")
    _published(folder, "bad", 2)
    rows = json.loads(_done(folder, "snapshot", "little", "--json"))["rows"]
    assert [(row["place"], row["entrant"]["attempt"], row["entrant"]["attempts"]) for row in rows] == [
        (1, 1, 2),
        (2, 2, 2),
    ]
    assert "added" in _done(folder, "diff", "little")
    assert "whole" in _done(folder, "verify", "little")
    assert len(_done(folder, "snapshot", "little", "--list").splitlines()) == 2
    _done(folder, "withdraw", "1", "--reason", "wrong file")
    shown = _done(folder, "snapshot", "little")
    assert "no rank" in shown
    assert "withdrawn" in shown
    assert "submission withdrawn: wrong file" in _done(folder, "queue", "little", "--events", "1")


def test_a_touched_database_is_noticed(folder):
    import sqlite3

    _board(folder)
    _published(folder, "good", 1)
    _done(folder, "snapshot", "little")
    with sqlite3.connect(folder / "boards.db") as connection:
        connection.execute("UPDATE event SET actor = 'nobody' WHERE number = 2")
    assert "entry 2 was changed" in _done(folder, "verify", "little", code=1)


def test_what_can_be_told_at_once_is_and_nothing_is_queued(folder):
    _done(folder, "new", "little")
    path = folder / "little.yaml"
    text = (
        path.read_text()
        .replace("suite: core", "suite: small.yaml")
        .replace("licences: []", "licences: [mit]")
    )
    path.write_text(text.replace("# max_parameters: 3 ", "max_parameters: 3 "))
    _done(folder, "add", "little.yaml")
    given = ["submit", "little", "--model", "hf:org/name@main", "--organisation", "org"]
    said = _done(folder, *given, "--licence", "gpl-3.0", "--parameters", "7", code=1)
    for each in ("not pinned", "its licence is gpl-3.0", "7 billion parameters"):
        assert each in said
    assert json.loads(_done(folder, "queue", "little", "--json")) == []
    given[3] = f"hf:org/name@{'c' * 40}"
    _done(folder, *given)  # what is not said its files may say
    assert len(json.loads(_done(folder, "queue", "little", "--json"))) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["snapshot", "none"], "there is no board none"),
        (["submit", "little", "--model", "recorded:none.jsonl", "--organisation", "o"], "none.jsonl"),
        (["submit", "little", "--model", "nonsense", "--organisation", "o"], "no prefix"),
        (["publish", "9"], "there is no submission 9"),
        (["add", "none.yaml"], "none.yaml"),
        (["new", "little"], "is there already"),
        (["snapshot", "little", "--show", "ffff"], "no snapshot"),
        (["worker", "--lease", "0"], "--lease"),
        (["verify", "little", "--database", "mysql://u:secret@h/d"], "postgresql://"),
    ],
)
def test_a_mistake_is_said_and_loses_nothing(folder, arguments, said):
    _board(folder)
    done = bakeoff(folder, "board", *arguments, BAKEOFF_DATABASE_URL="sqlite:///boards.db")
    assert done.returncode in (2, 3, 4)
    assert said in done.stderr
    assert "secret" not in done.stderr
    assert "whole" in _done(folder, "verify", "little")


def test_a_new_rule_ranks_what_is_there_by_both_methods(folder):
    _board(folder)
    for number, name in enumerate(("good", "bad"), 1):
        _published(folder, name, number)
    _done(folder, "snapshot", "little")
    path = folder / "little.yaml"
    path.write_text(path.read_text().replace("version: 1", "version: 2").replace("level: 0.95", "level: 0.9"))
    _done(folder, "add", "little.yaml")
    assert "bakeoff board rerank little" in _done(folder, "snapshot", "little", code=2)
    said = _done(folder, "rerank", "little")
    assert "the rule is that of version 2" in said
    assert _done(folder, "snapshot", "little", "--version", "1").startswith("little, version 1")
    assert _done(folder, "snapshot", "little").startswith("little, version 2")
    told = json.loads(_done(folder, "history", "little", "good", "--json"))
    assert [each["version"] for each in told] == [1, 2]
    assert "whole" in _done(folder, "verify", "little")


def test_what_is_rejected_or_failed_is_said_and_can_be_tried_again_where_it_may(folder):
    _board(folder)
    _done(folder, "submit", "little", "--model", "recorded:bad.jsonl", "--organisation", "org")
    _done(folder, "worker", "--until-empty")
    _done(folder, "reject", "1", "--reason", "another model than it says")
    shown = _done(folder, "snapshot", "little")
    assert "rejected" in shown
    assert "is rejected" in _done(folder, "retry", "1", code=2)
    assert "another model than it says" in _done(folder, "queue", "little", "--events", "1")
