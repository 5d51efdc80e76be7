"""Prediction-powered inference: a mean from few human labels and many verdicts of a judge.

Of the items, a random part has human labels and verdicts, the rest verdicts only. The verdicts may be wrong,
and wrong more often for one model than for another: what they add is corrected by the items with both. To
compare models, use the differences of their labels and of their verdicts on each item.
"""

from dataclasses import dataclass
from math import ceil, inf, sqrt

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import FloatArray, as_numbers
from bakeoff.stats.interval import Interval, check_level, normal_quantile, t_quantile
from bakeoff.stats.mean.proportion import wilson, wilson_limits

# Labels on which judge and people differ, and labels of either kind, from which the error is known.
_ENOUGH = 5


@dataclass(frozen=True, slots=True)
class PpiMean:
    """A mean of human labels, had all items been labelled.

    `weight` is how far the verdicts count, from 0 (not at all) to 1. `error` is the standard error and
    `effective_n` the number of labels that would alone give it, both None where the labels do not vary.
    `labels` and `unlabelled` count the items.
    """

    value: float
    error: float | None
    interval: Interval | None
    weight: float
    effective_n: float | None
    labels: int
    unlabelled: int


@dataclass(frozen=True, slots=True)
class Allocation:
    """How many items to label, and how many more to have judged only; `cost` in all, and the number of labels
    without a judge that would do as well.
    """

    labels: int
    unlabelled: int
    cost: float
    effective_n: float


def ppi_mean(
    labels: ArrayLike,
    verdicts: ArrayLike,
    unlabelled: ArrayLike,
    *,
    weight: float | None = None,
    level: float = 0.95,
) -> PpiMean:
    """Mean of `labels` with the help of a judge: PPI++ (Angelopoulos, Duchi & Zrnic 2023, arXiv 2311.01453).

    `verdicts` (n) are those on the labelled items, in their order, `unlabelled` (N) those on the others. The
    estimate is mean(labels) + weight * (mean(unlabelled) - mean(verdicts)). Without `weight` it is the one of
    least variance, cut to [0, 1]; then the variance is never much above that of the labels alone.

    Where labels and verdicts are all 0 or 1 the interval is Wilson's on as many items as give the standard
    error, with Student's t. With fewer than 5 labels of either kind, or fewer than 5 on which judge and
    people differ, nobody knows how wrong the judge is (the normal interval covers 0.5 to 0.9 there), and
    value and interval are those of the labels alone: `weight` is 0 and the method "wilson (labels alone)".
    For other numbers it is Student's t with n - 1 degrees of freedom, to be trusted from 50 or 100 labels;
    None if there is no spread.

    Raises:
        ValueError: labels or verdicts are empty or not finite, lengths differ, fewer than two items on either
            side, weight outside [0, 1], or level outside (0, 1).
    """
    check_level(level)
    people, judge, others = (
        as_numbers(labels, "labels"),
        as_numbers(verdicts, "verdicts"),
        as_numbers(unlabelled, "unlabelled"),
    )
    n, more = len(people), len(others)
    if len(judge) != n:
        raise ValueError(f"each label needs its verdict, got {n} labels and {len(judge)} verdicts")
    if n < 2 or more < 2:
        raise ValueError(f"two labels and two unlabelled items are the least, got {n} and {more}")
    if weight is not None and not 0 <= weight <= 1:
        raise ValueError(f"weight must lie between 0 and 1, got {weight}")
    binary = bool(
        np.isin(people, (0, 1)).all() and np.isin(judge, (0, 1)).all() and np.isin(others, (0, 1)).all()
    )
    if binary and min(people.sum(), n - people.sum(), (people != judge).sum()) < _ENOUGH:
        mean = float(people.mean())
        error = sqrt(float(people.var(ddof=1)) / n)
        interval = wilson(float(people.sum()), n, level)
        alone = Interval(interval.low, interval.high, level, "wilson (labels alone)")
        return PpiMean(mean, error or None, alone, 0.0, float(n) if error else None, n, more)
    if weight is None:
        weight = _best_weight(people, judge, others)
    value = float(people.mean() + weight * (others.mean() - judge.mean()))
    variance = float((people - weight * judge).var(ddof=1) / n + weight**2 * others.var(ddof=1) / more)
    spread = float(people.var(ddof=1))
    if variance <= 1e-24 * max(1.0, value * value):
        return PpiMean(value, None, None, weight, None, n, more)
    t = t_quantile(level, n - 1)
    if binary and 0 < value < 1:
        interval = Interval(*wilson_limits(value, value * (1 - value) / variance, t), level, "wilson-ppi")
    else:
        half = t * sqrt(variance)
        interval = Interval(value - half, value + half, level, "t-ppi")
    return PpiMean(value, sqrt(variance), interval, weight, spread / variance, n, more)


