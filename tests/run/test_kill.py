"""Kill -9 at 50 random moments of a run, resume each: the samples are those of an undisturbed run."""

import json
import multiprocessing
import random
import time
from pathlib import Path

from bakeoff.run import planned, resume, run_jobs
from bakeoff.store import Settings, find_runs, query, read_manifest

ITEMS = 300
MOMENTS = 50

TASK = """\
name: sums
version: 1
description: Sums.
data: {file: items.jsonl}
shots: {n: 2, rule: sampled}
prompt: {template: "{{ input }}"}
scorer: number
"""

# A fresh process for each run, forked from a server that has imported everything and run nothing.
_fork = multiprocessing.get_context("forkserver")
_fork.set_forkserver_preload(["bakeoff.run", "bakeoff.model.recorded", "bakeoff.score.number", "duckdb"])


def test_runs_killed_at_random_moments_and_resumed_equal_an_undisturbed_run(tmp_path):
    _write(tmp_path)
    # The server starts with the first process; a run that was timed with it would be over at most moments.
    _finish(_start(tmp_path, tmp_path / "first"))
    begun = time.monotonic()
    _finish(_start(tmp_path, tmp_path / "whole"))
    whole_seconds = time.monotonic() - begun
    (whole,) = find_runs(tmp_path / "whole")
    expected = _samples(whole)
    assert len(expected) == ITEMS

    draw = random.Random(0)
    partial = 0
    for moment in range(MOMENTS):
        out = tmp_path / f"killed-{moment}"
        process = _start(tmp_path, out)
        time.sleep(draw.uniform(0, whole_seconds))
        process.kill()
        process.join()
        found = find_runs(out)
        if not found:  # killed before there was a run: nothing was asked, nothing is lost
            continue
        (folder,) = found
        partial += read_manifest(folder).status == "running" and any(folder.glob("journal-*.jsonl"))
        resume(folder)
        assert _samples(folder) == expected, f"killed at moment {moment}"
        assert read_manifest(folder).status == "complete"
        assert not list(folder.glob("journal-*"))
    assert partial >= 10, f"only {partial} of {MOMENTS} kills fell inside a run: the test has lost its bite"


def test_a_run_killed_again_while_it_is_resumed_still_ends_whole(tmp_path):
    _write(tmp_path)
    _finish(_start(tmp_path, tmp_path / "whole"))
    (whole,) = find_runs(tmp_path / "whole")
    out = tmp_path / "killed"
    process = _start(tmp_path, out)
    for _ in range(6):
        _wait_for_more(out, process)
        process.kill()
        process.join()
        process = _fork.Process(target=_resume, args=(out,))
        process.start()
    _finish(process)
    (folder,) = find_runs(out)
    assert _samples(folder) == _samples(whole)


def _write(folder: Path) -> None:
    (folder / "sums.yaml").write_text(TASK)
    with (folder / "items.jsonl").open("w") as items, (folder / "answers.jsonl").open("w") as answers:
        for number in range(ITEMS):
            items.write(
                json.dumps({"id": str(number), "input": f"{number} + 1 =", "target": number + 1}) + "\n"
            )
            said = f"It is {number + 1 + (number % 7 == 0)}." if number % 11 else "I do not know."
            answers.write(json.dumps({"item_id": str(number), "output": said}) + "\n")


def _start(folder: Path, out: Path) -> multiprocessing.process.BaseProcess:
    process = _fork.Process(target=_run, args=(folder, out))
    process.start()
    return process


def _run(folder: Path, out: Path) -> None:
    jobs = planned([str(folder / "sums.yaml")])
    run_jobs(jobs, f"recorded:{folder / 'answers.jsonl'}", {}, settings=Settings(cache=False), out=out)


def _resume(out: Path) -> None:
    (folder,) = find_runs(out)
    resume(folder)


def _finish(process: multiprocessing.process.BaseProcess) -> None:
    process.join(60)
    assert process.exitcode == 0


def _wait_for_more(out: Path, process: multiprocessing.process.BaseProcess) -> None:
    """Wait until the process has written something since we looked, or has ended."""
    before = _written(out)
    while process.is_alive() and _written(out) == before:
        time.sleep(0.005)


def _written(out: Path) -> int:
    return sum(path.stat().st_size for path in out.glob("*/*/*/journal-*.jsonl"))


def _samples(folder: Path) -> list[tuple]:
    """Everything of every sample but when it ended."""
    return query(folder, "SELECT * EXCLUDE (finished_at, latency_s, first_token_s) FROM samples ORDER BY ALL")
