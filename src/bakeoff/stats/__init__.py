"""What numbers bear: pure functions on counts and arrays."""

from bakeoff.stats.clustered import clustered, clustered_difference
from bakeoff.stats.interval import Interval
from bakeoff.stats.paired import mcnemar_midp, newcombe_paired, tango
from bakeoff.stats.proportion import clopper_pearson, clopper_pearson_upper, wilson
from bakeoff.stats.ratio import ratio

__all__ = [
    "Interval",
    "clopper_pearson",
    "clopper_pearson_upper",
    "clustered",
    "clustered_difference",
    "mcnemar_midp",
    "newcombe_paired",
    "ratio",
    "tango",
    "wilson",
]
