"""Ties as an outcome of their own: the models of Davidson and of Rao & Kupper.

With z = r_i - r_j and one parameter for how common ties are:

- Davidson 1970 (JASA 65:317): P(i), P(tie), P(j) are as e^{z/2}, ν, e^{-z/2}. Its tie parameter is ln ν.
- Rao & Kupper 1967 (JASA 62:194): P(i) = 1 / (1 + e^{η - z}), P(j) = 1 / (1 + e^{η + z}), and what is left
  is the tie, (e^{2η} - 1) P(i) P(j). Its tie parameter is η > 0.

Log-likelihoods of the two are comparable with each other, since both give all three outcomes a probability,
and not with that of ties as half. Both are concave in strengths and tie parameter.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import log
from typing import Literal, NamedTuple

import numpy as np

from bakeoff.stats.arrays import FloatArray
from bakeoff.stats.ratings.battles import Pairs
from bakeoff.stats.ratings.fit import Fit, spread
from bakeoff.stats.ratings.newton import Likelihood, newton
from bakeoff.stats.ratings.sandwich import laplacian, one_more_vote, sandwich
from bakeoff.stats.ratings.standing import standing

TieModel = Literal["davidson", "rao-kupper"]


@dataclass(frozen=True, slots=True, eq=False)
class TieFit:
    """Strengths and how common ties are.

    `fit` holds strengths, covariance and log-likelihood, `tie` is the tie parameter of `model` and `tie_se`
    its standard error.
    """

    model: TieModel
    fit: Fit
    tie: float
    tie_se: float

    def probabilities(self, difference: FloatArray) -> FloatArray:
        """The chances of a win and of a tie, stacked first, at differences of strength of any shape."""
        found = _MODELS[self.model](difference, self.tie)
        return np.exp([found.win.value, found.tie.value])


def with_ties(pairs: Pairs, model: TieModel = "davidson") -> TieFit:
    """The most likely strengths and tie parameter, with the sandwich covariance of independent votes.

    Standing is as for `bradley_terry`, and as there each model counts one vote more for its variance.

    Raises:
        ValueError: an unknown model, no two models that can be rated, or among the rated ones no tie, nothing
            else, or so few votes that strengths tell ties from wins without any error: with a tie parameter
            Ford's condition is not enough.
    """
    if model not in _MODELS:
        raise ValueError(f"model must be one of {', '.join(_MODELS)}, got {model!r}")
    found = standing(pairs)
    rated = found.rated
    if not rated.any():
        raise ValueError("no two models have scored against each other, so there is none to rate")
    inner = pairs.among(rated)
    ties, wins = float(inner.tied.sum() / 2), float(inner.won.sum())
    if not ties or not wins:
        raise ValueError(
            f"{model} needs both ties and wins among the rated models, got weights {ties:g} and {wins:g}; "
            "bradley_terry needs neither"
        )
    m = inner.models
    # Where all models are equal, the share of ties is ν / (2 + ν) or (e^η - 1) / (e^η + 1).
    begin = log(2 * ties / wins) if model == "davidson" else log((wins + 2 * ties) / wins)
    parameters, value, information, steps = newton(
        _likelihood(inner, _MODELS[model]), np.append(np.zeros(m), begin), m
    )
    covariance = sandwich(information, _meat(inner, _MODELS[model], parameters), m)
    fit = Fit(spread(parameters[:m], rated), spread(covariance[:m, :m], rated), found, value, steps)
    return TieFit(model, fit, float(parameters[m]), float(covariance[m, m] ** 0.5))


class _LogChance(NamedTuple):
    """Log-probability of an outcome and its derivatives by z and by the tie parameter t."""

    value: FloatArray
    z: FloatArray
    t: FloatArray
    zz: FloatArray
    zt: FloatArray
    tt: FloatArray


class _Outcomes(NamedTuple):
    win: _LogChance
    tie: _LogChance


def _davidson(z: FloatArray, t: float) -> _Outcomes:
    largest = np.maximum(np.abs(z) / 2, t)
    total = largest + np.log(np.exp(z / 2 - largest) + np.exp(-z / 2 - largest) + np.exp(t - largest))
    win, loss, tie = np.exp(z / 2 - total), np.exp(-z / 2 - total), np.exp(t - total)
    lead = win - loss
    second = ((lead**2 - win - loss) / 4, tie * lead / 2, -tie * (1 - tie))
    return _Outcomes(
        _LogChance(z / 2 - total, (1 - lead) / 2, -tie, *second),
        _LogChance(t - total, -lead / 2, 1 - tie, *second),
    )


def _rao_kupper(z: FloatArray, t: float) -> _Outcomes:
    from scipy.special import expit, log_expit

    win, loss = expit(z - t), expit(-z - t)
    flat_win, flat_loss = win * (1 - win), loss * (1 - loss)
    if t <= 0:  # outside of the model: no step may end here
        never = np.full_like(z, -np.inf)
        return _Outcomes(_LogChance(never, *[never] * 5), _LogChance(never, *[never] * 5))
    kept = -np.expm1(-2 * t)  # 1 - e^{-2t}
    return _Outcomes(
        _LogChance(log_expit(z - t), 1 - win, win - 1, -flat_win, flat_win, -flat_win),
        _LogChance(
            2 * t + log(kept) + log_expit(z - t) + log_expit(-z - t),
            loss - win,
            2 / kept - (1 - win) - (1 - loss),
            -flat_win - flat_loss,
            flat_win - flat_loss,
            -4 * (1 - kept) / kept**2 - flat_win - flat_loss,
        ),
    )


_MODELS: dict[str, Callable[[FloatArray, float], _Outcomes]] = {
    "davidson": _davidson,
    "rao-kupper": _rao_kupper,
}


def _likelihood(pairs: Pairs, model: Callable[[FloatArray, float], _Outcomes]) -> Likelihood:
    won, tied = pairs.won, pairs.tied / 2  # each tie stands in the table twice

    def likelihood(parameters: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        strength, t = parameters[:-1], float(parameters[-1])
        win, tie = model(np.subtract.outer(strength, strength), t)
        if not np.isfinite(win.value).all():
            return -np.inf, parameters, np.eye(len(parameters))
        by_z, by_t = won * win.z + tied * tie.z, won * win.t + tied * tie.t
        zz, zt, tt = (won * win[k] + tied * tie[k] for k in (3, 4, 5))
        gradient = np.append(by_z.sum(axis=1) - by_z.sum(axis=0), by_t.sum())
        information = _bordered(-zz, -zt, -float(tt.sum()))
        return float(np.vdot(won, win.value) + np.vdot(tied, tie.value)), gradient, information

    return likelihood


def _meat(
    pairs: Pairs, model: Callable[[FloatArray, float], _Outcomes], parameters: FloatArray
) -> FloatArray:
    strength, t = parameters[:-1], float(parameters[-1])
    win, tie = model(np.subtract.outer(strength, strength), t)
    won, tied = pairs.won_squares, pairs.tied_squares / 2
    zz = won * win.z**2 + tied * tie.z**2
    # The chance of either win, times its squared slope: what a vote without a tie would say.
    decided = np.exp(win.value) * win.z**2
    surprise = (decided + decided.T) / (1 - np.exp(tie.value))
    zt = won * win.z * win.t + tied * tie.z * tie.t
    tt = float((won * win.t**2 + tied * tie.t**2).sum())
    return _bordered(zz + one_more_vote(pairs) * surprise / 2, zt, tt)


def _bordered(zz: FloatArray, zt: FloatArray, tt: float) -> FloatArray:
    """The matrix of strengths and tie parameter from terms of ordered pairs."""
    cross = zt.sum(axis=1) - zt.sum(axis=0)
    return np.block([[laplacian(zz + zz.T), cross[:, None]], [cross[None], np.array([[tt]])]])
