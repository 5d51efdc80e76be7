"""A snapshot of a large board: seconds and memory to rank it, write it as JSON and name it by its digest.

Usage: python benchmarks/board_snapshot.py [--models 5000] [--tasks 40]
"""

import argparse
import resource
import time

import numpy as np

from bakeoff.board.ranking.difference import differences
from bakeoff.board.ranking.snapshot import Entrant, Snapshot, ranked
from bakeoff.board.scores import Scores, Value


def main() -> None:
    """Print a line for each step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=5000)
    parser.add_argument("--tasks", type=int, default=40)
    asked = parser.parse_args()
    random = np.random.default_rng(0)
    entrants = [_entrant(number, asked.tasks, random) for number in range(asked.models)]
    begun = time.perf_counter()
    old = Snapshot("large", 1, "sha256:rule", 0.95, "2026-01-01T00:00:00+00:00", "", ranked(entrants[:-1]))
    ranks = time.perf_counter()
    new = Snapshot("large", 1, "sha256:rule", 0.95, "2026-01-02T00:00:00+00:00", "", ranked(entrants))
    name = new.digest
    named = time.perf_counter()
    changes = differences(old, new)
    ended = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    separate = sum(row.low == row.high for row in new.rows)
    print(f"{asked.models:,} models, {asked.tasks} tasks: {name[:19]}…")
    print(f"ranked         {ranks - begun:6.2f} s")
    print(f"again, named   {named - ranks:6.2f} s")
    print(f"compared       {ended - named:6.2f} s, {len(changes):,} lines")
    print(f"peak memory    {peak:6.0f} MB")
    print(f"{separate:,} rows have one rank, the others a range")


def _entrant(number: int, tasks: int, random: np.random.Generator) -> Entrant:
    ability = random.normal(0.5, 0.12)
    columns = {f"suite/task {task}": _value(ability + random.normal(0, 0.1)) for task in range(tasks)}
    mean = sum(each.value or 0.0 for each in columns.values()) / tasks
    scores = Scores(Value(mean, mean - 0.005, mean + 0.005, 500 * tasks), columns)
    return Entrant(
        submission=number,
        organisation=f"org{number % 700}",
        model=f"org{number % 700}/model-{number}",
        revision=f"{number:040x}",
        precision="bfloat16",
        licence="apache-2.0",
        parameters=7.0,
        provenance="measured",
        first_seen="2026-01-01T00:00:00+00:00",
        attempt=1,
        attempts=1,
        state="published",
        scores=scores,
    )


def _value(mean: float) -> Value:
    return Value(mean, mean - 0.04, mean + 0.04, 500)


if __name__ == "__main__":
    main()
