"""`bakeoff set` from the command line: what it says, what it writes, and how it ends."""

import json
import os
import pty
import subprocess
import sys

import pytest

from tests.cli import command
from tests.evalset.test_moved import run

ROWS = [{"id": f"t{n}", "input": f"Question number {n}?", "target": str(n)} for n in range(6)]
NEW = [
    {"id": "n1", "input": "What else is there?"},
    {"id": "n2", "input": "Question number 3!", "target": "3"},
    ROWS[0],
]


@pytest.fixture
def folder(tmp_path):
    for name, rows in (("items", ROWS), ("new", NEW)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert bakeoff(tmp_path, "freeze", "items.jsonl", "--version", "1").returncode == 0
    return tmp_path


def bakeoff(folder, *arguments):
    return command.bakeoff(folder, "set", *arguments)


def test_from_production_to_the_next_version(folder):
    assert "version 1, 6 items: as it was" in bakeoff(folder, "check", "items.jsonl").stdout
    said = bakeoff(folder, "propose", "items.jsonl", "--from", "new.jsonl").stdout
    assert "2 cases staged" in said
    assert "left out, in the set: 1  t0" in said
    assert "n2  t3 (" in said
    listed = bakeoff(folder, "review", "items.jsonl").stdout
    assert "What else is there?" in listed
    assert "much like t3" in listed
    who = ("--by", "Ada", "--reason", "asked daily")
    assert bakeoff(folder, "review", "items.jsonl", "n1", "--accept", *who).returncode == 2
    done = bakeoff(folder, "review", "items.jsonl", "n1", "--accept", *who, "--target", "42")
    assert done.stdout == "accepted by Ada: n1\n"
    assert bakeoff(folder, "review", "items.jsonl", "n2", "--reject", *who).stdout == "rejected by Ada: n2\n"
    assert "version 2: 7 items; 1 added" in bakeoff(folder, "release", "items.jsonl", "--version", "2").stdout
    assert json.loads((folder / "items.jsonl").read_text().splitlines()[-1]) == NEW[0] | {"target": "42"}
    done = bakeoff(folder, "check", "items.jsonl", "--json")
    assert (done.returncode, json.loads(done.stdout)["version"]) == (0, "2")


def test_a_changed_set_ends_with_1_and_names_what_changed(folder):
    text = (folder / "items.jsonl").read_text().replace('"target": "2"', '"target": "two"')
    (folder / "items.jsonl").write_text(text)
    done = bakeoff(folder, "check", "items.jsonl")
    assert done.returncode == 1
    assert "changed      1  t2" in done.stdout
    refused = bakeoff(folder, "release", "items.jsonl", "--version", "2")
    assert (refused.returncode, "changed by hand (t2)" in refused.stderr) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["review", "items.jsonl", "n1", "--by", "Ada", "--reason", "x"], "add --accept or --reject"),
        (["review", "items.jsonl", "n1", "--accept", "--reject"], "not both"),
        (["review", "items.jsonl", "n1", "--accept", "--reason", "x"], "add --by NAME"),
        (["freeze", "items.jsonl", "--version", "2"], "frozen already"),
        (["check", "none.jsonl"], "there is no file"),
        (["propose", "items.jsonl", "--from", "none.jsonl"], "none.jsonl"),
        (["propose", "items.jsonl", "--from", "new.jsonl", "--near", "0"], "above 0"),
    ],
)
def test_a_mistake_is_told_in_two_lines(folder, arguments, said):
    bakeoff(folder, "propose", "items.jsonl", "--from", "new.jsonl")
    done = bakeoff(folder, *arguments)
    assert done.returncode in (2, 4)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_on_a_terminal_each_case_is_asked_about(folder):
    bakeoff(folder, "propose", "items.jsonl", "--from", "new.jsonl")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "bakeoff", "set", "review", "items.jsonl", "--by", "Ada"],
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        env=os.environ | {"TERM": "dumb"},
    )
    os.close(theirs)
    os.write(ours, b"a\nasked daily\n42\nr\nthere already\n")
    text = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        text += part
    os.close(ours)
    assert process.wait(60) == 0
    states = {
        each["id"]: each for each in json.loads(bakeoff(folder, "review", "items.jsonl", "--json").stdout)
    }
    assert (states["n1"]["state"], states["n1"]["reason"]) == ("accepted", "asked daily")
    assert (states["n2"]["state"], states["n2"]["reviewer"]) == ("rejected", "Ada")
    assert "row" not in states["n1"]


def test_what_moved_is_told_in_parts_that_add_up(tmp_path):
    old = run(tmp_path, "old", {"a": 1, "b": 2, "c": 3, "d": 4}, "ab")
    new = run(tmp_path, "new", {"a": 1, "b": 2, "c": 33, "e": 5, "f": 6}, "ace")
    text = bakeoff(tmp_path, "moved", str(old), str(new)).stdout
    assert "2 unchanged, 1 changed, 2 added, 1 removed" in text
    found = json.loads(bakeoff(tmp_path, "moved", str(old), str(new), "--json").stdout)
    assert found["model"]["value"] + found["set"]["value"] == pytest.approx(found["total"]["value"])
    for line, part in (("the model", "model"), ("the set", "set"), ("both", "total")):
        assert any(
            row.startswith(line) and f"{100 * found[part]['value']:+.1f}" in row for row in text.splitlines()
        )
