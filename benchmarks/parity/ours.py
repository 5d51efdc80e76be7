"""Runs in our environment: one task through `run_jobs`, timed with the model already loaded.

    python ours.py JOB.json RESULT.json

The job: `task` (file, with its variant), `data`, `model`, `settings`, `limit`. The result has the same form
as that of `peer.py`, so far as both have it.
"""

import json
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bakeoff import Result
from bakeoff.model.hf.chat import prompt_text
from bakeoff.nouns import Item, Loglikelihood, Sample
from bakeoff.run import planned, run_jobs
from bakeoff.score import all_norms
from bakeoff.store import Settings


def main() -> None:
    job, result = json.loads(Path(sys.argv[1]).read_bytes()), Path(sys.argv[2])
    result.write_text(json.dumps(asked(job)))


def asked(job: dict[str, Any]) -> dict[str, Any]:
    clock = _Clock()
    with tempfile.TemporaryDirectory() as out:
        # Reading the task and its rows counts, as it does in the harness's evaluation; loading weights
        # does not.
        jobs = planned([job["task"]], data=job["data"])
        clock.stop()
        (folder,) = run_jobs(
            jobs,
            job["model"],
            job["settings"],
            settings=Settings(limit=job["limit"], cache=False),
            out=Path(out),
            watch=lambda _: clock.start(),
        )
        clock.stop()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        run = Result(folder)
        return {
            "items": {sample.item_id: _item(sample, job["weights"]) for sample in run.samples()},
            "cpu_s": clock.cpu_s,
            "wall_s": clock.wall_s,
            "peak_mb": peak,
            "engine": run.manifest.model.identity["details"],
        }


class _Clock:
    """CPU and wall seconds between starts and stops; starts running."""

    def __init__(self) -> None:
        self.cpu_s = self.wall_s = 0.0
        self.start()

    def start(self) -> None:
        self._cpu, self._wall = time.process_time(), time.perf_counter()

    def stop(self) -> None:
        self.cpu_s += time.process_time() - self._cpu
        self.wall_s += time.perf_counter() - self._wall


def _item(sample: Sample, weights: str) -> dict[str, Any]:
    turn = sample.turns[-1]
    if turn.response.failure is not None:
        raise SystemExit(f"item {sample.item_id} was not answered: {turn.response.failure.message}")
    request = Loglikelihood("", turn.input, sample.continuations, leads=sample.leads)
    right = all_norms(Item(sample.item_id, "", sample.choices, sample.target), turn.response)
    return {
        "texts": [
            [prompt_text(_tokenizer(weights), request.input_of(option), {}), text]
            for option, text in enumerate(sample.continuations)
        ],
        "logprobs": [option.logprob for option in turn.response.options],
        "greedy": [option.greedy for option in turn.response.options],
        "acc": float(bool(right["raw"])),
        "acc_norm": float(bool(right["chars"])),
    }


_tokenizers: dict[str, Any] = {}


def _tokenizer(weights: str) -> Any:
    from transformers import AutoTokenizer

    if weights not in _tokenizers:
        _tokenizers[weights] = AutoTokenizer.from_pretrained(weights)
    return _tokenizers[weights]


if __name__ == "__main__":
    main()
