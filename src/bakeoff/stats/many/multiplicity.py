"""Several tests at once, from their p-values or e-values alone.

An adjusted p-value is the smallest error rate at which its test would be rejected among all of them; compare
it with the level as if it stood alone. Tests that share a p-value share the adjusted one.

`holm` keeps the chance of even one false rejection, whatever the dependence: for claims of who beats whom.
The others keep the expected share of false ones among the rejections, for lists to explore; `e_bh` does so
from e-values, numbers of at least 0 whose expectation is 1 at most where a hypothesis is true.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff.stats.arrays import FloatArray, as_numbers


def holm(p: ArrayLike) -> list[float]:
    """Holm's step-down adjustment (Holm 1979, Scand. J. Stat. 6:65), in the order of `p`.

    The k-th smallest of m becomes the largest of (m - i + 1) p_(i) over i ≤ k, at most 1.

    Raises:
        ValueError: no p-values, or one outside [0, 1].
    """
    values = _checked(p)
    order = np.argsort(values, kind="stable")
    remaining = np.arange(len(values), 0, -1)
    return _in_place(order, np.maximum.accumulate(values[order] * remaining))


def benjamini_hochberg(p: ArrayLike) -> list[float]:
    """Benjamini and Hochberg's step-up adjustment (1995, JRSS B 57:289), in the order of `p`.

    Keeps the false discovery rate for independent tests, and for positively dependent ones (Benjamini &
    Yekutieli 2001). The k-th smallest of m becomes the smallest of m p_(i) / i over i ≥ k.

    Raises:
        ValueError: no p-values, or one outside [0, 1].
    """
    return _step_up(_checked(p), 1.0)


def benjamini_yekutieli(p: ArrayLike) -> list[float]:
    """Benjamini and Yekutieli's adjustment (2001, Ann. Stat. 29:1165), in the order of `p`.

    `benjamini_hochberg` times Σ 1/i over the m tests; keeps the false discovery rate under any dependence.

    Raises:
        ValueError: no p-values, or one outside [0, 1].
    """
    values = _checked(p)
    return _step_up(values, float((1 / np.arange(1, len(values) + 1)).sum()))


def e_bh(log_e: ArrayLike, alpha: float) -> NDArray[np.bool_]:
    """Which of K hypotheses e-BH rejects (Wang & Ramdas 2022, JRSS B 84:822), from natural logarithms.

    The k largest are, for the largest k whose k-th largest e-value is at least K / (α k). The expected share
    of true hypotheses among them is α at most, however the e-values depend on one another.

    Raises:
        ValueError: α outside (0, 1), or a logarithm that is not a number.
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha lies between 0 and 1, got {alpha}")
    logs = np.asarray(log_e, dtype=np.float64)
    if np.isnan(logs).any():
        raise ValueError("an e-value is not a number")
    if not len(logs):
        return np.zeros(0, dtype=bool)
    order = np.sort(logs)[::-1]
    k = np.arange(1, len(order) + 1)
    passing = np.flatnonzero(order >= np.log(len(order) / alpha) - np.log(k))
    if not len(passing):
        return np.zeros(len(logs), dtype=bool)
    return np.asarray(logs >= order[passing[-1]])


def _step_up(values: FloatArray, factor: float) -> list[float]:
    order = np.argsort(values, kind="stable")
    scaled = values[order] * len(values) * factor / np.arange(1, len(values) + 1)
    return _in_place(order, np.minimum.accumulate(scaled[::-1])[::-1])


def _in_place(order: np.ndarray, adjusted: FloatArray) -> list[float]:
    placed = np.empty(len(order))
    placed[order] = np.minimum(adjusted, 1.0)
    return placed.tolist()


def _checked(p: ArrayLike) -> FloatArray:
    values = as_numbers(p, "p")
    outside = (values < 0) | (values > 1)
    if outside.any():
        raise ValueError(f"p-values lie between 0 and 1, got {values[outside][0]}")
    return values
