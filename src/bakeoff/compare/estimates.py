"""A mean score with its interval."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bakeoff.run import Estimate
from bakeoff.stats import clustered, wilson


def estimate(values: NDArray[np.float64], clusters: Sequence[str] | None, level: float) -> Estimate:
    """The mean of scores in [0, 1], one per item, with Wilson's interval or, in groups, the clustered one.

    `clusters` holds the group of each item. As in a run's report: partial scores vary no more than right or
    wrong ones with the same mean, so for them the interval is, if anything, too wide.
    """
    n = len(values)
    if n == 0:
        return Estimate(None, None, 0, note="no item has a score")
    mean = float(values.mean())
    if clusters is None:
        # Rounding must not carry a sum of ones past n.
        return Estimate(mean, wilson(min(n, float(values.sum())), n, level), n)
    interval = clustered(values.tolist(), clusters, level)
    note = "" if interval else "not estimable: all items are in one group"
    return Estimate(mean, interval, n, len(set(clusters)), note)
