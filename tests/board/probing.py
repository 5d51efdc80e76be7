"""Someone who learns private answers from the scores alone (the boosting attack of Blum and Hardt 2015)."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Answers = NDArray[np.int64]
Told = Callable[[NDArray[np.float64]], float]


def probe(truth: Answers, tell: Told, submissions: int, seed: int) -> float:
    """The true score, on the private items, of what is learnt from `submissions` random ones.

    Each is right or wrong at random on binary questions. Those that are told to score above 1/2 are kept, and
    the majority of them is the answer. Chance is 1/2; what exceeds it was learnt from the scores.
    """
    random = np.random.default_rng(seed)
    votes = np.zeros(len(truth))
    for _ in range(submissions):
        guess = random.integers(0, 2, len(truth))
        told = tell((guess == truth).astype(float))
        if told > 0.5:
            votes += 2 * guess - 1
    ties = random.integers(0, 2, len(truth))
    learnt = np.where(votes == 0, ties, votes > 0)
    return float((learnt == truth).mean())
