"""Groups of items as whole numbers: clusters, strata."""

from collections.abc import Hashable, Sequence

import numpy as np

from bakeoff.stats.arrays import IntArray


def codes(groups: Sequence[Hashable] | IntArray, n: int, name: str) -> IntArray:
    """A number from 0 for each of the `n` items' groups, all numbers up to the largest in use.

    Raises:
        ValueError: not one group for each item; `name` is for this error.
    """
    if len(groups) != n:
        raise ValueError(f"each value needs its group, got {n} values and {len(groups)} {name}")
    if isinstance(groups, np.ndarray) and groups.dtype.kind in "iu":
        return np.asarray(np.unique(groups, return_inverse=True)[1], dtype=np.int64)
    seen: dict[Hashable, int] = {}
    return np.fromiter((seen.setdefault(group, len(seen)) for group in groups), np.int64, n)
