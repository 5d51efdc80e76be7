"""What numbers bear: pure functions on counts and arrays.

The everyday intervals are here; everything else is imported by its path, `bakeoff.stats.many.ranks` say,
because it loads NumPy. Folders: `mean` (one score), `pair` (two models), `early` (looking while answers come
in), `many` (ranks), `confidence` (calibration), `board` (aggregation), `prompts`, `agreement`, `classes`,
`items`, `retrieval`, `ratings` (votes between pairs).
"""

from bakeoff.stats.interval import Interval
from bakeoff.stats.mean.clustered import clustered, clustered_difference
from bakeoff.stats.mean.proportion import clopper_pearson, clopper_pearson_upper, wilson
from bakeoff.stats.mean.ratio import ratio
from bakeoff.stats.pair.paired import mcnemar_midp, newcombe_paired, tango

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
