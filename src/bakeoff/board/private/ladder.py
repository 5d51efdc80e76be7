"""Scores on private answers, released so that they cannot be used to learn the answers.

Who may submit a thousand times and is told each score exactly can fit the private set without ever seeing it:
keep the random guesses that scored above chance and take their majority. Rounding does not prevent it. The
Ladder (Blum and Hardt 2015, arXiv:1502.04585) tells only of improvements of more than a step; all else gets
the best score so far. Their variant without a step, which tells of whatever exceeds its own noise, does not
hold against someone who changes two answers at a time and keeps what counts: both right is always more than
noise.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Release:
    """What a submitter is told: `score` in [0, 1], and whether it is that of this submission (`improved`).

    Otherwise it is the best that was released to them before, 0 if there was none.
    """

    score: float
    improved: bool


def release(scores: Sequence[float], best: Sequence[float] | None, told: float = 0.0) -> Release:
    """What to tell of a submission with these `scores`, one in [0, 1] for each item.

    `best` are the item scores of the submission whose score, `told`, was released last; None for a first
    submission. An improvement counts where the mean difference exceeds a step: 1/√n, as large as the standard
    error of a difference paired by item can be. The score is rounded to whole steps, so that there are √n
    improvements at most.

    Raises:
        ValueError: no items, not as many as before, or a score outside [0, 1].
    """
    now = _checked(scores)
    if best is None:
        return Release(rounded(float(now.mean()), len(now)), improved=True)
    before = _checked(best)
    if len(before) != len(now):
        raise ValueError(f"a submission has {len(now)} scores, and the best before it {len(before)}")
    # As much as a step is none, but for the last digit.
    if (now - before).mean() <= (1 + 1e-9) / _steps(len(now)):
        return Release(told, improved=False)
    return Release(rounded(float(now.mean()), len(now)), improved=True)


def rounded(score: float, n: int) -> float:
    """A score to the nearest multiple of 1/√n: 0.02 for 2,500 items; n items cannot tell finer ones apart.

    Raises:
        ValueError: n < 1.
    """
    if n < 1:
        raise ValueError(f"a score is over at least one item, got n={n}")
    return round(score * _steps(n)) / _steps(n)


def _steps(n: int) -> int:
    """How many steps there are from 0 to 1."""
    return max(1, round(sqrt(n)))


def _checked(scores: Sequence[float]) -> NDArray[np.float64]:
    values = np.asarray(scores, dtype=np.float64)
    if values.size == 0:
        raise ValueError("a submission without items has no score")
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError("each item's score must lie in [0, 1]")
    return values
