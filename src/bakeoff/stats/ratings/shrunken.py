"""Strengths by few votes, drawn towards those by all the others.

Votes of one person, or in one language, are too few for strengths of their own: most models would be unrated
and the rest wild. With a prior r ~ N(r0, τ² I) around the strengths r0 of all other votes the most likely
strengths move away from r0 only as far as the votes insist (Morris 1983, JASA 78:47). How far segments lie
apart, τ, is learnt from all of them together, by the Laplace approximation of their marginal likelihood; with
J the information of the votes at the maximum r̂ it is, up to a constant,

    log m(τ) = l(r̂) - |r̂ - r0|² / (2 τ²) - ½ log det(τ² J + I).

The covariance is V + (V / τ²) Cov(r0) (V / τ²)ᵀ with V = (J + I / τ²)⁻¹: what is not known of the others is
not known of the segment either.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log

import numpy as np

from bakeoff.stats.arrays import FloatArray
from bakeoff.stats.ratings.battles import Pairs
from bakeoff.stats.ratings.bradley_terry import half_ties
from bakeoff.stats.ratings.clustered import recentred
from bakeoff.stats.ratings.fit import Fit, spread

_LEAST, _MOST = 0.01, 3.0
"""Natural log-odds: less apart than 2 Elo points is not at all, more than 500 is not seen."""
_STEPS, _TOLERANCE = 50, 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Shrunken:
    """Strengths of a segment: `fit`, as of all votes, with `own` (models,) the share of each strength that
    the segment's votes decided, in [0, 1]; the rest is from the others. `apart` is τ in natural log-odds.
    """

    fit: Fit
    own: FloatArray
    apart: float


def shrunken(pairs: Pairs, towards: Fit, apart: float) -> Shrunken:
    """The strengths by the votes in `pairs`, drawn towards those of `towards`, which are of other votes.

    Models are rated as there: one without a vote in `pairs` has the strength it has there.

    Raises:
        ValueError: other models than in `towards`, none of them rated, or `apart` not above 0.
    """
    if not apart > 0:
        raise ValueError(f"apart must be above 0, got {apart}")
    rated = _check(pairs, towards)
    moved, _, information = _fitted(pairs.among(rated), towards.strength[rated], apart)
    inverse = np.asarray(np.linalg.inv(information + np.eye(len(moved)) / apart**2), dtype=np.float64)
    borrowed = inverse / apart**2
    prior = towards.covariance[np.ix_(rated, rated)]
    covariance = recentred(inverse + borrowed @ prior @ borrowed.T)
    strength = towards.strength[rated] + moved
    fit = replace(
        towards,
        strength=spread(strength - strength.mean(), rated),
        covariance=spread(covariance, rated),
    )
    # Of the strengths less their mean: of a common shift no votes say anything.
    before = 1 - 1 / len(moved)
    own = np.clip(1 - np.diag(recentred(np.asarray(borrowed))) / before, 0, 1)
    return Shrunken(fit, spread(own, rated), apart)


def distance_between(segments: Sequence[Pairs], towards: Sequence[Fit]) -> float:
    """How far segments lie from the others, τ in natural log-odds: the one that explains their votes best.

    `towards[k]` is of the votes outside of segment k. Between .01, where no difference is seen, and 3.

    Raises:
        ValueError: no segment, as many fits as segments are not there, or a segment as for `shrunken`.
    """
    from scipy.optimize import minimize_scalar

    if not segments or len(segments) != len(towards):
        raise ValueError(f"each segment needs the fit of the others, got {len(segments)} and {len(towards)}")
    inner = []
    for pairs, fit in zip(segments, towards, strict=True):
        rated = _check(pairs, fit)
        inner.append((pairs.among(rated), fit.strength[rated]))

    def surprise(log_apart: float) -> float:
        return -sum(_evidence(pairs, strength, exp(log_apart)) for pairs, strength in inner)

    found = minimize_scalar(
        surprise, bounds=(log(_LEAST), log(_MOST)), method="bounded", options={"xatol": 0.02}
    )
    return float(exp(found.x))


def _evidence(pairs: Pairs, strength: FloatArray, apart: float) -> float:
    moved, value, information = _fitted(pairs, strength, apart)
    _, volume = np.linalg.slogdet(apart**2 * information + np.eye(len(moved)))
    return float(value - moved @ moved / (2 * apart**2) - volume / 2)


def _fitted(pairs: Pairs, strength: FloatArray, apart: float) -> tuple[FloatArray, float, FloatArray]:
    """How far the strengths move, the log-likelihood there, and the information of the votes there.

    The penalised likelihood is strictly concave, so Newton's steps, halved until they climb, end.
    """
    likelihood = half_ties(pairs)
    moved = np.zeros_like(strength)
    value, gradient, information = likelihood(strength)
    for _ in range(_STEPS):
        inner = information + np.eye(len(moved)) / apart**2
        step = np.linalg.solve(inner, gradient - moved / apart**2)
        if np.abs(step).max(initial=0.0) <= _TOLERANCE:
            break
        here = value - moved @ moved / (2 * apart**2)
        size = 1.0
        while True:
            there = moved + size * step
            value, gradient, information = likelihood(strength + there)
            if value - there @ there / (2 * apart**2) >= here - 1e-12 * abs(here) or size < 1e-9:
                break
            size /= 2
        moved = there
    return moved, value, information


def _check(pairs: Pairs, towards: Fit) -> np.ndarray:
    if pairs.models != len(towards.strength):
        raise ValueError(f"votes are of {pairs.models} models and the others of {len(towards.strength)}")
    if not towards.rated.any():
        raise ValueError("the other votes rate no model, so there is nothing to draw strengths towards")
    return towards.rated
