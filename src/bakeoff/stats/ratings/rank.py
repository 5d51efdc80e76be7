"""Which ranks each rated model may have, for all of them together."""

import numpy as np

from bakeoff.stats.many.ranks import RankSet, rank_sets
from bakeoff.stats.ratings.fit import Fit


def rank_ranges(
    fit: Fit, *, level: float = 0.95, draws: int = 10_000, seed: int = 0
) -> tuple[RankSet | None, ...]:
    """The ranks each model may have among the rated ones; None for a model that is not rated.

    With probability `level` all ranges hold at once, so no model is understated and none overstated. From
    differences of strengths, which are better known than the strengths: two models whose intervals overlap
    can be told apart all the same. `rank_sets` says how.

    Raises:
        ValueError: level outside (0, 1), or fewer than 100 draws.
    """
    rated = fit.rated
    ranges: list[RankSet | None] = [None] * len(rated)
    if rated.any():
        found = rank_sets(
            fit.strength[rated],
            fit.covariance[np.ix_(rated, rated)],
            level=level,
            df=fit.df,
            draws=draws,
            seed=seed,
        )
        for model, ranks in zip(np.flatnonzero(rated), found, strict=True):
            ranges[model] = ranks
    return tuple(ranges)
