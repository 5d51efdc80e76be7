"""Newton's method for strengths that are known up to a common shift, and other parameters beside them."""

from collections.abc import Callable

import numpy as np

from bakeoff.stats.arrays import FloatArray

Likelihood = Callable[[FloatArray], tuple[float, FloatArray, FloatArray]]
"""Log-likelihood, its gradient (p,) and its information (p, p), the negative Hessian, at parameters (p,)."""

_STEPS = 100
_HALVINGS = 40
_NONE = (
    "the likelihood has no single finite maximum: two parameters say the same of every vote, or a parameter "
    "beside the strengths explains some votes without any error"
)


def newton(
    likelihood: Likelihood, start: FloatArray, models: int, tolerance: float = 1e-9
) -> tuple[FloatArray, float, FloatArray, int]:
    """Where a concave log-likelihood is largest: parameters, log-likelihood, information, number of steps.

    The first `models` parameters are strengths; a common shift of them changes nothing, and they come out
    with mean 0. Steps are halved until they climb; the search ends where a step would move no parameter by
    more than `tolerance`.

    Raises:
        ValueError: no single finite maximum.
    """
    at = centred(start, models)
    value, gradient, information = likelihood(at)
    for taken in range(_STEPS):
        step = centred(_solve(information, gradient, models), models)
        if np.abs(step).max(initial=0.0) <= tolerance:
            return at, value, information, taken
        size = 1.0
        for _ in range(_HALVINGS):
            after = likelihood(at + size * step)
            # Close to the top the gain is less than the rounding of the sum.
            if after[0] >= value - 1e-12 * abs(value):
                break
            size /= 2
        else:
            break
        at = at + size * step
        value, gradient, information = after
    raise ValueError(_NONE)


def centred(parameters: FloatArray, models: int) -> FloatArray:
    """`parameters` with the mean of the first `models` taken off these."""
    moved = parameters.copy()
    if models:
        moved[:models] -= moved[:models].mean()
    return moved


def centred_inverse(information: FloatArray, models: int) -> FloatArray:
    """The inverse of `information` among parameters whose strengths, the first `models`, have mean 0.

    It is the Moore-Penrose inverse: the information of strengths is 0 along a common shift and in no other
    direction.

    Raises:
        ValueError: the information is singular beyond that.
    """
    size = _gauge(information, models)
    shift = np.zeros_like(information)
    shift[:models, :models] = 1 / (size * models)
    return _solve(information, np.eye(len(information)), models) - shift


def _solve(information: FloatArray, right: FloatArray, models: int) -> FloatArray:
    fixed = information.copy()
    fixed[:models, :models] += _gauge(information, models) / max(1, models)
    try:
        solved = np.linalg.solve(fixed, right)
    except np.linalg.LinAlgError:
        solved = np.full_like(right, np.nan)
    if not np.isfinite(solved).all():
        raise ValueError(_NONE)
    return np.asarray(solved)


def _gauge(information: FloatArray, models: int) -> float:
    """A curvature along the common shift, of the size of the others."""
    return float(np.diag(information)[:models].mean()) or 1.0 if models else 1.0
