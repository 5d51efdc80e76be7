"""How steadily the machine computes while something else is measured on it.

A process of its own does the same small piece of work a hundred times a second, which takes a hundredth of a
processor. On a machine that is shared with others some pieces take many times as long as the rest: work that
is many times longer than a piece meets such moments more often, and has them in its tail.
"""

import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

import numpy as np
from numpy.typing import NDArray

SLOW = 5.0
"""A piece is slow that took so many times as long as the median."""
_PAUSE_S = 0.01
_STEPS = 2_000


class Unrest:
    """When each piece began, by `time.perf_counter`, and the seconds it took; once the block has ended."""

    def __init__(self) -> None:
        self.began = np.zeros(0)
        self.took = np.zeros(0)

    def slow_between(self, first: NDArray[np.float64], last: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Whether a slow piece began in each of these spans of time."""
        slow = np.append(self.began[self.took > SLOW * np.median(self.took)], np.inf)
        return slow[np.searchsorted(slow, first)] < last

    def __str__(self) -> str:
        median, tail = np.quantile(self.took, (0.5, 0.95)) * 1e3
        slow = float(np.mean(self.took * 1e3 > SLOW * median))
        return (
            f"a small piece of work took {median:.2f} ms at the same time, p95 {tail:.2f}; "
            f"{slow:.1%} of {len(self.took):,} took over {SLOW:g} times as long"
        )


@contextmanager
def unrest() -> Iterator[Unrest]:
    """Watch the machine until the block ends."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=_watch, args=(theirs,), daemon=True)
    process.start()
    ours.recv()
    found = Unrest()
    try:
        yield found
    finally:
        ours.send("stop")
        found.began, found.took = np.array(ours.recv()).reshape(-1, 2).T
        process.join()


def _watch(pipe: Connection) -> None:
    pieces: list[tuple[float, float]] = []
    pipe.send("ready")
    while not pipe.poll(_PAUSE_S):
        began = time.perf_counter()
        _work()
        pieces.append((began, time.perf_counter() - began))
    pipe.send(pieces)


def _work() -> int:
    total = 0
    for number in range(_STEPS):
        total += number * number
    return total
