"""One number from several tasks: normalised scores and their weighted mean."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import FloatArray, as_numbers
from bakeoff.stats.board.table import as_table


@dataclass(frozen=True, slots=True, eq=False)
class Aggregate:
    """Weighted means over tasks, one for each model; None for a model that a task is missing for.

    `standard_error` is None where the mean is, or where no errors were given. `covariance` is that of the
    means of the `complete` models (their row numbers), in that order: for paired comparisons, where the given
    covariances are paired.
    """

    mean: tuple[float | None, ...]
    standard_error: tuple[float | None, ...]
    complete: tuple[int, ...]
    covariance: FloatArray | None


def normalised(score: ArrayLike, floor: ArrayLike, ceiling: ArrayLike = 1.0) -> FloatArray:
    """(score - floor) / (ceiling - floor): 0 at the floor (chance, say), 1 at the ceiling.

    Signed: a score below the floor is negative, which clipping at 0 would hide while lifting the mean of weak
    models. Clip, if at all, what is displayed and never before a mean or an interval. A task whose subtasks
    have different floors is normalised by subtask, then averaged. The same map applies to the limits of an
    interval, and a standard error is divided by ceiling - floor. Arguments broadcast; single numbers give an
    array without dimensions.

    Raises:
        ValueError: no score, a number that is not finite, or a ceiling not above its floor.
    """
    values, floors, ceilings = (np.asarray(x, dtype=np.float64) for x in (score, floor, ceiling))
    for name, array in (("score", values), ("floor", floors), ("ceiling", ceilings)):
        if array.size == 0:
            raise ValueError(f"{name} must hold at least one value, got none")
        if not np.isfinite(array).all():
            raise ValueError(f"{name} must be finite, got {array[~np.isfinite(array)].flat[0]}")
    if not (ceilings > floors).all():
        raise ValueError(f"the ceiling must be above the floor, got floor {floors} and ceiling {ceilings}")
    shares: FloatArray = np.asarray((values - floors) / (ceilings - floors))
    return shares


def weighted_mean(
    scores: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    standard_errors: ArrayLike | None = None,
    covariances: ArrayLike | None = None,
) -> Aggregate:
    """Mean over tasks of the scores (models, tasks), by weights of the tasks (equal unless given).

    A missing cell (NaN or None) is neither 0 nor left out, which would compare models on different tasks: the
    model has no mean, unless the task's weight is 0.

    The error of a mean is that of sampling the tasks' items; the tasks themselves are taken as they are, and
    as independent of each other. Give either `standard_errors` (models, tasks), which take the models as
    independent too, or `covariances` (tasks, models, models), the covariance of the models' scores within
    each task: C = Σ_t w_t² C_t.

    Raises:
        ValueError: a score that is infinite, weights that are negative, all 0 or not one for each task,
            errors of another shape, negative or missing where a score is not, or both kinds of error.
    """
    table = as_table(scores)
    models, tasks = table.shape
    shares = _shares(weights, tasks)
    if standard_errors is not None and covariances is not None:
        raise ValueError("give standard_errors or covariances, not both")
    used = shares > 0
    present = ~np.isnan(table[:, used]).any(axis=1)
    complete = np.flatnonzero(present)
    means = table[np.ix_(complete, used)] @ shares[used]
    covariance: FloatArray | None = None
    if standard_errors is not None:
        errors = as_table(standard_errors, "standard_errors")
        if errors.shape != table.shape:
            raise ValueError(
                f"standard_errors must have the shape of scores {table.shape}, got {errors.shape}"
            )
        inner = errors[np.ix_(complete, used)]
        if not (inner >= 0).all():
            raise ValueError(f"a standard error must be at least 0, got {inner[~(inner >= 0)][0]}")
        covariance = np.diag(inner**2 @ shares[used] ** 2)
    elif covariances is not None:
        given = np.asarray(covariances, dtype=np.float64)
        if given.shape != (tasks, models, models):
            raise ValueError(f"covariances must have shape {(tasks, models, models)}, got {given.shape}")
        inner = given[np.ix_(used, complete, complete)]
        if not np.isfinite(inner).all():
            raise ValueError(f"a covariance must be finite, got {inner[~np.isfinite(inner)][0]}")
        covariance = np.einsum("t,tij->ij", shares[used] ** 2, inner)
        if (np.diag(covariance) < 0).any():
            raise ValueError(f"a variance must be at least 0, got {np.diag(covariance).min()}")
    place = {int(model): i for i, model in enumerate(complete)}
    variances = None if covariance is None else np.diag(covariance).tolist()
    return Aggregate(
        mean=tuple(float(means[place[m]]) if m in place else None for m in range(models)),
        standard_error=tuple(
            sqrt(variances[place[m]]) if m in place and variances is not None else None for m in range(models)
        ),
        complete=tuple(place),
        covariance=covariance,
    )


def _shares(weights: ArrayLike | None, tasks: int) -> FloatArray:
    if weights is None:
        return np.full(tasks, 1 / tasks)
    given = as_numbers(weights, "weights")
    if len(given) != tasks:
        raise ValueError(f"each of the {tasks} tasks needs its weight, got {len(given)} weights")
    if (given < 0).any():
        raise ValueError(f"a weight must be at least 0, got {given.min()}")
    if not given.any():
        raise ValueError("weights must not all be 0")
    shares: FloatArray = given / given.sum()
    return shares
