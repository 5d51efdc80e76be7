"""Elo's running ratings, for history and comparison only.

After each vote the first model gains k (o - p) and the second loses as much, p = 1 / (1 + 10^((b - a)/400))
(Elo 1978). Made for players who change: the last votes count most, the order in which they came changes the
result, and there is no standard error. Models stay what they are, so a board ranks by `bradley_terry`.
"""

import numpy as np

from bakeoff.stats.arrays import FloatArray
from bakeoff.stats.ratings.battles import Battles


def elo(battles: Battles, *, k: float = 4.0, scale: float = 400.0, initial: float = 1000.0) -> FloatArray:
    """Ratings (models,) after all votes in their order; `initial` for models without any.

    A vote's weight multiplies its k. k = 4 is that of the first Chatbot Arena, evalica's is 4 with base 10.

    Raises:
        ValueError: k or scale not above 0 or not finite, or initial not finite.
    """
    if not (0 < k < np.inf and 0 < scale < np.inf and np.isfinite(initial)):
        raise ValueError(f"k and scale must be above 0 and initial finite, got {k}, {scale} and {initial}")
    ratings = [float(initial)] * battles.models
    gains = (k * battles.weights).tolist()
    # A loop over plain numbers: each vote needs the ratings that the one before has left.
    for i, j, outcome, gain in zip(
        battles.first.tolist(), battles.second.tolist(), battles.outcome.tolist(), gains, strict=True
    ):
        # Beyond 300 powers of ten the chance is 0 or 1 all the same, and a float ends.
        power = min(300.0, max(-300.0, (ratings[j] - ratings[i]) / scale))
        change = gain * (outcome - 1 / (1 + 10**power))
        ratings[i] += change
        ratings[j] -= change
    return np.array(ratings)
