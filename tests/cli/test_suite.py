"""A suite from its file: asked, scored, shown, and what is said where something is missing."""

import json

import pytest

from tests.cli.command import bakeoff

SUITE = """
name: ours
description: Two tasks of ours.
columns:
  - {name: Sums, parts: [{tasks: tasks/sums.yaml}]}
  - {name: Words, weight: 3, parts: [{tasks: "tasks/words.yaml:shouted", by: kind, floor: {a: 0.5, b: 0}}]}
"""
TASKS = {
    "sums": [{"id": f"s{n}", "input": f"{n}+1", "target": str(n + 1)} for n in range(8)],
    "words": [
        {"id": f"w{n}", "input": f"word {n}", "target": f"{n}", "meta": {"kind": "ab"[n % 2]}}
        for n in range(8)
    ],
}


@pytest.fixture
def folder(tmp_path):
    """Two tasks, and the answers of two models to both: one all right, one right on every other item."""
    (tmp_path / "tasks").mkdir()
    (tmp_path / "ours.yaml").write_text(SUITE)
    for name, rows in TASKS.items():
        file = {
            "name": name,
            "data": {"items": rows},
            "scorer": "exact",
            "variants": {"shouted": {"prompt": {"template": "{{ input }}!"}}},
        }
        (tmp_path / "tasks" / f"{name}.yaml").write_text(json.dumps(file))
    answers = [
        {"item_id": row["id"], "model": model, "output": row["target"] if n % 4 < right else "x"}
        for rows in TASKS.values()
        for n, row in enumerate(rows)
        for model, right in (("good", 4), ("fair", 2))
    ]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in answers))
    return tmp_path


MODELS = ["--model", "recorded:answers.jsonl#good", "--model", "recorded:answers.jsonl#fair"]


def test_a_suite_is_run_and_scored_by_its_file(folder):
    done = bakeoff(folder, "run", "ours.yaml", *MODELS, COLUMNS="100")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("on good") == 2
    table = done.stdout.partition("ours v1")[2]
    lines = {
        line.split()[0]: line.split()[1:] for line in table.splitlines() if line.startswith(("good", "fair"))
    }
    # fair: sums 1/2; words 1/2 of each kind, by floors 0 and 1/2, so 1/4 on average; (1/2 + 3/4) / 4.
    assert lines == {"good": ["100.0", "100.0", "100.0"], "fair": ["31.2", "50.0", "25.0"]}


def test_scores_are_found_again_and_are_the_same_for_machines(folder):
    assert bakeoff(folder, "run", "ours.yaml", *MODELS).returncode == 0
    rows = json.loads(bakeoff(folder, "suite", "score", "ours.yaml", "--json").stdout)
    assert [(row["model"], row["value"]) for row in rows] == [("good", 1.0), ("fair", 0.3125)]
    for row in rows:
        assert row["interval"]["low"] < row["value"] <= row["interval"]["high"]
    one = bakeoff(folder, "suite", "score", "ours.yaml", *rows[1]["runs"].values(), COLUMNS="80")
    assert "Words" in one.stdout
    assert "good" not in one.stdout


def test_a_task_without_a_run_is_named_and_there_is_no_mean(folder):
    assert bakeoff(folder, "run", "tasks/sums.yaml", *MODELS[:2]).returncode == 0
    done = bakeoff(folder, "suite", "score", "ours.yaml", COLUMNS="100")
    assert done.returncode == 0
    assert "good: no score without words:shouted" in done.stdout


def test_a_limit_is_said(folder):
    done = bakeoff(folder, "run", "ours.yaml", *MODELS[:2], "--limit", "5", COLUMNS="100")
    assert "good: sums: only the first 5 of 8 items" in done.stdout


def test_what_a_suite_is_made_of(folder):
    done = bakeoff(folder, "suite", "show", "ours.yaml", COLUMNS="120")
    assert "words:shouted" in done.stdout
    assert "75.0 %" in done.stdout
    assert json.loads(bakeoff(folder, "suite", "show", "open-llm-v2", "--json").stdout)["clip"] is True
    listed = bakeoff(folder, "suite", "list").stdout
    assert [line.split()[0] for line in listed.splitlines()] == ["core", "open-llm-v1", "open-llm-v2"]
    assert set(json.loads(bakeoff(folder, "suite", "list", "--json").stdout)) == {
        "core",
        "open-llm-v1",
        "open-llm-v2",
    }


@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        (["score", "ours.yaml"], 2, "no complete run of a task of ours under runs"),
        (["score", "nothing"], 2, "there is no suite 'nothing'"),
        (["show", "tasks/sums.yaml"], 2, "tasks/sums.yaml:1: data: there is no such key"),
    ],
)
def test_mistakes_are_named(folder, arguments, code, named):
    done = bakeoff(folder, "suite", *arguments)
    assert done.returncode == code
    assert named in done.stderr
