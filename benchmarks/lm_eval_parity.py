"""The same items through us and through lm-evaluation-harness: do they agree, and what does each take?

    python benchmarks/lm_eval_parity.py [TASK ...] [--template no|yes|both] [--items 200] [--threads 1]
        [--batch-size N] [--setting NAME=VALUE] [--json FILE] [--fresh]
    python benchmarks/lm_eval_parity.py --golden tests/conformance/golden [TASK ...]

Same weights (SmolLM2-135M-Instruct, dequantised), float32, CPU, same threads; response cache off. The harness
gets an environment of its own and runs its own task files on our rows, at the batch size that is fastest for
it here. Its results are kept and reused until --fresh; ours are always made anew. Two tables: agreement, and
cost with the share of what the machine could do at best. --golden writes the harness's numbers for the tests.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bakeoff.digest import digest
from bakeoff.model.hf.dequantise import dequantised
from bakeoff.model.packaged import packaged_path
from bakeoff.store import cache_folder
from parity.comparisons import COMPARISONS, TRUTHFULQA_BY_ROWS, Comparison
from parity.environment import peer_python, peer_tasks
from parity.goldens import golden, write_golden
from parity.long_texts import long_texts
from parity.peer_tasks import prompt_before_question, write_tasks
from parity.rows import read_rows, write_rows
from parity.tables import as_json, cost, parity, printed

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / "benchmarks" / "parity"
TASKS = ROOT / "tests" / "conformance" / "tasks"
DATA = Path(os.environ.get("BAKEOFF_DATA", ROOT.parent / "shared" / "data"))

BATCH_SIZES, BATCH_ITEMS = (1, 8, 16, 32), 40
GOLDEN_ITEMS = 10
ROLLING_LENGTH = 512
MATCHED = {"encoding": "lm-eval", "dtype": "float32", "device": "cpu"}


@dataclass(frozen=True)
class Machine:
    """What both run on and with. `cache` keeps the harness and its results."""

    cache: Path
    python: Path
    weights: Path
    threads: int
    fresh: bool

    def peer(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """The harness's result for a job, kept by everything that is in it."""
        job = {"weights": str(self.weights), "threads": self.threads, **job}
        kept = self.cache / "results" / f"{digest(job).removeprefix('sha256:')[:32]}.json"
        if self.fresh or not kept.exists():
            kept.parent.mkdir(parents=True, exist_ok=True)
            _child(self.python, SCRIPTS / "peer.py", job, kept)
        found: dict[str, Any] = json.loads(kept.read_bytes())
        return found


def main() -> None:
    chosen = arguments()
    cache = cache_folder() / "lm_eval_parity"
    weights, _ = dequantised(packaged_path("smollm2"))
    machine = Machine(cache, peer_python(cache), weights, chosen.threads, chosen.fresh)
    comparisons = [each for each in COMPARISONS if not chosen.tasks or each.name in chosen.tasks]
    batch_size = chosen.batch_size or best_batch_size(machine)
    if chosen.golden:
        write_goldens(machine, comparisons, chosen.items, batch_size, chosen.golden)
        return
    rate = prefill_rate(machine)
    parities, costs = [], []
    for template in {"no": [False], "yes": [True], "both": [False, True]}[chosen.template]:
        for comparison in comparisons:
            print(
                f"{comparison.name}{' with chat template' if template else ''} ...",
                file=sys.stderr,
                flush=True,
            )
            theirs = peer_run(machine, comparison, template, chosen.items, batch_size)
            ours = our_run(machine, comparison, template, chosen.items, dict(chosen.setting))
            parities.append(parity(comparison.name, template, ours, theirs))
            costs.append(cost(comparison.name, template, ours, theirs, rate["cpu"]))
    print(f"threads {chosen.threads}, batch size of the harness {batch_size}, ", end="")
    print(f"a plain forward pass reads {rate['cpu']:.0f} tokens a CPU second\n")
    print(printed(parities, costs))
    if chosen.json:
        chosen.json.write_text(json.dumps(as_json(parities, costs, rate), indent=1) + "\n")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "tasks", nargs="*", choices=[[], *(each.name for each in COMPARISONS)], metavar="TASK"
    )
    parser.add_argument("--template", choices=("no", "yes", "both"), default="both")
    parser.add_argument("--items", type=int, default=200, help="the first so many of each task")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument(
        "--batch-size", type=int, help="of the harness; without it, the fastest is looked for"
    )
    parser.add_argument("--setting", action="append", default=[], type=_setting, metavar="NAME=VALUE")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--golden", type=Path, metavar="FOLDER")
    parser.add_argument("--fresh", action="store_true", help="run the harness again")
    return parser.parse_args()


