"""AlpacaEval's length-controlled win rate: what a model would win with answers as long as the baseline's.

Dubois, Galambosi, Liang & Hashimoto 2024 (arXiv 2404.04475). For instruction i with difficulty γ_i,

    ln odds(the model's answer is preferred) = w₁ tanh(Δ_i / sd(Δ)) + w₂ γ_i + w₃,

Δ the characters of the baseline's answer less those of the model's. The win rate is the mean over
instructions of the chance without the first term. It is no defence against answers that attack the judge: a
constant string held the first place of the published table with 86.5 %.

Their table gives a standard error from the spread of the predicted chances alone, which knows nothing of the
weights' own error: .14 points where the plain win rate has .91. It is here to compare with (`formula_se`);
the interval is from instructions drawn again, with the weights fitted anew each time.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import FloatArray, IntArray, as_numbers
from bakeoff.stats.interval import Interval, check_level
from bakeoff.stats.ratings.newton import newton

_STEPS = 50


@dataclass(frozen=True, slots=True)
class Weights:
    """w₁ of `length`, w₂ of `difficulty` and w₃ of the `model`, in natural log-odds."""

    length: float
    difficulty: float
    model: float


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """Verdicts on the baseline's own answers made longer or shorter, which say what length alone does.

    `preference` (r,) in [0, 1], `length` (r,) the standardised Δ/sd(Δ), `instruction` (r,) the number of the
    instruction among those of the fit, `weight` how much a row counts beside the model's own. AlpacaEval has
    two such sets with .1 each. w₃ is left out of their log-odds, because the model is the baseline.
    """

    preference: FloatArray
    length: FloatArray
    instruction: IntArray
    weight: float = 0.1


@dataclass(frozen=True, slots=True)
class LengthControlled:
    """The win rate in [0, 1] with its `interval`, the `weights` behind it, the plain win rate beside it, and
    the standard error by AlpacaEval's formula, which is too small.
    """

    win_rate: float
    interval: Interval
    weights: Weights
    plain: float
    formula_se: float


def win_rate_of(weights: Weights, difficulty: ArrayLike) -> float:
    """The length-controlled win rate, in [0, 1], by given weights over instructions of this difficulty (n,).

    Raises:
        ValueError: difficulties that are no finite row.
    """
    return float(_chances(weights, as_numbers(difficulty, "difficulty")).mean())


def formula_se(weights: Weights, difficulty: ArrayLike) -> float:
    """AlpacaEval's standard error of it, in [0, 1]: the standard deviation of the chances over √n.

    Raises:
        ValueError: difficulties that are no finite row of two or more.
    """
    chances = _chances(weights, as_numbers(difficulty, "difficulty"))
    if len(chances) < 2:
        raise ValueError("a standard error needs two instructions or more, got 1")
    return float(chances.std(ddof=1) / np.sqrt(len(chances)))


def length_controlled(
    preference: ArrayLike,
    length_difference: ArrayLike,
    difficulty: ArrayLike,
    *,
    reference: Reference | None = None,
    penalty: float = 1.0,
    level: float = 0.95,
    draws: int = 1_000,
    seed: int = 0,
) -> LengthControlled:
    """The length-controlled win rate from verdicts on n instructions.

    `preference` (n,) in [0, 1] is how sure the judge is of the model's answer (.5 for a tie), and
    `length_difference` (n,) Δ in characters. The weights are the most likely ones less `penalty`/2 times
    their sum of squares. AlpacaEval has an absolute penalty instead, whose size 5-fold cross-validation
    chooses among ten: with published difficulties the two come within a point of each other for most models,
    and several apart where one answer is nearly always the longer, since length and model then cannot be told
    apart without `reference`. The interval is the percentiles of instructions drawn with replacement; sd(Δ)
    stays as it is.

    Raises:
        ValueError: rows of different lengths or not finite, a preference outside [0, 1], fewer than two
            instructions, all answers as much longer as each other, a penalty not above 0, fewer than 1 draw,
            level outside (0, 1), or a reference to an instruction that is not there.
    """
    check_level(level)
    y, delta = as_numbers(preference, "preference"), as_numbers(length_difference, "length_difference")
    gamma = as_numbers(difficulty, "difficulty")
    n = len(y)
    _check(y, delta, gamma, penalty, draws)
    x = np.column_stack([np.tanh(delta / delta.std(ddof=1)), gamma, np.ones(n)])
    instruction, weight = np.arange(n), np.ones(n)
    if reference is not None:
        _check_reference(reference, n)
        known = np.column_stack(
            [np.tanh(reference.length), gamma[reference.instruction], np.zeros(len(reference.length))]
        )
        x, y_all = np.concatenate([x, known]), np.concatenate([y, reference.preference])
        instruction = np.concatenate([instruction, reference.instruction])
        weight = np.concatenate([weight, np.full(len(known), reference.weight)])
    else:
        y_all = y
    fitted = _fitted(x, y_all, weight, penalty)
    drawn = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), draws)
    again = _fitted_again(x, y_all, weight * drawn[:, instruction], penalty, fitted)
    rates = (drawn * _expit(again[:, 1:2] * gamma + again[:, 2:])).sum(axis=1) / n
    low, high = np.quantile(rates, [(1 - level) / 2, (1 + level) / 2])
    weights = Weights(*map(float, fitted))
    return LengthControlled(
        win_rate_of(weights, gamma),
        Interval(float(low), float(high), level, "bootstrap"),
        weights,
        float(y.mean()),
        formula_se(weights, gamma),
    )


def _chances(weights: Weights, difficulty: FloatArray) -> FloatArray:
    return _expit(weights.difficulty * difficulty + weights.model)


def _fitted(x: FloatArray, y: FloatArray, weight: FloatArray, penalty: float) -> FloatArray:
    def likelihood(w: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        z = x @ w
        p = _expit(z)
        value = float(weight @ (y * z - np.logaddexp(0, z)) - penalty * (w @ w) / 2)
        information = (x * (weight * p * (1 - p))[:, None]).T @ x + penalty * np.eye(len(w))
        return value, x.T @ (weight * (y - p)) - penalty * w, information

    return newton(likelihood, np.zeros(x.shape[1]), 0)[0]


def _fitted_again(
    x: FloatArray, y: FloatArray, weights: FloatArray, penalty: float, start: FloatArray
) -> FloatArray:
    """Weights (draws, 3) for rows that count `weights` (draws, rows), by Newton's method from `start`."""
    products = (x[:, :, None] * x[:, None, :]).reshape(len(x), -1)
    at = np.repeat(start[None], len(weights), axis=0)
    ridge = penalty * np.eye(x.shape[1])
    for _ in range(_STEPS):
        p = _expit(at @ x.T)
        gradient = (weights * (y - p)) @ x - penalty * at
        information = ((weights * p * (1 - p)) @ products).reshape(-1, *ridge.shape) + ridge
        step = np.linalg.solve(information, gradient[:, :, None])[:, :, 0]
        # Draws lie near the start; a longer step than this would be one that overshoots.
        at += np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-8:
            break
    return at


