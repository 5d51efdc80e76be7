"""Numbers for the options of each item, of which one is right; items may have different numbers of
options."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff.stats.arrays import FloatArray, IntArray, as_numbers


def as_options(
    rows: Sequence[ArrayLike], target: Sequence[int], name: str
) -> tuple[FloatArray, NDArray[np.bool_], IntArray]:
    """The rows as a table (items, most options) with 0 in the cells beyond an item's options, which cells are
    options, and the targets.

    Raises:
        ValueError: no items, lengths differ, an item without options, a number that is not finite, or a
            target that is not the index of an option.
    """
    if len(rows) != len(target):
        raise ValueError(
            f"each item needs its target, got {len(rows)} rows of {name} and {len(target)} targets"
        )
    if len(rows) == 0:
        raise ValueError(f"{name} must hold at least one item, got none")
    numbers = [as_numbers(row, f"{name} of item {i}") for i, row in enumerate(rows)]
    sizes = np.array([len(row) for row in numbers])
    shown: NDArray[np.bool_] = np.arange(sizes.max()) < sizes[:, None]
    table = np.zeros(shown.shape)
    table[shown] = np.concatenate(numbers)
    for i, (index, size) in enumerate(zip(target, sizes, strict=True)):
        if index != int(index) or not 0 <= index < size:
            raise ValueError(
                f"the target of item {i} must be the index of one of its {size} options, got {index}"
            )
    return table, shown, np.asarray(target, dtype=np.int64)
