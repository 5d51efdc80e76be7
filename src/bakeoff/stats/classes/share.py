"""A share of items, and its interval, where items may come in groups."""

from dataclasses import dataclass

import numpy as np

from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.interval import Interval
from bakeoff.stats.mean.clustered import cluster_se, clustered, effective_groups
from bakeoff.stats.mean.proportion import clopper_pearson


@dataclass(frozen=True, slots=True)
class Rate:
    """`count` of `of` items, their share and its interval. At another prevalence than that of the items, the
    share is not count / of.
    """

    value: float
    interval: Interval
    count: int
    of: int


def share(hits: FloatArray, clusters: IntArray | None, level: float) -> Rate | None:
    """The share of ones among `hits`, all 0 or 1: Clopper-Pearson, or `clustered` where any two items share a
    group. Of one group alone nothing is known of others, and the interval is [0, 1]. None without items.
    """
    if not len(hits):
        return None
    count, of = int(hits.sum()), len(hits)
    if clusters is None or len(np.unique(clusters)) == of:
        return Rate(count / of, clopper_pearson(count, of, level), count, of)
    interval = clustered(hits, clusters, level) or Interval(0.0, 1.0, level, "one group")
    return Rate(count / of, interval, count, of)


def effective_n(values: FloatArray, clusters: IntArray) -> float:
    """How many independent items would tell the mean of `values` as well: n over the design effect, which is
    at least 1; the effective number of groups where values do not vary.
    """
    n = len(values)
    spread = float(((values - values.mean()) ** 2).sum())
    if spread < 1e-18:
        return effective_groups(clusters)
    error = cluster_se(values, clusters, "cr2")
    return 1.0 if error is None else min(float(n), spread / (n - 1) / error**2) if n > 1 else 1.0
