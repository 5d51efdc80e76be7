"""What a person gets wrong ends in one clear message, a non-zero exit code, and nothing lost."""

import json
import os
import subprocess

import pytest

from tests.cli.command import bakeoff, bakeoff_process

TASK = """\
name: sums
version: 1
description: Sums.
data: {file: items.jsonl}
scorer: number
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "sums.yaml").write_text(TASK)
    (tmp_path / "options.yaml").write_text(
        "name: options\ndata: {items: [{id: a, input: q, choices: [x, y], target: 0}]}\n"
        "prompt: {kind: plain}\nask: loglikelihood\nscorer: loglikelihood\n"
    )
    rows = [{"id": str(n), "input": f"{n} + 1 =", "target": n + 1} for n in range(5)]
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    said = [{"item_id": row["id"], "output": str(row["target"])} for row in rows]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in said))
    return tmp_path


MISTAKES = {
    "an unknown task": (["run", "arithmatic", "--model", "recorded:answers.jsonl"], 2, "arithmetic"),
    "an unknown variant": (["run", "sums.yaml:fast", "--model", "recorded:answers.jsonl"], 2, "default"),
    "a missing task file": (["run", "none.yaml", "--model", "recorded:answers.jsonl"], 2, "sums.yaml"),
    "a missing answers file": (["run", "sums.yaml", "--model", "recorded:answer.jsonl"], 3, "answers.jsonl"),
    "an unknown engine": (["run", "sums.yaml", "--model", "recordd:answers.jsonl"], 3, "recorded"),
    "a server without a model name": (["run", "sums.yaml", "--model", "http://127.0.0.1:9/v1"], 3, "#"),
    "an unreachable server": (["run", "sums.yaml", "--model", "http://127.0.0.1:9/v1#m"], 3, "127.0.0.1:9"),
    "a missing key": (["run", "sums.yaml", "--model", "openai:gpt-x"], 3, "OPENAI_API_KEY"),
    "a model without log-probs": (["run", "options.yaml", "--model", "recorded:answers.jsonl"], 3, "log"),
    "a margin without a baseline": (
        ["run", "sums.yaml", "--model", "recorded:answers.jsonl", "--margin", "0.1"],
        2,
        "--until-decided",
    ),
    "a margin in points": (
        ["run", "sums.yaml", "--model", "recorded:answers.jsonl", "--until-decided", "last", "--margin", "2"],
        2,
        "--margin 0.02",
    ),
    "a baseline that is not there": (
        ["run", "sums.yaml", "--model", "recorded:answers.jsonl", "--until-decided", "abc"],
        4,
        "abc",
    ),
    "an unknown setting": (
        ["run", "sums.yaml", "--model", "recorded:answers.jsonl", "--set", "outputt=x"],
        3,
        "output",
    ),
    "a setting that is no pair": (
        ["run", "sums.yaml", "--model", "recorded:answers.jsonl", "--set", "x"],
        2,
        "=",
    ),
    "no task": (["run", "--model", "recorded:answers.jsonl"], 2, "task list"),
    "no model": (["run", "sums.yaml"], 2, "--model"),
    "a limit of nothing": (
        ["run", "sums.yaml", "--model", "recorded:answers.jsonl", "--limit", "0"],
        2,
        "--limit",
    ),
    "no such run": (["show", "zzz"], 4, "zzz"),
    "no such outcome": (["show", "last", "--outcome", "wrongg"], 2, "no_answer"),
    "no such scorer": (["rescore", "last", "--scorer", "nmber"], 2, "number"),
    "a scorer of another kind": (["rescore", "last", "--scorer", "loglikelihood"], 2, "generate"),
    "an unknown starter": (["task", "new", "x", "--kind", "essay"], 2, "short-answer"),
    "a starter that is there": (["task", "new", "sums"], 2, "exists"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_it_ends_in_one_clear_message_and_a_non_zero_exit(folder, mistake):
    arguments, code, says = MISTAKES[mistake]
    if arguments[1] == "last":
        assert bakeoff(folder, "run", "sums.yaml", "--model", "recorded:answers.jsonl").returncode == 0
    before = sorted(folder.rglob("manifest.json"))
    done = bakeoff(folder, *arguments, OPENAI_API_KEY="")
    assert done.returncode == code, done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert sorted(folder.rglob("manifest.json")) == before


# By the process's own exit code and streams.
@pytest.mark.parametrize("mistake", ["an unknown task", "a missing answers file", "no such run"])
def test_a_process_ends_the_same_way(folder, mistake):
    arguments, code, says = MISTAKES[mistake]
    done = bakeoff_process(folder, *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert says in done.stderr


# One typo in each line of a task file.
@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ("scorer: number", "scorrer: number", "scorer"),
        ("scorer: number", "scorer: numbr", "number"),
        ("file: items.jsonl", "fle: items.jsonl", "file"),
        ("file: items.jsonl", "file: item.jsonl", "items.jsonl"),
        ("name: sums", "name: sums\nfields: {target: anser}", "target"),
        ("name: sums", "name: sums\nprompt: {template: '{{ inptu }}'}", "input"),
        ("name: sums", "name: sums\nprompt: {template: '{{ input '}", "template"),
    ],
)
def test_a_typo_in_a_task_file_is_located(folder, right, wrong, says):
    (folder / "sums.yaml").write_text(TASK.replace(right, wrong))
    done = bakeoff(folder, "run", "sums.yaml", "--model", "recorded:answers.jsonl")
    assert done.returncode == 2, done.stderr
    assert "sums.yaml" in done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_an_item_without_a_recorded_answer_leaves_the_run_incomplete_never_wrong(folder):
    lines = (folder / "answers.jsonl").read_text().splitlines()
    (folder / "answers.jsonl").write_text("\n".join(lines[:3]) + "\n")
    done = bakeoff(folder, "run", "sums.yaml", "--model", "recorded:answers.jsonl", "--json")
    assert done.returncode == 1
    (run,) = json.loads(done.stdout)
    assert run["status"] == "incomplete"
    assert run["metrics"]["counts"]["model_error"] == 2
    assert run["metrics"]["score"]["value"] == 1.0
    assert run["metrics"]["score"]["n"] == 3
    assert run["metrics"]["bounds"] == [0.6, 1.0]


def test_a_run_is_not_resumed_with_another_task_or_other_answers(folder):
    assert bakeoff(folder, "run", "sums.yaml", "--model", "recorded:answers.jsonl").returncode == 0
    (folder / "sums.yaml").write_text(TASK + "generation: {max_tokens: 5}\n")
    done = bakeoff(folder, "run", "--resume", "last")
    assert done.returncode == 4
    assert "max_tokens" in done.stderr
    (folder / "sums.yaml").write_text(TASK)
    with (folder / "answers.jsonl").open("a") as file:
        file.write('{"item_id": "9", "output": "9"}\n')
    done = bakeoff(folder, "run", "--resume", "last")
    assert done.returncode == 4
    assert "revision" in done.stderr


def test_results_for_machines_are_json_alone(folder):
    for arguments in (
        ["run", "sums.yaml", "--model", "recorded:answers.jsonl"],
        ["show", "last", "--outcome", "right"],
        ["show"],
        ["rescore", "last", "--scorer", "contains"],
        ["task", "list"],
        ["task", "show", "sums.yaml"],
        ["task", "lint", "sums.yaml"],
        ["doctor"],
    ):
        done = bakeoff(folder, *arguments, "--json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout) is not None
        assert done.stderr == ""


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small file system needs root")
def test_a_full_disk_stops_the_run_and_it_resumes_when_there_is_room(folder):
    small = folder / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)], capture_output=True
    )
    if mounted.returncode != 0:
        pytest.skip(f"cannot mount a small file system here: {mounted.stderr.decode().strip()}")
    try:
        rows = [{"id": str(n), "input": f"{n} + 1 =", "target": n + 1} for n in range(500)]
        (folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        said = [{"item_id": row["id"], "output": str(row["target"])} for row in rows]
        (folder / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in said))
        done = bakeoff(folder, "run", "sums.yaml", "--model", "recorded:answers.jsonl", "--out", "small")
        assert done.returncode == 4, done.stderr
        assert "disk is full" in done.stderr
        assert "--resume" in done.stderr
        subprocess.run(["mount", "-o", "remount,size=16m", str(small)], check=True)
        done = bakeoff(folder, "run", "--resume", "last", "--out", "small", "--json")
        assert done.returncode == 0, done.stderr
        (run,) = json.loads(done.stdout)
        assert run["metrics"]["counts"] | {"scored": 0, "total": 0} == dict.fromkeys(
            run["metrics"]["counts"], 0
        )
        assert run["metrics"]["counts"]["scored"] == 500
    finally:
        subprocess.run(["umount", str(small)], check=True)
