"""How often a model beats another, over the tasks of a board.

Both numbers depend on which models are in the table. Removing one, or adding a poor copy of a rival, can turn
the order of two others round (they violate the independence of irrelevant alternatives), which a comparison
of the two on the same items never does. Show them with the list of models they were computed on, and do not
rank by them alone.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff.stats.arrays import FloatArray
from bakeoff.stats.board.table import as_complete, as_table
from bakeoff.stats.midranks import midranks


def mean_win_rate(scores: ArrayLike) -> tuple[float | None, ...]:
    """Mean over tasks of the share of other models that a model beats, ties counting half (HELM: Liang et al.
    2022, arXiv 2211.09110).

    `scores` (models, tasks), higher is better (negate a loss), NaN or None where missing. A missing cell
    leaves the model out of that task, as in HELM: models may be judged on different tasks. None for a model
    that shares no task with another.

    Raises:
        ValueError: not a table, an infinite score, or models that fall into sets without a task in common, by
            links of shared tasks: their win rates are against different models, and say nothing of each
            other.
    """
    table = as_table(scores)
    _check_connected(~np.isnan(table))
    rates = np.full(table.shape, np.nan)
    for column, rate in zip(table.T, rates.T, strict=True):
        present = ~np.isnan(column)
        if present.sum() > 1:
            rate[present] = _beaten(column[present]) / (present.sum() - 1)
    judged = ~np.isnan(rates)
    return tuple(
        float(np.sort(row[some]).mean()) if some.any() else None
        for row, some in zip(rates, judged, strict=True)
    )


def borda(scores: ArrayLike) -> tuple[float, ...]:
    """Borda's points: over all tasks, how many models a model beats, ties counting half.

    `scores` (models, tasks), complete, higher is better. (models - 1) x tasks x `mean_win_rate`.

    Raises:
        ValueError: not a table, an infinite score, or a missing cell.
    """
    table = as_complete(scores)
    points: FloatArray = np.sum([_beaten(column) for column in table.T], axis=0)
    return tuple(points.tolist())


def _check_connected(judged: NDArray[np.bool_]) -> None:
    """Refuse a table in which two models that share tasks with others are not linked to one another."""
    rivals = judged[:, judged.sum(axis=0) > 1]
    playing = np.flatnonzero(rivals.any(axis=1))
    if not len(playing):
        return
    linked, before = {int(playing[0])}, 0
    while len(linked) > before:
        before = len(linked)
        tasks = rivals[sorted(linked)].any(axis=0)
        linked |= {int(model) for model in np.flatnonzero(rivals[:, tasks].any(axis=1))}
    apart = [int(model) for model in playing if int(model) not in linked]
    if apart:
        raise ValueError(
            f"models {apart} share no task, directly or through others, with model {playing[0]}: "
            "their win rates cannot be compared"
        )


def _beaten(column: FloatArray) -> FloatArray:
    """How many of the others each score is above, ties counting half."""
    return midranks(column) - 1
