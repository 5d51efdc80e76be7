"""Which ranks a model may have: confidence sets that hold for all models together.

Mogstad, Romano, Shaikh & Wilhelm 2024 (Review of Economic Studies 91:476). A model's true rank is 1 + the
number of models that are truly better; truly equal ones hold all the places from there to the number of
models less those truly worse. One-sided tests of all ordered pairs, step-down by the largest t, say which
models are better than which; a model's set is then [1 + those shown better, models - those shown worse].

With probability `level` at least all of these statements are true at once, so all the sets contain their
models' true ranks. Percentile intervals of bootstrapped ranks do not do that: among equal models each
resample makes some first and some last. Models with the very same scores share a set.
"""

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff.stats.arrays import as_numbers
from bakeoff.stats.interval import check_level
from bakeoff.stats.many.covariance import pair_differences
from bakeoff.stats.many.deviations import deviations
from bakeoff.stats.many.maxt import check_model, shown


@dataclass(frozen=True, slots=True)
class RankSet:
    """The ranks from `low` to `high`, both included; 1 is the best."""

    low: int
    high: int


def rank_sets(
    means: ArrayLike,
    covariance: ArrayLike,
    *,
    level: float = 0.95,
    df: float = inf,
    draws: int = 10_000,
    seed: int = 0,
) -> tuple[RankSet, ...]:
    """A set of ranks for each model, in the order of `means`; together they hold with probability `level`.

    `means` (models,), higher is better, and their `covariance` (models, models) as from `mean_covariance`: on
    the same items, since without what they share the sets are too wide. `df` as from `degrees_of_freedom`.
    One model alone has [1, 1]. Limits may move by 1 with the seed.

    Raises:
        ValueError: no finite means, a covariance that is none, models that differ with a standard error of 0,
            level outside (0, 1), df not above 0, or fewer than 100 draws.
    """
    family = ~np.eye(len(as_numbers(means, "means")), dtype=bool)
    better = _shown_better(means, covariance, family, level, df, draws, seed)
    return tuple(
        RankSet(1 + int(above), len(better) - int(below))
        for above, below in zip(better.sum(axis=0), better.sum(axis=1), strict=True)
    )


def marginal_rank_set(
    means: ArrayLike,
    covariance: ArrayLike,
    model: int,
    *,
    level: float = 0.95,
    df: float = inf,
    draws: int = 10_000,
    seed: int = 0,
) -> RankSet:
    """A set of ranks for one model chosen before the scores were seen; no wider, in general, than among
    `rank_sets`, because it holds with probability `level` for this model alone.

    Raises:
        ValueError: as for `rank_sets`, or a model that is not there.
    """
    models = len(as_numbers(means, "means"))
    check_model(model, models)
    family = np.zeros((models, models), dtype=bool)
    family[model] = family[:, model] = True
    better = _shown_better(means, covariance, family, level, df, draws, seed)
    return RankSet(1 + int(better[:, model].sum()), models - int(better[model].sum()))


def best_set(
    means: ArrayLike,
    covariance: ArrayLike,
    tau: int = 1,
    *,
    level: float = 0.95,
    df: float = inf,
    draws: int = 10_000,
    seed: int = 0,
) -> tuple[bool, ...]:
    """Which models may be among the `tau` best: with probability `level` all that truly are, are among these.

    The models whose set in `rank_sets` begins at `tau` or before. With upper limits left aside the tests are
    the same ones, since of two ordered pairs one is the other's mirror. Equal models all count as best.

    Raises:
        ValueError: as for `rank_sets`, or tau outside 1 to the number of models.
    """
    models = len(as_numbers(means, "means"))
    if not 1 <= tau <= models:
        raise ValueError(f"tau lies between 1 and the number of models, {models}, got {tau}")
    sets = rank_sets(means, covariance, level=level, df=df, draws=draws, seed=seed)
    return tuple(ranks.low <= tau for ranks in sets)


def _shown_better(
    means: ArrayLike,
    covariance: ArrayLike,
    family: NDArray[np.bool_],
    level: float,
    df: float,
    draws: int,
    seed: int,
) -> NDArray[np.bool_]:
    """For which ordered pairs of `family` the row is shown to be better than the column."""
    check_level(level)
    mean, sigma = as_numbers(means, "means"), as_numbers(covariance, "covariance", ndim=2)
    difference, se = pair_differences(mean, sigma)
    noise = deviations(mean, sigma, draws=draws, seed=seed)
    return shown(difference, se, family & (se > 0), noise, df=df, alpha=1 - level)
