"""What a run that lacks scores advises: to ask again, or not where that would change nothing."""

import json

import pytest

from bakeoff.sandbox import SandboxError, sandbox
from tests.cli.command import bakeoff

RIGHT = "def triple(x):\n    return 3 * x\n"
TESTS = {"entry_point": "triple", "test_list": ["assert triple(2) == 6"]}


def write(folder, scorer, rows, answers):
    task = {"name": "t", "data": {"items": rows}, "scorer": scorer}
    (folder / "t.yaml").write_text(json.dumps(task))
    said = [{"item_id": name, "model": "m", "output": text} for name, text in answers.items()]
    (folder / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in said))


def test_answers_that_did_not_come_are_to_be_asked_again(tmp_path):
    write(tmp_path, "exact", [{"id": n, "input": "?", "target": "y"} for n in "ab"], {"a": "y"})
    done = bakeoff(tmp_path, "run", "t.yaml", "--model", "recorded:answers.jsonl")
    assert done.returncode == 1
    assert "to ask them again: bakeoff run --resume runs/t/" in done.stdout


def test_items_whose_own_tests_fail_are_not(tmp_path, monkeypatch):
    monkeypatch.setenv("BAKEOFF_CACHE", str(tmp_path / "cache"))
    try:
        sandbox()
    except SandboxError as error:
        pytest.skip(str(error))
    rows = [
        {"id": name, "input": "Triple it.", "target": target, "meta": TESTS}
        for name, target in (("a", RIGHT), ("b", RIGHT), ("c", RIGHT.replace("3", "2")))
    ]
    write(tmp_path, "code", rows, {row["id"]: RIGHT for row in rows})
    run = ["run", "t.yaml", "--model", "recorded:answers.jsonl"]
    done = bakeoff(tmp_path, *run)
    assert done.returncode == 1
    assert "--resume" not in done.stdout
    assert "1 items cannot be judged here" in done.stdout
    # What it advises does it.
    advised = done.stdout.split("do without these items: ")[1].split()[:2]
    assert bakeoff(tmp_path, *run, *advised).returncode == 0
