"""The arrays that statistics work on, and the check every one of them passes first."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


def as_numbers(values: ArrayLike, name: str, *, ndim: int = 1) -> FloatArray:
    """`values` as an array of finite float64 with `ndim` dimensions, none empty; `name` is for errors.

    Raises:
        ValueError: not numbers, a value that is not finite, nothing in it, or another number of dimensions.
    """
    try:
        array: NDArray[Any] = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be numbers in {ndim} dimension(s): {error}") from None
    if array.ndim != ndim:
        raise ValueError(f"{name} must have {ndim} dimension(s), got shape {array.shape}")
    if array.size == 0:
        raise ValueError(f"{name} must hold at least one value, got shape {array.shape}")
    finite = np.isfinite(array)
    if not finite.all():
        raise ValueError(f"{name} must be finite, got {array[~finite][0]}")
    return array
