"""Item response theory: how hard items are and how sharply they tell abilities apart, on one scale.

P(right) = 1 / (1 + exp(-a (θ - b))) for a model (or person) of ability θ on an item of difficulty b and
discrimination a, θ standard normal, which fixes the scale. Fitted by marginal maximum likelihood (Bock &
Aitkin 1981, Psychometrika 46:443). It takes many respondents, and independent ones: the models of a
leaderboard are few and come in families, so that `items` is the better tool for them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import FloatArray

POINTS = 61
"""Nodes of the Gauss-Hermite quadrature over abilities."""

_STEEPEST = (
    10.0  # a discrimination above which the likelihood rises without end, or the nodes lie too far apart
)


@dataclass(frozen=True, slots=True)
class ItemResponse:
    """A fitted model, its parameters in the order of the items.

    The scale is turned so that discriminations are above 0 on the whole; a single item's may be negative
    under "2pl", which speaks against the item. Under "rasch" all have the same. Errors are standard errors,
    from the observed information. `respondents` counts those that answered an item.
    """

    model: Literal["rasch", "2pl"]
    discrimination: tuple[float, ...]
    difficulty: tuple[float, ...]
    discrimination_error: tuple[float, ...]
    difficulty_error: tuple[float, ...]
    log_likelihood: float
    respondents: int


@dataclass(frozen=True, slots=True)
class Refused:
    """There are no estimates worth giving; `reason` says why, and names the items by their number from 0."""

    reason: str


def rasch(responses: ArrayLike, *, fewest: int = 30) -> ItemResponse | Refused:
    """The Rasch model (1960), with one discrimination for all items in place of a spread of ability.

    `responses` (respondents, items): 1 right, 0 wrong, NaN or None not asked. Refused: fewer respondents
    than `fewest`, fewer than two items, items that all solve or none does (their difficulty is infinite:
    leave them out), and data that show no common ability or do not settle the parameters.

    Raises:
        ValueError: not such a table, or a response other than 0, 1 and missing.
    """
    return _fitted(responses, "rasch", fewest, 2)


def two_parameter(responses: ArrayLike, *, fewest: int = 200) -> ItemResponse | Refused:
    """The two-parameter logistic model (Birnbaum 1968). Otherwise as `rasch`, with three items at least.

    Raises:
        ValueError: as for `rasch`.
    """
    return _fitted(responses, "2pl", fewest, 3)


@dataclass(frozen=True, slots=True)
class _Patterns:
    """Distinct rows of responses and their numbers; `right` and `asked` are 0 or 1, (patterns, items)."""

    right: FloatArray
    asked: FloatArray
    copies: FloatArray


def _fitted(
    responses: ArrayLike, model: Literal["rasch", "2pl"], fewest: int, least_items: int
) -> ItemResponse | Refused:
    patterns = _as_patterns(responses)
    respondents, items = int(patterns.copies.sum()), patterns.right.shape[1]
    reason = _unfit(patterns, respondents, items, fewest, least_items)
    if reason:
        return Refused(reason)
    from scipy.optimize import minimize

    easiness = patterns.copies @ patterns.right / (patterns.copies @ patterns.asked)
    start = np.concatenate([np.ones(items if model == "2pl" else 1), 1.2 * np.log(easiness / (1 - easiness))])

    def loss(parameters: FloatArray) -> tuple[float, FloatArray]:
        value, slope = _log_likelihood(parameters, patterns, POINTS)
        return -value / respondents, -slope / respondents

    found = minimize(loss, start, jac=True, method="BFGS", options={"gtol": 1e-7, "maxiter": 2_000})
    best: FloatArray = found.x
    value, slope = _log_likelihood(best, patterns, POINTS)
    slopes = best[:-items]
    if np.abs(slopes).max() > _STEEPEST:
        item = int(np.abs(slopes).argmax())
        return Refused(
            f"the discrimination of item {item} grows without end: it splits the respondents cleanly"
        )
    if np.abs(slope).max() / respondents > 1e-5:
        return Refused("the likelihood has no clear maximum: too few respondents or items")
    if abs(_log_likelihood(best, patterns, 2 * POINTS - 1)[0] - value) > 1e-3 * max(1.0, abs(value) / 1_000):
        return Refused("the quadrature is too coarse for such steep items")
    return _result(model, best, patterns, respondents, items, value)


def _unfit(patterns: _Patterns, respondents: int, items: int, fewest: int, least_items: int) -> str | None:
    if items < least_items:
        return f"{items} item(s) do not settle the parameters; {least_items} are the least"
    if respondents < fewest:
        return f"{respondents} respondents are too few; {fewest} are the least"
    right, asked = patterns.copies @ patterns.right, patterns.copies @ patterns.asked
    constant = np.flatnonzero((right == 0) | (right == asked))
    if len(constant):
        return f"items without variance have no finite difficulty: {', '.join(map(str, constant.tolist()))}"
    return None


def _as_patterns(responses: ArrayLike) -> _Patterns:
    try:
        table = np.array(responses, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"responses must be a table of 0, 1 and missing: {error}") from None
    if table.ndim != 2 or table.size == 0:
        raise ValueError(
            f"responses must have a row for each respondent, a column for each item, got {table.shape}"
        )
    known = ~np.isnan(table)
    wrong = known & (table != 0) & (table != 1)
    if wrong.any():
        raise ValueError(f"a response must be 1, 0 or missing, got {table[wrong][0]}")
    answered = np.where(known, table, -1.0)[known.any(axis=1)]
    if not len(answered):
        raise ValueError("responses must hold at least one answer, got none")
    rows, copies = np.unique(answered, axis=0, return_counts=True)
    return _Patterns((rows == 1).astype(float), (rows >= 0).astype(float), copies.astype(float))


def _log_likelihood(parameters: FloatArray, patterns: _Patterns, points: int) -> tuple[float, FloatArray]:
    """The marginal log-likelihood and its gradient in the slopes (one, or one an item) and the intercepts."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(points)
    items = patterns.right.shape[1]
    slopes, intercepts = parameters[:-items], parameters[-items:]
    logits = np.broadcast_to(slopes, items)[:, None] * nodes + intercepts[:, None]
    log_wrong = -np.logaddexp(0, logits)
    with np.errstate(divide="ignore"):
        joint = patterns.right @ logits + patterns.asked @ log_wrong + np.log(weights / weights.sum())
    highest = joint.max(axis=1, keepdims=True)
    likelihood = np.exp(joint - highest)
    total = likelihood.sum(axis=1, keepdims=True)
    value = float(patterns.copies @ (np.log(total) + highest)[:, 0])
    # Respondents expected at each node, right and asked, give the gradient in the logits.
    expected = patterns.copies[:, None] * likelihood / total
    residual = patterns.right.T @ expected - (patterns.asked.T @ expected) * np.exp(logits + log_wrong)
    in_slopes = residual @ nodes
    if len(slopes) == 1:
        in_slopes = in_slopes.sum(keepdims=True)
    return value, np.concatenate([in_slopes, residual.sum(axis=1)])


