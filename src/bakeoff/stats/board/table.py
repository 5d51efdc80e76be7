"""Tables of scores, a row for each model and a column for each task, in which cells may be missing."""

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import FloatArray


def as_table(scores: ArrayLike, name: str = "scores") -> FloatArray:
    """`scores` as an array (models, tasks), NaN where a cell is missing (NaN or None).

    Raises:
        ValueError: not numbers in two dimensions, no cells, or an infinite value.
    """
    try:
        table = np.array(scores, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be a table of numbers: {error}") from None
    if table.ndim != 2 or table.size == 0:
        raise ValueError(
            f"{name} must have a row for each model and a column for each task, got {table.shape}"
        )
    if np.isinf(table).any():
        raise ValueError(f"{name} must be finite or missing, got {table[np.isinf(table)][0]}")
    return table


def as_complete(scores: ArrayLike, name: str = "scores") -> FloatArray:
    """`as_table` without missing cells.

    Raises:
        ValueError: as there, or a cell is missing; it is named by row and column from 0.
    """
    table = as_table(scores, name)
    missing = np.argwhere(np.isnan(table))
    if len(missing):
        row, column = missing[0]
        raise ValueError(f"{name} must be complete, but that of model {row} on task {column} is missing")
    return table
