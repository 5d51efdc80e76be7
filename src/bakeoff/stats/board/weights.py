"""How much the first place depends on the weights of the tasks."""

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import FloatArray
from bakeoff.stats.board.table import as_complete

# Totals computed at a time: 32 MB.
_AT_ONCE = 4_000_000


def weight_robustness(scores: ArrayLike, *, draws: int = 10_000, seed: int = 0) -> FloatArray:
    """For each model, the share of all weightings of the tasks under which its weighted mean is the highest.

    `scores` (models, tasks), complete, in units that may be averaged. The weightings are uniform on the
    simplex (Dirichlet(1, ..., 1)). Models with the same scores on all tasks share their part equally; the
    shares sum to 1. By simulation, with a standard error of at most 0.5 / sqrt(draws). The order of the
    models has no influence; nor has that of the tasks, except that two tasks holding the same set of values
    may exchange their draws.

    Raises:
        ValueError: not a table, an infinite or missing score, or draws < 1.
    """
    if draws < 1:
        raise ValueError(f"draws must be at least 1, got {draws}")
    table = as_complete(scores)
    # The draws belong to places, so tasks and then models are first put into an order of their own.
    by_values = np.lexsort(np.sort(table, axis=0)[::-1])
    distinct, which, copies = np.unique(table[:, by_values], axis=0, return_inverse=True, return_counts=True)
    random = np.random.default_rng(seed)
    first = np.zeros(len(distinct))
    rows = max(1, _AT_ONCE // len(distinct))
    for done in range(0, draws, rows):
        # Dirichlet weights are exponentials over their sum, and the sum does not change who is first.
        weights = random.standard_exponential((min(rows, draws - done), table.shape[1]))
        first += np.bincount((weights @ distinct.T).argmax(axis=1), minlength=len(distinct))
    shares: FloatArray = (first / copies / draws)[which.ravel()]
    return shares