def _check(y: FloatArray, delta: FloatArray, gamma: FloatArray, penalty: float, draws: int) -> None:
    if not len(y) == len(delta) == len(gamma):
        raise ValueError(
            "each instruction has a preference, a difference of lengths and a difficulty, got "
            f"{len(y)}, {len(delta)} and {len(gamma)}"
        )
    if len(y) < 2:
        raise ValueError("a length-controlled win rate needs two instructions or more, got 1")
    if not 0 <= y.min() <= y.max() <= 1:
        raise ValueError(f"preference must lie between 0 and 1, got {y.min() if y.min() < 0 else y.max()}")
    if not np.ptp(delta):
        raise ValueError("length_difference is the same for all instructions: there is no length to control")
    if not 0 < penalty < np.inf:
        raise ValueError(f"penalty must be above 0 and finite, got {penalty}")
    if draws < 1:
        raise ValueError(f"a bootstrap needs at least 1 draw, got {draws}")


def _check_reference(reference: Reference, n: int) -> None:
    y, length = as_numbers(reference.preference, "preference"), as_numbers(reference.length, "length")
    if not len(y) == len(length) == len(reference.instruction):
        raise ValueError("each row of the reference has a preference, a length and an instruction")
    if not 0 <= y.min() <= y.max() <= 1:
        raise ValueError("preference of the reference must lie between 0 and 1")
    if not 0 <= reference.instruction.min() <= reference.instruction.max() < n:
        raise ValueError(f"the reference's instructions have numbers from 0 to {n - 1}")
    if not 0 < reference.weight < np.inf:
        raise ValueError(f"the reference's weight must be above 0 and finite, got {reference.weight}")


def _expit(z: FloatArray) -> FloatArray:
    from scipy.special import expit

    return np.asarray(expit(z))
