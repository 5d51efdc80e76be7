"""Whether a group that differs from another on a model may be the one that is bought, by how votes of one
voter hang together.

Suppose that a group is people who vote as the other group does, a share p of it for the model, and a part w
of accounts that always choose it. Then the group's share is q = p + w (1 - p), higher by D = q - p, and two
votes of one voter have the covariance

    w (1 - w) (1 - p)² = D (1 - q),

since a voter is of one kind or of the other. Of accounts that are always against it, it is D q with D by how
much the share is lower. Where all vote alike it is 0, whatever the share; with tastes of 50 Elo points for
each model it is .005.
"""

import numpy as np
from numpy.typing import NDArray

from bakeoff.stats.ratings.clustered import degrees_of_freedom

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
_PART = 1 / 3
"""Of the covariance that is predicted. So much is reached if half of a group choose the model in four of five
votes, and people in three of five.
"""


def may_be_bought(voter: Ints, opponent: Ints, won: Mask, group: Mask, level: float = 0.95) -> bool:
    """Whether the group, of its votes on one model True in `group` (n,), may be the bought one of two.

    Each vote (n,) has its voter and opponent, codes from 0, and says whether the model won; both groups have
    votes. What differs between opponents is taken out. The answer is no while an upper bound of the
    covariance, of this one-sided level, is below a third of what is predicted. Who has one vote on the model
    tells nothing: where all have, or those with more do not differ as the whole group does, it may be.
    """
    residual = won - (np.bincount(opponent, won) / np.maximum(1, np.bincount(opponent)))[opponent]
    several = group & (np.bincount(voter[group], minlength=voter.max() + 1)[voter] >= 2)
    if not several.any():
        return True
    others, share, mean = residual[~group].mean(), won[several].mean(), residual[several].mean()
    differs = mean - others
    if not differs * (residual[group].mean() - others) > 0:
        return True
    predicted = differs * (1 - share) if differs > 0 else -differs * share
    # Where all votes of a group are for one side nothing is predicted, and a bound below 0 is chance.
    bound = max(0.0, upper_bound(voter[several], residual[several] - mean, level))
    return bool(bound >= _PART * predicted)


def upper_bound(voter: Ints, residual: Floats, level: float) -> float:
    """The upper bound, of a one-sided level, of the covariance of two votes of one voter, infinite for fewer
    than two voters.

    `residual` (n,) has mean 0, and each voter two votes or more. A voter counts by the number of votes.
    Student's t, the standard error that of a ratio of sums over voters.
    """
    from scipy.special import stdtrit

    place = np.unique(voter, return_inverse=True)[1]
    count = np.bincount(place)
    if len(count) < 2:
        return float("inf")
    products = (np.bincount(place, residual) ** 2 - np.bincount(place, residual**2)) / (count - 1)
    covariance = products.sum() / count.sum()
    squares = np.sum((products - covariance * count) ** 2) * len(count) / (len(count) - 1)
    reach = float(stdtrit(degrees_of_freedom([place]), level))
    return float(covariance + reach * squares**0.5 / count.sum())