def effective_n(labels: float, unlabelled: float, correlation: float) -> float:
    """How many labels alone would do as well as these with the verdicts, at the best weight (Broska, Howes &
    van Loon 2024). `correlation` is that of labels and verdicts.

    Raises:
        ValueError: no label, a negative number, or a correlation outside [-1, 1].
    """
    if not (0 < labels < inf and 0 <= unlabelled < inf):
        raise ValueError(f"there must be labels, and no negative number of items, got {labels}, {unlabelled}")
    if not -1 <= correlation <= 1:
        raise ValueError(f"correlation must lie between -1 and 1, got {correlation}")
    return labels * (labels + unlabelled) / (labels + unlabelled * (1 - correlation**2))


def allocation(
    correlation: float,
    *,
    label_cost: float,
    verdict_cost: float,
    budget: float | None = None,
    effective_n: float | None = None,
) -> Allocation:
    """The best numbers of labels and of further verdicts for a `budget`, or the cheapest that reach about
    `effective_n` (Broska, Howes & van Loon 2024, The Mixed Subjects Design).

    Labelled items need a verdict too. Both numbers are rounded, but never so that the cost is above the
    budget; `effective_n` of the result is that of the rounded numbers. Without unlabelled items where the
    judge is too dear for what it knows.

    Raises:
        ValueError: correlation outside (-1, 1), a cost that is not above 0, or not exactly one of budget and
            effective_n, above 0 and enough for one label.
    """
    if not -1 < correlation < 1:
        raise ValueError(f"correlation must lie between -1 and 1, both excluded, got {correlation}")
    if not (0 < label_cost < inf and 0 < verdict_cost < inf):
        raise ValueError(f"costs must be above 0, got {label_cost} a label and {verdict_cost} a verdict")
    known, price = correlation**2, verdict_cost / label_cost
    root = sqrt(price * known * (1 - known))
    # What one effective label costs, in labels.
    each = 1 - known + price * known + 2 * root
    if (budget is None) == (effective_n is None):
        raise ValueError(f"give either budget or effective_n, got {budget} and {effective_n}")
    if effective_n is not None:
        reached = effective_n
    else:
        assert budget is not None
        reached = budget / (label_cost * min(each, 1.0))
    if not 1 <= reached < inf:
        raise ValueError(f"not enough for one label: budget {budget}, effective_n {effective_n}")
    if each >= 1:
        labels = int(reached) if effective_n is None else ceil(reached)
        return Allocation(labels, 0, labels * label_cost, float(labels))
    share = 1 - known + root
    labels = max(1, round(reached * share))
    more = round(reached * share * (1 - share) / root)
    if budget is not None:
        labels = min(labels, int(budget / (label_cost + verdict_cost)))
        more = min(more, int((budget - labels * (label_cost + verdict_cost)) / verdict_cost))
    cost = labels * label_cost + (labels + more) * verdict_cost
    return Allocation(labels, more, cost, labels * (labels + more) / (labels + more * (1 - known)))


def labels_needed(
    half_width: float, variance: float, correlation: float = 0.0, *, level: float = 0.95
) -> float:
    """Labels for a normal interval of ± `half_width`, with many more verdicts than labels: z² variance
    (1 - correlation²) / half_width². For a rate p the variance is p (1 - p).

    Raises:
        ValueError: half_width or variance not above 0, correlation outside [-1, 1], or level outside (0, 1).
    """
    z = normal_quantile(level)
    if not (0 < half_width < inf and 0 < variance < inf):
        raise ValueError(f"half_width and variance must be above 0, got {half_width} and {variance}")
    if not -1 <= correlation <= 1:
        raise ValueError(f"correlation must lie between -1 and 1, got {correlation}")
    return z * z * variance * (1 - correlation**2) / half_width**2


def _best_weight(people: FloatArray, judge: FloatArray, others: FloatArray) -> float:
    spread = float(np.concatenate([judge, others]).var(ddof=1))
    if spread <= 0:
        return 0.0
    together = float(np.cov(people, judge)[0, 1])
    return min(1.0, max(0.0, together / ((1 + len(people) / len(others)) * spread)))
