"""Covariance of strengths that holds whether or not the model behind them does.

V = J⁻ S J⁻ with J the information and S the sum of the squared score vectors (Huber 1967; White 1982,
Econometrica 50:1). The score of a vote between i and j is w (o - p) on i and the negative on j, so S of
independent votes is a graph's Laplacian, as J is, and both follow from counts of pairs alone.
"""

import numpy as np

from bakeoff.stats.arrays import FloatArray
from bakeoff.stats.ratings.battles import Pairs
from bakeoff.stats.ratings.newton import centred_inverse


def laplacian(weights: FloatArray) -> FloatArray:
    """Σ w_ij (e_i - e_j)(e_i - e_j)ᵀ over the unordered pairs, for symmetric `weights` (models, models)."""
    return np.asarray(np.diag(weights.sum(axis=1)) - weights)


def sandwich(information: FloatArray, meat: FloatArray, models: int) -> FloatArray:
    """J⁻ S J⁻, for strengths with mean 0 (the first `models` parameters) and others beside them."""
    bread = centred_inverse(information, models)
    return bread @ meat @ bread


def half_tie_meat(pairs: Pairs, expected: FloatArray) -> FloatArray:
    """S for independent votes with ties as half; `expected[i, j]` is the chance that i beats j.

    For each model one vote is counted that was not cast, spread over its opponents as its votes were, and as
    surprising as one without ties. A model of which nothing but three ties with one other is known would
    otherwise have a strength known exactly. Among hundreds of votes one more is nothing.
    """
    wins = pairs.won_squares * (1 - expected) ** 2
    of_pairs = wins + wins.T + pairs.tied_squares * (0.5 - expected) ** 2
    return laplacian(of_pairs + one_more_vote(pairs) * expected * expected.T)


def one_more_vote(pairs: Pairs) -> FloatArray:
    """The squared weight of one vote for each model, over its opponents; symmetric (models, models)."""
    weight = pairs.battles
    square = pairs.won_squares + pairs.won_squares.T + pairs.tied_squares
    typical = np.divide(square, weight, out=np.zeros_like(weight), where=weight > 0)
    share = weight / np.maximum(weight.sum(axis=1, keepdims=True), np.finfo(float).tiny)
    return np.asarray((share + share.T) * typical**2)
