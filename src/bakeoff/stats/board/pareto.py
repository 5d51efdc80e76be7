"""The front of quality against cost and latency: models that no other beats everywhere.

Higher quality is better, lower cost and latency are. A model is dominated by another that is at least as good
in every dimension and better in one.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff.stats.arrays import FloatArray, as_numbers
from bakeoff.stats.interval import check_level

# Draws handled at a time: few enough that those of a pair of models stay in the processor's cache.
_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class Front:
    """Which models stay on the front, in the order given.

    `beaten_by` lists for each model those that cost no more, in every dimension, and are better beyond the
    margin of `critical` standard errors; it stays on (`on`) where there are none. `probability` is the chance
    that the model is on the front, quality being normal around its estimate: a display, not a test.
    """

    on: tuple[bool, ...]
    beaten_by: tuple[tuple[int, ...], ...]
    probability: tuple[float, ...]
    critical: float
    level: float


def front(quality: ArrayLike, cost: ArrayLike, latency: ArrayLike | None = None) -> tuple[bool, ...]:
    """Which models are not dominated, taking all numbers as exact. Equal models stay on together.

    Raises:
        ValueError: no models, lengths differ, or a number that is not finite.
    """
    qualities = as_numbers(quality, "quality")
    prices = _prices(len(qualities), cost, latency)
    cheaper, strictly = _cheaper(prices)
    ahead = qualities[None, :] - qualities[:, None]
    dominated = (cheaper & (ahead > 0)) | (strictly & (ahead >= 0))
    return tuple(not row.any() for row in dominated)


def front_with_uncertainty(
    quality: ArrayLike,
    covariance: ArrayLike,
    cost: ArrayLike,
    latency: ArrayLike | None = None,
    *,
    level: float = 0.95,
    draws: int = 10_000,
    seed: int = 0,
) -> Front:
    """The front when quality is an estimate with a (paired) covariance (models, models).

    Cost and latency are taken as exact. A model leaves only if another that costs no more in any dimension is
    better by more than c standard errors of their difference, c being the `level` quantile of the largest
    standardised error over all such pairs (normal, simulated, one-sided). So all models that no
    cheaper-or-equal one truly exceeds stay on together with probability at least `level`, as far as their
    estimates are normal. A pair whose difference has no variance, such as equal answers on every item, is
    judged as in `front`.

    The order of the models has no influence. Time grows with draws x pairs.

    Raises:
        ValueError: no models, lengths or shapes differ, a number that is not finite, a covariance that is not
            symmetric and positive semidefinite, level outside (0, 1), or draws < 1.
    """
    check_level(level)
    if draws < 1:
        raise ValueError(f"draws must be at least 1, got {draws}")
    given = as_numbers(quality, "quality")
    models = len(given)
    given_prices = _prices(models, cost, latency)
    given_covariance = _covariance(covariance, models)
    # The draws belong to places, so the models are first put into an order of their own.
    order = np.lexsort((np.diag(given_covariance), *given_prices, given))
    qualities, prices = given[order], given_prices[:, order]
    sigma = given_covariance[np.ix_(order, order)]

    cheaper, strictly = _cheaper(prices)
    variances = np.diag(sigma)
    scale = variances[:, None] + variances[None, :]
    squares = scale - 2 * sigma
    # Rounding leaves a trace of variance between equal models.
    errors = np.where(squares > 1e-12 * scale, np.sqrt(np.maximum(squares, 0.0)), 0.0)
    tied = 1e-9 * max(1e-300, float(np.abs(qualities).max()), float(np.sqrt(variances.max())))

    rivals = [np.flatnonzero(row) for row in cheaper]
    critical, on_front = _simulate(qualities, sigma, rivals, strictly, errors, tied, level, draws, seed)

    ahead = qualities[None, :] - qualities[:, None]
    exact = ahead > np.where(strictly, -tied, tied)
    beaten = cheaper & np.where(errors > 0, ahead > critical * errors, exact)
    back = np.argsort(order)
    beaten_by = [sorted(order[np.flatnonzero(beaten[i])].tolist()) for i in back]
    return Front(
        on=tuple(not winners for winners in beaten_by),
        beaten_by=tuple(tuple(winners) for winners in beaten_by),
        probability=tuple(on_front[back].tolist()),
        critical=critical,
        level=level,
    )


def _simulate(
    qualities: FloatArray,
    sigma: FloatArray,
    rivals: list[NDArray[np.intp]],
    strictly: NDArray[np.bool_],
    errors: FloatArray,
    tied: float,
    level: float,
    draws: int,
    seed: int,
) -> tuple[float, FloatArray]:
    """The critical value, and how often each model is on the front, of normal draws."""
    models = len(qualities)
    eigenvalues, eigenvectors = np.linalg.eigh(sigma)
    # The square root would make noise of what rounding leaves where there is no variance.
    root = eigenvectors * np.sqrt(np.where(eigenvalues > 1e-12 * eigenvalues[-1], eigenvalues, 0.0))
    # The lead in quality that a rival may have before a model is off the front.
    room = np.where(strictly, -tied, tied) + qualities[:, None] - qualities[None, :]
    random = np.random.default_rng(seed)
    largest: list[FloatArray] = []
    on_front = np.zeros(models)
    for done in range(0, draws, _AT_ONCE):
        noise = root @ random.standard_normal((min(_AT_ONCE, draws - done), models)).T
        extreme = np.zeros(noise.shape[1])
        for i, j in enumerate(rivals):
            lead = noise[j] - noise[i]
            on_front[i] += (lead <= room[i, j, None]).all(axis=0).sum()
            uncertain = errors[i, j] > 0
            if uncertain.any():
                lead[uncertain] /= errors[i, j[uncertain], None]
                np.maximum(extreme, lead[uncertain].max(axis=0), out=extreme)
        largest.append(extreme)
    return float(np.quantile(np.concatenate(largest), level)), on_front / draws


def _prices(models: int, cost: ArrayLike, latency: ArrayLike | None) -> FloatArray:
    """The dimensions in which less is better, (dimensions, models)."""
    named = {"cost": cost} if latency is None else {"cost": cost, "latency": latency}
    prices = [as_numbers(values, name) for name, values in named.items()]
    for name, values in zip(named, prices, strict=True):
        if len(values) != models:
            raise ValueError(f"each of the {models} models needs its {name}, got {len(values)}")
    return np.stack(prices)


def _cheaper(prices: FloatArray) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """[i, j]: whether another model j costs no more than i in any dimension, and whether also less in one."""
    at_most: NDArray[np.bool_] = np.all(prices[:, None, :] <= prices[:, :, None], axis=0)
    less: NDArray[np.bool_] = np.logical_and(at_most, np.any(prices[:, None, :] < prices[:, :, None], axis=0))
    np.fill_diagonal(at_most, False)
    return at_most, less


def _covariance(covariance: ArrayLike, models: int) -> FloatArray:
    sigma = as_numbers(covariance, "covariance", ndim=2)
    if sigma.shape != (models, models):
        raise ValueError(f"covariance must have shape {(models, models)}, got {sigma.shape}")
    size = float(np.abs(sigma).max())
    if np.abs(sigma - sigma.T).max() > 1e-9 * size:
        raise ValueError("covariance must be symmetric, got one that is not")
    lowest = float(np.linalg.eigvalsh(sigma)[0])
    if lowest < -1e-9 * size:
        raise ValueError(f"covariance must be positive semidefinite, got the eigenvalue {lowest}")
    return (sigma + sigma.T) / 2
