"""Whether a group of voters likes a model more, or less, than others do on the same pairs: an e-value.

Given how many of a pair's N decisive votes are for the model (n) and how many are the group's (m), the number
x of the group's for it is hypergeometric if the group votes as the others do. If its log-odds are δ higher,
it is Fisher's noncentral hypergeometric, in proportion to e^{δx} times that (Fisher 1935, JRSS 98:39).
Neither depends on what the models are worth. With M(δ) the mean of e^{δx} under the plain one, the ratio of a
lean of δ to one of θ < δ is

    Π e^{(δ - θ) x} M(θ) / M(δ)    over pairs,

whose expectation is 1 for a lean of θ and less for any below, in every pair: an e-value, without any
approximation, against "the group leans towards the model by θ at most". The mean of several δ, and of the
same against the model, is one against "by θ at most, either way".
"""

from collections.abc import Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_BEYOND = (0.25, 0.5, 1.0, 2.0)
"""How far beyond what is tolerated a group may lean, in log-odds."""


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """One stratum for each of P pairs of models, `first` < `second`. Of the group's decisive votes `won` are
    for the first and `decided` are there in all (P,); `all_won`, `all_decided` are those of both sides.
    """

    first: Ints
    second: Ints
    won: Ints
    decided: Ints
    all_won: Ints
    all_decided: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Leaning:
    """For each of P pairs what it adds to the logarithms of the ratios of its `first` model and of its
    `second`, (2, D, P), for D leans: towards that model as far as each δ, then as far away from it.
    """

    first: Ints
    second: Ints
    terms: Floats

    def log_e(self, models: int, without: Set[int]) -> tuple[Floats, NDArray[np.bool_]]:
        """The logarithm of each model's e-value (models,), and whether the group leans towards it rather than
        away. Pairs with a model of `without` do not count.
        """
        out = np.isin(np.arange(models), list(without))
        kept = ~(out[self.first] | out[self.second])
        sides = tuple(zip((self.first[kept], self.second[kept]), self.terms[:, :, kept], strict=True))
        sums = np.stack(
            [
                sum((np.bincount(model, terms[lean], models) for model, terms in sides), np.zeros(models))
                for lean in range(self.terms.shape[1])
            ]
        )
        towards, away = np.split(sums, 2)
        mean = np.logaddexp.reduce(sums) - np.log(len(sums))
        return mean, towards.max(axis=0) >= away.max(axis=0)


def leaning(strata: Strata, tolerated: float) -> Leaning:
    """How the group leans beyond `tolerated`, in log-odds of decisive votes.

    Raises:
        ValueError: `tolerated` below 0 or not finite.
    """
    if not 0 <= tolerated < np.inf:
        raise ValueError(f"tolerated is at least 0 and finite, got {tolerated}")
    size = np.array([tolerated, *(tolerated + beyond for beyond in _BEYOND)])
    up, down = (_log_likelihoods(strata, sign * size) for sign in (1, -1))
    up, down = up[1:] - up[0], down[1:] - down[0]
    # A lean towards the second model of a pair is one away from the first.
    return Leaning(strata.first, strata.second, np.stack([np.vstack([up, down]), np.vstack([down, up])]))


def _log_likelihoods(strata: Strata, leans: Floats) -> Floats:
    """(D, P) ln of e^{δx} / M(δ), for D leans towards the first model of each pair."""
    from scipy.special import gammaln

    n, m, total = strata.all_won, strata.decided, strata.all_decided
    least, most = np.maximum(0, m - (total - n)), np.minimum(m, n)
    size = most - least + 1
    starts = np.cumsum(size) - size
    if not len(size):
        return np.zeros((len(leans), 0))
    x = np.arange(size.sum()) - np.repeat(starts - least, size)
    n, m, total = (np.repeat(each, size) for each in (n, m, total))
    # The logarithm of the hypergeometric probability, but for what does not depend on x and cancels.
    log_p = -sum(gammaln(1.0 + each) for each in (x, n - x, m - x, total - n - m + x))
    plain = np.logaddexp.reduceat(log_p, starts)
    return np.stack(
        [lean * strata.won - np.logaddexp.reduceat(log_p + lean * x, starts) + plain for lean in leans]
    )
