"""Bradley-Terry strengths from counts of pairs, ties as half a win each.

Bradley & Terry 1952 (Biometrika 39:324): i beats j with probability 1 / (1 + exp(r_j - r_i)). Models stay as
they are while votes are cast, so the maximum likelihood over all votes is the estimate, and the order of the
votes carries nothing (Chiang et al. 2024, arXiv 2403.04132). With N votes between i and j of which i scored
W, the gradient is Σ_j (W_ij - N_ij p_ij) and the information a graph's Laplacian with weights N p (1 - p):
the counts of pairs are sufficient, and a fit costs as much for ten votes as for ten million.
"""

import numpy as np

from bakeoff.stats.arrays import FloatArray
from bakeoff.stats.ratings.battles import Pairs
from bakeoff.stats.ratings.fit import Fit, spread
from bakeoff.stats.ratings.newton import Likelihood, newton
from bakeoff.stats.ratings.sandwich import half_tie_meat, laplacian, sandwich
from bakeoff.stats.ratings.standing import standing


def bradley_terry(pairs: Pairs, *, start: Fit | None = None) -> Fit:
    """The most likely strengths of the models that the votes can rate, with the sandwich covariance of
    independent votes.

    Only votes among the rated models count; where no two models can be rated, all strengths are NaN. `start`
    is an earlier fit of the same models, close to which the search is shorter: after one more vote it takes
    a step or two.

    Raises:
        ValueError: `start` is of another number of models.
    """
    if start is not None and len(start.strength) != pairs.models:
        raise ValueError(f"start must have {pairs.models} models as the votes do, got {len(start.strength)}")
    found = standing(pairs)
    rated = found.rated
    inner = pairs.among(rated) if rated.any() else None
    if inner is None:
        nothing = np.full((pairs.models, pairs.models), np.nan)
        return Fit(nothing[0].copy(), nothing, found, 0.0, 0)
    begin = np.zeros(inner.models) if start is None else np.nan_to_num(start.strength[rated])
    strength, value, information, steps = newton(half_ties(inner), begin, inner.models)
    meat = half_tie_meat(inner, win_probability(strength))
    covariance = sandwich(information, meat, inner.models)
    return Fit(spread(strength, rated), spread(covariance, rated), found, value, steps)


def win_probability(strength: FloatArray) -> FloatArray:
    """The chance (models, models) that the row beats the column, ties as half."""
    from scipy.special import expit

    return np.asarray(expit(np.subtract.outer(strength, strength)))


def half_ties(pairs: Pairs) -> Likelihood:
    """The likelihood of strengths (models,) by the votes, ties as half."""
    points, battles = pairs.points, pairs.battles
    scored = points.sum(axis=1)
    smallest = np.finfo(float).tiny

    def likelihood(strength: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        p = win_probability(strength)
        expected = battles * p
        value = float(np.vdot(points, np.log(np.maximum(p, smallest))))
        return value, scored - expected.sum(axis=1), laplacian(expected * p.T)

    return likelihood
