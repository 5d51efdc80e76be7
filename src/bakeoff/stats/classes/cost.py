"""What errors cost where they cost differently: per 1,000 cases, at the share of positives of interest.

The rates are those measured on positives and on negatives; see `prevalence` for when they carry over. A
threshold chosen on the items that it is then judged on looks cheaper than it is: choose it on others.
"""

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import FloatArray, IntArray, as_numbers
from bakeoff.stats.classes.prevalence import check_prevalence
from bakeoff.stats.confidence.judged import as_verdicts
from bakeoff.stats.interval import Interval, check_level
from bakeoff.stats.mean.proportion import wilson

CASES = 1_000
"""Costs are of so many cases."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Expected cost of 1,000 cases, in the unit of the costs of one."""

    value: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class CostCurve:
    """Expected cost of 1,000 cases when all scores of at least `thresholds[i]` are flagged: `costs[i]`.

    In falling order of the thresholds, from infinity (nothing is flagged) to the lowest score (everything).
    """

    thresholds: tuple[float, ...]
    costs: tuple[float, ...]


def bayes_threshold(false_positive: float, false_negative: float) -> float:
    """The calibrated probability from which flagging is cheaper than not: c_FP / (c_FP + c_FN).

    Costs are of an error over the right decision (Elkan 2001, IJCAI).

    Raises:
        ValueError: a cost is negative or not finite, or both are 0.
    """
    _check_costs(false_positive, false_negative)
    return false_positive / (false_positive + false_negative)


def best_action(probabilities: ArrayLike, costs: ArrayLike) -> IntArray:
    """For each item the action of least expected cost; the first, where several are.

    `probabilities` (items, classes) sum to 1, `costs` (classes, actions).

    Raises:
        ValueError: not such arrays, or a row of probabilities outside [0, 1] or with another sum.
    """
    beliefs = as_numbers(probabilities, "probabilities", ndim=2)
    prices = as_numbers(costs, "costs", ndim=2)
    if beliefs.shape[1] != len(prices):
        raise ValueError(f"costs need a row for each of {beliefs.shape[1]} classes, got {len(prices)}")
    wrong = (np.abs(beliefs.sum(axis=1) - 1) > 1e-6) | (beliefs < 0).any(axis=1)
    if wrong.any():
        item = int(np.flatnonzero(wrong)[0])
        raise ValueError(f"probabilities of item {item} must be at least 0 and sum to 1, got {beliefs[item]}")
    actions: IntArray = np.argmin(beliefs @ prices, axis=1).astype(np.int64)
    return actions


def expected_cost(counts: ArrayLike, costs: ArrayLike, prevalence: ArrayLike) -> float | None:
    """Expected cost of 1,000 cases for any number of classes and actions.

    `counts` (classes, actions): how many items of each class met each action; `costs` of the same shape;
    `prevalence` (classes): the shares of the classes, of sum 1. None if a class that occurs has no item.

    Raises:
        ValueError: shapes do not fit, counts are negative or not whole, or shares are not shares.
    """
    seen, prices = as_numbers(counts, "counts", ndim=2), as_numbers(costs, "costs", ndim=2)
    shares = as_numbers(prevalence, "prevalence")
    if seen.shape != prices.shape or len(shares) != len(seen):
        raise ValueError(
            f"counts and costs must have one shape, with a share for each row, got {seen.shape}, "
            f"{prices.shape} and {len(shares)} shares"
        )
    wrong = (seen < 0) | (seen != np.round(seen))
    if wrong.any():
        raise ValueError(f"counts must be whole numbers from 0, got {seen[wrong][0]}")
    if (shares < 0).any() or abs(float(shares.sum()) - 1) > 1e-6:
        raise ValueError(f"prevalence must be shares of sum 1, got {shares.tolist()}")
    items = seen.sum(axis=1)
    occurs = shares > 0
    if not items[occurs].all():
        return None
    of_class = (seen * prices).sum(axis=1)[occurs] / items[occurs]
    return CASES * float(shares[occurs] @ of_class)


def error_cost(
    fn: int,
    positives: int,
    fp: int,
    negatives: int,
    *,
    false_positive: float,
    false_negative: float,
    prevalence: float,
    level: float = 0.95,
    rates: tuple[Interval, Interval] | None = None,
) -> Cost | None:
    """Expected cost of 1,000 cases for flagging or not, the right decision costing nothing.

    The interval adds up the two rates' Wilson intervals by squares (MOVER, Zou & Donner 2008, Stat. Med.
    27:1693), so that it has a width where no error was seen; `rates` are intervals of the share of positives
    that is missed and of the share of negatives that is flagged to take instead, where items come in groups.
    None without positives or without negatives.

    Raises:
        ValueError: counts or costs are negative, an error count above its total, both costs 0, or prevalence
            or level outside (0, 1).
    """
    check_level(level)
    _check_costs(false_positive, false_negative)
    check_prevalence(prevalence)
    for name, count, of in (("fn", fn, positives), ("fp", fp, negatives)):
        if not 0 <= count <= of or count % 1 or of % 1:
            raise ValueError(f"{name} must be a whole number from 0 to {of}, got {count}")
    if not positives or not negatives:
        return None
    missed, alarms = rates or (wilson(fn, positives, level), wilson(fp, negatives, level))
    parts = (
        (CASES * prevalence * false_negative, fn / positives, missed),
        (CASES * (1 - prevalence) * false_positive, fp / negatives, alarms),
    )
    value = sum(price * rate for price, rate, _ in parts)
    below = sqrt(sum((price * (rate - interval.low)) ** 2 for price, rate, interval in parts))
    above = sqrt(sum((price * (interval.high - rate)) ** 2 for price, rate, interval in parts))
    method = "mover-wilson" if rates is None else f"mover-{missed.method}"
    return Cost(value, Interval(value - below, value + above, level, method))


def cost_curve(
    scores: ArrayLike,
    positive: ArrayLike,
    *,
    false_positive: float,
    false_negative: float,
    prevalence: float,
) -> CostCurve | None:
    """Expected cost at every threshold that tells items apart; equal scores are flagged together.

    `scores` are higher for what looks positive; `positive` is 1 or 0. None without positives or negatives.

    Raises:
        ValueError: no items, lengths differ, a score that is not finite, a label other than 0 and 1, costs
            negative or both 0, or prevalence outside (0, 1).
    """
    _check_costs(false_positive, false_negative)
    check_prevalence(prevalence)
    values, labels = as_numbers(scores, "scores"), as_verdicts(positive)
    if len(values) != len(labels):
        raise ValueError(f"each score needs its label, got {len(values)} scores and {len(labels)} labels")
    positives = float(labels.sum())
    negatives = len(labels) - positives
    if not positives or not negatives:
        return None
    thresholds, place = np.unique(-values, return_inverse=True)
    hits: FloatArray = np.cumsum(np.bincount(place, labels))
    alarms: FloatArray = np.cumsum(np.bincount(place, 1 - labels))
    missed = np.append(1.0, 1 - hits / positives)
    costs = CASES * (
        prevalence * false_negative * missed
        + (1 - prevalence) * false_positive * np.append(0.0, alarms / negatives)
    )
    return CostCurve((inf, *(-thresholds).tolist()), tuple(costs.tolist()))


def _check_costs(false_positive: float, false_negative: float) -> None:
    for name, cost in (("false_positive", false_positive), ("false_negative", false_negative)):
        if not 0 <= cost < inf:
            raise ValueError(f"the cost {name} must be finite and at least 0, got {cost}")
    if not false_positive + false_negative:
        raise ValueError("an error of one kind at least must cost something, got 0 and 0")
