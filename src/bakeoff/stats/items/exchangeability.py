"""Whether a model prefers the order in which a data set was published: a sign that it has seen the file.

Holds only where any order was as likely to be published, not for items that were sorted or arranged by hand
(Oren et al. 2023, arXiv 2310.17623).
"""

from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import as_numbers


def order_p(published: float, shuffled: ArrayLike) -> float:
    """One-sided p that the model prefers the published order: (1 + shuffles at least as likely) / (1 + m).

    `published` is the log-likelihood of the whole in that order, `shuffled` those of m random orders. Exact:
    without contamination at most α in the share α of the cases. Never below 1 / (1 + m).

    Raises:
        ValueError: no shuffle, or a log-likelihood that is not finite.
    """
    others = as_numbers(shuffled, "shuffled")
    if not np.isfinite(published):
        raise ValueError(f"published must be finite, got {published}")
    return (1 + int((others >= published).sum())) / (1 + len(others))


def sharded_order_p(published: ArrayLike, shuffled: ArrayLike) -> float | None:
    """One-sided p from r shards, in each of which the published order is compared with m random ones.

    `published` (r) and `shuffled` (r, m) are log-likelihoods. Student's t with r - 1 degrees of freedom on
    the differences from the shards' means. The variance is divided by r - 1: by r, as in the authors' code, p
    comes out too low with few shards. None where all differences are equal: nothing to measure them by.

    Raises:
        ValueError: fewer than two shards, no shuffle, shapes that do not fit, or a number not finite.
    """
    from scipy.special import stdtr

    own, others = as_numbers(published, "published"), as_numbers(shuffled, "shuffled", ndim=2)
    r = len(own)
    if r < 2 or len(others) != r:
        raise ValueError(
            f"two shards or more, with a row of shuffles each, are needed, got {r}, {others.shape}"
        )
    gains = own - others.mean(axis=1)
    error = float(gains.std(ddof=1)) / sqrt(r)
    if error <= 1e-12 * max(1.0, float(np.abs(gains).max())):
        return None
    return float(stdtr(r - 1, -float(gains.mean()) / error))