def best_batch_size(machine: Machine) -> int:
    """The harness's fastest on the first items of ARC, in CPU seconds."""
    spent = {
        size: peer_run(machine, COMPARISONS[0], False, BATCH_ITEMS, size)["cpu_s"] for size in BATCH_SIZES
    }
    print("batch sizes of the harness, CPU s:", *(f"{n}: {s:.1f}" for n, s in spent.items()), file=sys.stderr)
    return min(spent, key=spent.__getitem__)


def peer_run(
    machine: Machine, comparison: Comparison, template: bool, items: int, batch_size: int
) -> dict[str, Any]:
    rows = comparison.rows(_rows(comparison), items)
    # The folder's name is part of the job, so that a result is kept for these rows and settings alone.
    name = digest([comparison.name, comparison.peer, comparison.settings, rows]).removeprefix("sha256:")[:16]
    folder = machine.cache / "tasks" / f"{comparison.name}-{name}"
    names = write_tasks(comparison, rows, peer_tasks(machine.python), folder)
    job = {
        "tasks": names,
        "folder": str(folder),
        "template": template,
        "limit": None,
        "batch_size": batch_size,
    }
    return machine.peer(job)


def our_run(
    machine: Machine, comparison: Comparison, template: bool, items: int, settings: Mapping[str, str]
) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = write_rows(comparison.rows(_rows(comparison), items), folder / "rows.jsonl")
        task = TASKS / f"{comparison.name}.yaml"
        if comparison.examples_of_peer:
            task = _with_examples_of_peer(machine, comparison, task, folder)
        job = {
            "task": f"{task}:chat" if template else str(task),
            "data": str(rows),
            "model": "hf:smollm2",
            "settings": {**MATCHED, "threads": str(machine.threads), **settings},
            "limit": None,
            "weights": str(machine.weights),
        }
        _child(Path(sys.executable), SCRIPTS / "ours.py", job, folder / "result.json")
        found: dict[str, Any] = json.loads((folder / "result.json").read_bytes())
        return found


def prefill_rate(machine: Machine) -> dict[str, float]:
    command = [sys.executable, str(SCRIPTS / "prefill.py"), str(machine.weights), str(machine.threads)]
    shown = subprocess.run(
        command, check=True, capture_output=True, text=True, env=_environment(machine.threads)
    )
    rate: dict[str, float] = json.loads(shown.stdout)
    return rate


def write_goldens(
    machine: Machine, comparisons: Sequence[Comparison], items: int, batch_size: int, folder: Path
) -> None:
    """The first of the harness's results on `items` rows a task, so that a comparison's results serve."""
    for comparison in comparisons:
        if comparison.examples_of_peer:
            comparison = TRUTHFULQA_BY_ROWS
        kept = comparison.rows(_rows(comparison), GOLDEN_ITEMS)
        for template in (False, True):
            theirs = peer_run(machine, comparison, template, items, batch_size)
            content = golden(theirs, kept, {"batch_size": batch_size, "template": template})
            write_golden(content, folder / f"{comparison.name}{'.chat' if template else ''}.json")
    job = {"texts": long_texts(), "max_length": ROLLING_LENGTH, "batch_size": batch_size}
    theirs = machine.peer(job)
    made_with = {**theirs["versions"], "dtype": "float32", "max_length": ROLLING_LENGTH}
    content = {"made_with": made_with, "tokens": theirs["tokens"], "logprobs": theirs["logprobs"]}
    write_golden(content, folder / "rolling.json")


def _with_examples_of_peer(machine: Machine, comparison: Comparison, task: Path, folder: Path) -> Path:
    """Our task with the harness's own examples in front of the question, and no others."""
    import yaml

    content = yaml.safe_load(task.read_text(encoding="utf-8"))
    content["shots"] = {"n": 0}
    before = prompt_before_question(peer_tasks(machine.python) / comparison.peer[0])
    content["prompt"]["template"] = before + content["prompt"]["template"].removeprefix("Q: ")
    changed = folder / task.name
    changed.write_text(yaml.safe_dump(content), encoding="utf-8")
    return changed


def _rows(comparison: Comparison) -> list[dict[str, Any]]:
    return read_rows(DATA / comparison.data)


def _child(python: Path, script: Path, job: Mapping[str, Any], result: Path) -> None:
    """Run a script on a job in a process of its own, so that its memory is its own."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "job.json"
        file.write_text(json.dumps(job))
        part = result.with_suffix(".part")
        done = subprocess.run(
            [str(python), str(script), str(file), str(part)],
            capture_output=True,
            text=True,
            env=_environment(job.get("threads", 1)),
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"{script.name} failed:\n{done.stderr[-3000:]}")
        part.rename(result)


def _environment(threads: int) -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads)}


def _setting(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, got {text!r}")
    return name, value


if __name__ == "__main__":
    main()
