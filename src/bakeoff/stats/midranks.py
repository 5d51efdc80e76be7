"""Ranks of numbers among themselves."""

import numpy as np

from bakeoff.stats.arrays import FloatArray, IntArray


def midranks(values: FloatArray) -> FloatArray:
    """Rank of each value, 1 for the lowest; equal values share the mean of their ranks."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[inverse]


def tie_sizes(values: FloatArray) -> IntArray:
    """How many share each distinct value."""
    return np.unique(values, return_counts=True)[1].astype(np.int64)
