"""Compare many large runs: prints the seconds of each phase, after start-up, and the peak memory.

    python benchmarks/compare_runs.py [RUNS] [ITEMS] [--groups N] [--graded]     # 20 runs of 14,042 items

The runs are written straight through the store: manifests, journals, compaction. No model answers. Candidates
share the difficulty of the items, as models do; with --groups items come in groups, with --graded scores are
shares of 1 instead of right or wrong.
"""

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import orjson

from bakeoff import __version__
from bakeoff.nouns import Outcome, Response, Sample, Score, Turn
from bakeoff.store import Manifest, ModelRecord, Settings, TaskRecord, compact, to_row, write_manifest

DATA = "sha256:" + "0" * 64


def manifest(run_id: str, model: str, items: int) -> Manifest:
    return Manifest(
        run_id=run_id,
        status="complete",
        created="2026-01-01T00:00:00+00:00",
        bakeoff=__version__,
        task=TaskRecord(
            name="synthetic",
            version=1,
            ref="synthetic",
            digest=DATA,
            parts={"data": DATA},
            ask="generate",
            scorer="choice",
            n_items=items,
            chance=0.25,
        ),
        model=ModelRecord(ref=model, identity={"engine": "none", "name": model}),
        settings=Settings(),
        counts={"total": items, "scored": items},
    )


def write_run(out: Path, number: int, items: int, groups: int, graded: bool) -> Path:
    """A finished run whose ability grows with its number, a point for each."""
    model = f"model-{number:02}"
    folder = out / "synthetic" / model / f"20260101T000000Z-{number:06x}"
    folder.mkdir(parents=True)
    draw, ability = random.Random(number), 0.55 + 0.01 * number
    with (folder / "journal-0.jsonl").open("wb") as file:
        for item in range(items):
            # The low bits of a multiplicative hash: the difficulty of an item is the same in every run.
            difficulty = (item * 2654435761 % 2**32) / 2**32
            right = 0.7 * difficulty + 0.3 * draw.random() < ability
            value = (
                round(draw.uniform(0.5, 1) if right else draw.uniform(0, 0.5), 3) if graded else float(right)
            )
            sample = Sample(
                item_id=f"q{item:06}",
                repeat=0,
                group=f"g{item % groups}" if groups else None,
                choices=("one thing", "another", "a third", "none of these"),
                target=0,
                continuations=(),
                shots=(),
                seed=0,
                turns=(Turn("What is it? " * 20, Response(text="The answer is (A). " * 10)),),
                score=Score(Outcome.SCORED, value, "A", "explicit", "choice"),
                item_digest=f"sha256:{item:064x}",
            )
            file.write(orjson.dumps(to_row(sample, 0.0)) + b"\n")
    record = compact(folder)
    done = manifest(folder.name, model, items)
    write_manifest(folder, done.model_copy(update={"files": {"samples.parquet": record}}))
    return folder


def measure(folders: list[Path]) -> None:
    """In a fresh process: what a comparison takes once everything is imported."""
    begun = time.perf_counter()
    import duckdb  # noqa: F401

    from bakeoff.comparison import align, runs
    from bakeoff.stats.pair import power  # noqa: F401

    print(f"start-up (imports)          {time.perf_counter() - begun:6.2f} s")
    spent: dict[str, float] = {}

    def timed(module, name, title):
        inner = getattr(module, name)

        def outer(*args, **kwargs):
            started = time.perf_counter()
            try:
                return inner(*args, **kwargs)
            finally:
                spent[title] = spent.get(title, 0.0) + time.perf_counter() - started

        setattr(module, name, outer)

    timed(align, "lineup", "read manifests, sort runs")
    timed(align, "run_values", "read scores")
    timed(runs, "align", "align, in all")
    timed(runs, "standings", "scores, ranks")
    timed(runs, "pair_tests", "tests of all pairs")
    timed(runs, "told_apart", "who is told apart")
    timed(runs, "pair", "pairs against the leader")
    timed(runs, "disagreements", "items to read")
    begun, busy = time.perf_counter(), time.process_time()
    found = runs.compare(folders)
    total, busy = time.perf_counter() - begun, time.process_time() - busy
    for title, seconds in spent.items():
        print(f"{title:<27} {seconds:6.2f} s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{len(folders)} runs × {found.n:,} items      {total:6.2f} s ({busy:.2f} s of processor time); "
        f"peak memory {peak:.0f} MB, {os.cpu_count()} cores"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("runs", nargs="?", type=int, default=20)
    parser.add_argument("items", nargs="?", type=int, default=14_042)
    parser.add_argument("--groups", type=int, default=0)
    parser.add_argument("--graded", action="store_true")
    parser.add_argument("--in", dest="folder", type=Path, help="runs written earlier, or the folder for them")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.measure:
        measure(sorted(chosen.folder.glob("*/*/*")))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = chosen.folder or Path(name)
        if not any(folder.glob("*/*/*")):
            for number in range(chosen.runs):
                write_run(folder, number, chosen.items, chosen.groups, chosen.graded)
        subprocess.run([sys.executable, __file__, "--measure", "--in", str(folder)], check=True)
        begun = time.perf_counter()
        bakeoff = Path(sys.executable).with_name("bakeoff")
        runs = map(str, folder.glob("*/*/*"))
        subprocess.run([str(bakeoff), "compare", *runs], check=True, capture_output=True)
        print(f"the command, in all         {time.perf_counter() - begun:6.2f} s")


if __name__ == "__main__":
    main()