def _result(
    model: Literal["rasch", "2pl"],
    best: FloatArray,
    patterns: _Patterns,
    respondents: int,
    items: int,
    value: float,
) -> ItemResponse | Refused:
    information = -_jacobian(lambda parameters: _log_likelihood(parameters, patterns, POINTS)[1], best)
    if np.linalg.eigvalsh(information).min() <= 1e-6 * respondents:
        return Refused("the data do not settle the parameters: the likelihood is flat at its maximum")
    covariance = np.linalg.inv(information)
    side = 1.0 if best[:-items].sum() > 0 else -1.0
    slopes = np.broadcast_to(side * best[:-items], items)
    intercepts = best[-items:]
    place = np.arange(items) if model == "2pl" else np.zeros(items, dtype=int)
    of_slope = np.diag(covariance)[place]
    uncertain = np.abs(slopes) < 2 * np.sqrt(of_slope)
    if model == "rasch" and uncertain[0]:
        return Refused("the responses show no common ability: the discrimination cannot be told from 0")
    of_intercept = np.diag(covariance)[-items:]
    between = side * covariance[place, np.arange(-items, 0)]
    # b = -d / a, by the delta method.
    difficulty = -intercepts / slopes
    variance = (of_intercept + difficulty**2 * of_slope + 2 * difficulty * between) / slopes**2
    return ItemResponse(
        model=model,
        discrimination=tuple(slopes.tolist()),
        difficulty=tuple(difficulty.tolist()),
        discrimination_error=tuple(np.sqrt(of_slope).tolist()),
        difficulty_error=tuple(np.sqrt(variance).tolist()),
        log_likelihood=value,
        respondents=respondents,
    )


def _jacobian(function: Callable[[FloatArray], FloatArray], at: FloatArray, step: float = 1e-4) -> FloatArray:
    """By central differences, made symmetric."""
    columns = []
    for i in range(len(at)):
        move = np.zeros(len(at))
        move[i] = step
        columns.append((function(at + move) - function(at - move)) / (2 * step))
    jacobian = np.array(columns)
    symmetric: FloatArray = (jacobian + jacobian.T) / 2
    return symmetric
