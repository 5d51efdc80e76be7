"""Draws of how far several means may lie from their true values, together.

One draw is the symmetric root of the covariance times independent normals, which serves a singular
covariance as well. The normals are dealt to the models in an order that follows from their means and
covariances alone, so that the order in which the models are given changes nothing.
"""

import numpy as np
from numpy.typing import NDArray

from bakeoff.stats.arrays import FloatArray, IntArray


def deviations(means: FloatArray, covariance: FloatArray, *, draws: int, seed: int) -> FloatArray:
    """`draws` joint draws from N(0, covariance), an array (models, draws).

    Raises:
        ValueError: fewer than 100 draws, or covariance not positive semi-definite.
    """
    if draws < 100:
        raise ValueError(f"a simulation needs at least 100 draws, got {draws}")
    order = canonical_order(means, covariance)
    normals = np.random.default_rng(seed).standard_normal((len(order), draws))
    drawn = np.empty_like(normals)
    drawn[order] = _root(covariance[np.ix_(order, order)]) @ normals
    return drawn


def canonical_order(means: FloatArray, covariance: FloatArray) -> IntArray:
    """The models in an order that does not depend on how they were numbered.

    Models are told apart by mean and variance, then by their covariances with those told apart before, until
    nothing more is told; then one of the first that still look alike is singled out, and so on. (Colour
    refinement with individualisation, as for graphs.) Models alike to the end are interchangeable.
    """
    unit = float(np.diag(covariance).max()) or 1.0
    # Rounded, so that the last bits of two ways to add up cannot tell models apart.
    rounded = np.round(covariance / unit, 9)
    first = np.column_stack((np.round(means / (float(np.abs(means).max()) or 1.0), 12), np.diag(rounded)))
    class_of = _refined(_classes(first), rounded)
    while (alike := np.flatnonzero(np.bincount(class_of) > 1)).size:
        one = np.flatnonzero(class_of == alike[0])[0]
        singled = 2 * class_of
        singled[one] -= 1
        class_of = _refined(_classes(singled[:, None]), rounded)
    return np.argsort(class_of)


def _refined(class_of: IntArray, covariance: FloatArray) -> IntArray:
    """Classes split by the covariances of their members with each class, until none splits."""
    while True:
        by_class = np.lexsort((covariance, np.broadcast_to(class_of, covariance.shape)), axis=1)
        rows = np.take_along_axis(covariance, by_class, axis=1)
        split = _classes(np.column_stack((class_of, rows)))
        if split.max() == class_of.max():
            return split
        class_of = split


def _classes(rows: NDArray[np.generic]) -> IntArray:
    """The number of each row among the different rows, sorted."""
    return np.asarray(np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1), np.int64)


def _root(covariance: FloatArray) -> FloatArray:
    values, vectors = np.linalg.eigh(covariance)
    if values[0] < -1e-6 * max(values[-1], 0.0):
        raise ValueError(f"covariance is not one: it has a negative eigenvalue, {values[0]}")
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T)
