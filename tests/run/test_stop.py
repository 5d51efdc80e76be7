"""Stopped by hand or by a preempted machine: the run says how to go on, and goes on."""

import json
import signal
import subprocess
import sys
import time

import pytest

from bakeoff import Result, evaluate
from bakeoff.errors import StoreError
from bakeoff.run import resume
from bakeoff.store import find_runs, read_manifest
from tests.run.runs import answers, run, task

ITEMS = [{"id": str(n), "input": f"{n} + 1 =", "target": n + 1} for n in range(5)]
RIGHT = {str(n): str(n + 1) for n in range(5)}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_run_in_order_and_the_message_says_how_to_resume(tmp_path, number):
    many = 5_000
    with (tmp_path / "items.jsonl").open("w") as items, (tmp_path / "answers.jsonl").open("w") as said:
        for n in range(many):
            items.write(json.dumps({"id": str(n), "input": f"{n} + 1 =", "target": n + 1}) + "\n")
            said.write(json.dumps({"item_id": str(n), "output": str(n + 1)}) + "\n")
    (tmp_path / "sums.yaml").write_text("name: sums\ndata: {file: items.jsonl}\nscorer: number\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "bakeoff", "run", "sums.yaml", "--model", "recorded:answers.jsonl"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while process.poll() is None and not any(
        path.stat().st_size > 10_000 for path in tmp_path.glob("runs/*/*/*/journal-0.jsonl")
    ):
        time.sleep(0.01)
    process.send_signal(number)
    _, error = process.communicate(timeout=60)
    (folder,) = find_runs(tmp_path / "runs")
    assert process.returncode == 130, error
    assert "Traceback" not in error
    assert f"bakeoff run --resume {folder.relative_to(tmp_path)}" in error
    assert read_manifest(folder).status == "incomplete"
    done = subprocess.run(
        [sys.executable, "-m", "bakeoff", "run", "--resume", "last", "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    (finished,) = json.loads(done.stdout)
    assert finished["metrics"]["counts"]["scored"] == many
    assert read_manifest(folder).resumed == 1


def test_a_resume_asks_again_only_what_ended_in_an_error(tmp_path):
    first = run(tmp_path, ITEMS, {key: RIGHT[key] for key in ("0", "1")} | {"2": "0"})
    assert first.manifest.status == "incomplete"
    before = {sample.item_id: sample for sample in first.samples() if not sample.score.outcome.unscored}
    answers(tmp_path, RIGHT)  # now every answer is there, but the file is another one
    with pytest.raises(StoreError, match="revision"):
        evaluate(task(ITEMS), f"recorded:{tmp_path / 'answers.jsonl'}", resume=first.folder)
    assert {s.item_id: s for s in first.samples() if not s.score.outcome.unscored} == before


def test_a_task_given_as_an_object_is_resumed_from_its_program_only(tmp_path):
    first = run(tmp_path, ITEMS, RIGHT)
    with pytest.raises(StoreError, match="evaluate"):
        resume(first.folder)
    again = evaluate(task(ITEMS), "", resume=first.folder)
    assert again == Result(first.folder)
    assert again.manifest.status == "complete"


def test_a_changed_task_is_not_resumed_and_the_change_is_named(tmp_path):
    first = run(tmp_path, ITEMS, RIGHT)
    with pytest.raises(StoreError, match="template"):
        evaluate(task(ITEMS, prompt={"template": "{{ input }}?"}), "", resume=first.folder)
    with pytest.raises(StoreError, match="data"):
        evaluate(task(ITEMS[:4]), "", resume=first.folder)
