"""Rank sets of many models: what they cost, and whether equal models share the first rank.

    python benchmarks/rank_sets.py [MODELS ITEMS]     # at a further size

Two tables: seconds and peak memory from the scores to the sets, by 10,000 draws; and over boards of ten
models that are truly equal, how often all of them have rank 1 in their set at 95 %. Beside ours stand the
rank intervals of honestboard, percentiles of bootstrapped ranks, in an environment of its own. Every figure
is from a process of its own, on the same scores.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

SIZES = ((10, 200), (50, 1_000), (200, 10_000))
EQUAL_MODELS, EQUAL_ITEMS, BOARDS = 10, 200, 200
DRAWS = 10_000
Sets = list[tuple[float, float]]


def main() -> None:
    sizes = [*SIZES, *([(int(sys.argv[1]), int(sys.argv[2]))] if len(sys.argv) > 2 else [])]
    pythons = {"bakeoff": sys.executable, "honestboard": peer_python()}
    print(f"{'models x items':<16} {'method':<12} {'seconds':>8} {'peak MB':>8}")
    for models, items in sizes:
        for method, python in pythons.items():
            found = in_process(python, method, "cost", models, items)
            title = f"{models} x {items:,}"
            print(f"{title:<16} {method:<12} {found['seconds']:>8.2f} {found['peak']:>8.0f}")
    print(
        f"\n{BOARDS} boards of {EQUAL_MODELS} equal models, {EQUAL_ITEMS} items: all have rank 1 in their set"
    )
    for method, python in pythons.items():
        share = in_process(python, method, "coverage", EQUAL_MODELS, EQUAL_ITEMS)["share"]
        print(f"{method:<12} {100 * share:5.1f} % (± {100 * (share * (1 - share) / BOARDS) ** 0.5:.1f})")


def peer_python() -> str:
    from remote_clients import environment

    return str(environment("honestboard==0.6.1") / "python")


def in_process(python: str, *arguments: object) -> dict[str, float]:
    command = [python, str(Path(__file__)), "--child", *map(str, arguments)]
    found: dict[str, float] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return found


def child(method: str, what: str, models: int, items: int) -> dict[str, float]:
    sets = METHODS[method]()
    if what == "cost":
        sets(next(boards(np.linspace(-1.5, 1.5, 3), 100)))  # warm up: what is imported late
        scores = next(boards(np.linspace(-1.5, 1.5, models), items))
        begun = time.perf_counter()
        sets(scores)
        seconds = time.perf_counter() - begun
        return {"seconds": seconds, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}
    equal = boards(np.zeros(models), items)
    return {"share": sum(all(low <= 1 for low, _ in sets(next(equal))) for _ in range(BOARDS)) / BOARDS}


def boards(ability: Any, items: int) -> Iterator[Any]:
    """Right and wrong answers (models, items); items vary in hardness, so models go up and down together."""
    random = np.random.default_rng(1)
    while True:
        chance = 1 / (1 + np.exp(random.normal(0, 1.5, items) - ability[:, None]))
        yield (random.random(chance.shape) < chance).astype(float)


def bakeoff() -> Callable[[Any], Sets]:
    from bakeoff.stats.many.covariance import degrees_of_freedom, mean_covariance
    from bakeoff.stats.many.ranks import rank_sets

    def sets(scores: Any) -> Sets:
        covariance = mean_covariance(scores)
        assert covariance is not None
        df = degrees_of_freedom(scores.shape[1])
        found = rank_sets(scores.mean(axis=1), covariance, df=df, draws=DRAWS)
        return [(ranks.low, ranks.high) for ranks in found]

    return sets


def honestboard() -> Callable[[Any], Sets]:
    from honestboard import Board

    def sets(scores: Any) -> Sets:
        names = [f"model {number}" for number in range(len(scores))]
        return [(row["rank_lo"], row["rank_hi"]) for row in Board(names, scores).rank_summary(B=DRAWS)]

    return sets


METHODS: dict[str, Callable[[], Callable[[Any], Sets]]] = {"bakeoff": bakeoff, "honestboard": honestboard}


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        method, what, models, items = sys.argv[2:]
        print(json.dumps(child(method, what, int(models), int(items))))
    else:
        main()
