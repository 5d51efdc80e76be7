"""Which items are kept apart from which: what is chosen on some is judged on others."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from bakeoff.seed import item_seed
from bakeoff.stats.arrays import IntArray

FOLDS = 10


def folds(kind: IntArray, units: Sequence[str], task: str) -> IntArray:
    """The fold, from 0, of each item.

    Units stay whole, and those of each `kind` (the highest of their items) are spread evenly over `FOLDS`
    folds, in an order drawn by a hash of the task's name and the unit: neither the order of the items nor the
    number of workers matters.
    """
    holds: defaultdict[str, int] = defaultdict(int)
    for unit, label in zip(units, kind.tolist(), strict=True):
        holds[unit] = max(holds[unit], label)
    order = sorted(holds, key=lambda unit: (holds[unit], item_seed(0, task, unit, "threshold"), unit))
    fold = {unit: place % FOLDS for place, unit in enumerate(order)}
    return np.array([fold[unit] for unit in units], dtype=np.int64)
