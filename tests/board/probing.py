"""Someone who learns private answers from what is told of submissions, without ever seeing an item."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Answers = NDArray[np.int64]
Told = Callable[[NDArray[np.float64]], float]


def probe(truth: Answers, tell: Told, submissions: int, seed: int) -> float:
    """The true score, on the private items, of what is learnt from `submissions` random ones: the boosting
    attack of Blum and Hardt 2015.

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


def climb(
    truth: Answers, improves: Callable[[NDArray[np.float64]], bool], submissions: int, changed: int, seed: int
) -> float:
    """The true score of what is learnt by changing so many answers at random each time, and keeping the
    change whenever the submission is said to improve on the best before.
    """
    random = np.random.default_rng(seed)
    best = random.integers(0, 2, len(truth))
    improves((best == truth).astype(float))
    for _ in range(submissions - 1):
        tried = best.copy()
        tried[random.choice(len(truth), changed, replace=False)] ^= 1
        if improves((tried == truth).astype(float)):
            best = tried
    return float((best == truth).mean())
