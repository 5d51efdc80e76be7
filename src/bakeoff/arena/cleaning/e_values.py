"""Many e-values at once."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def e_bh(log_e: ArrayLike, alpha: float) -> NDArray[np.bool_]:
    """Which of K hypotheses e-BH rejects (Wang & Ramdas 2022, JRSS B 84:822), from natural logarithms.

    The k largest are, for the largest k whose k-th largest e-value is at least K / (α k). The expected share
    of true hypotheses among them is α at most, however the e-values depend on one another; voters' do, as
    each is part of the crowd of the others.

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
