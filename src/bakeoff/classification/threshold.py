"""The threshold on a probability that costs least, never judged on the items that it was chosen on."""

from dataclasses import dataclass
from math import inf

import numpy as np

from bakeoff.classification.costs import Costs
from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.classes.cost import CASES, cost_curve


@dataclass(frozen=True, slots=True)
class Choice:
    """Flag scores of at least `threshold`; None: flag nothing, -1: everything. `apparent` is the expected
    cost of 1,000 cases on the very items it was chosen on, which is too low for others.
    """

    threshold: float | None
    apparent: float


@dataclass(frozen=True, slots=True)
class Nested:
    """`flagged[i]` is 1 where item i reaches the one of `thresholds` that was chosen without its fold."""

    flagged: IntArray
    thresholds: tuple[float | None, ...]


def flags(scores: FloatArray, threshold: float | None) -> IntArray:
    """1 where a score reaches the threshold."""
    return (scores >= (inf if threshold is None else threshold)).astype(np.int64)


def in_words(threshold: float | None) -> str:
    """What to flag: "0.5617" and above, or what a threshold beyond the probabilities comes to."""
    if threshold is None:
        return "flag nothing"
    if threshold < 0:
        return "flag everything"
    return f"{threshold:.4g}" if threshold <= 1 else "no probability"


def cheapest(scores: FloatArray, positive: IntArray, costs: Costs, prevalence: float) -> Choice | None:
    """The threshold of least expected cost at `prevalence`; of equal ones the highest.

    It lies half-way between the lowest score it flags and the next, as either end would be the best for these
    items alone. None without positives or without negatives.
    """
    curve = cost_curve(
        scores,
        positive,
        false_positive=costs.false_positive,
        false_negative=costs.false_negative,
        prevalence=prevalence,
    )
    if curve is None:
        return None
    values = np.array(curve.costs)
    best = int(np.flatnonzero(values <= values.min() + 1e-9)[0])
    ends = (*curve.thresholds, -inf)
    if best == 0:
        threshold = None
    elif ends[best + 1] == -inf:
        threshold = min(0.0, ends[best])
    else:
        threshold = (ends[best] + ends[best + 1]) / 2
        # Between 0 and the -1 of a case without a probability: all that have one.
        threshold = max(threshold, 0.0) if ends[best] >= 0 else threshold
    return Choice(threshold, float(values[best]))


def nested(
    scores: FloatArray, positive: IntArray, fold_of: IntArray, costs: Costs, prevalence: float
) -> Nested | None:
    """Flag each item by the threshold that is cheapest on the other folds.

    None where the items outside a fold lack positives or negatives.
    """
    flagged = np.zeros(len(scores), dtype=np.int64)
    thresholds = []
    for fold in range(int(fold_of.max()) + 1):
        inside = fold_of == fold
        if inside.all():
            return None
        choice = cheapest(scores[~inside], positive[~inside], costs, prevalence)
        if choice is None:
            return None
        flagged[inside] = flags(scores[inside], choice.threshold)
        thresholds.append(choice.threshold)
    return Nested(flagged, tuple(thresholds))


def nested_draws(
    scores: FloatArray,
    positive: IntArray,
    fold_of: IntArray,
    clusters: IntArray,
    costs: Costs,
    prevalence: float,
    *,
    draws: int = 500,
    seed: int = 0,
) -> FloatArray:
    """The cost of `nested` on redrawn items: the thresholds are chosen anew each time, so that the spread of
    the costs has that of the choice in it.

    Whole clusters are drawn, those with positives apart from the others, and keep their fold, so that no
    copy of an item chooses the threshold that another copy is judged by. Draws without positives or
    negatives outside a fold are left out.
    """
    random = np.random.default_rng(seed)
    distinct, place = np.unique(-scores, return_inverse=True)
    folds = np.arange(int(fold_of.max()) + 1)
    cell = fold_of * len(distinct) + place
    shape = (len(folds), len(distinct))
    groups = int(clusters.max()) + 1
    holds = np.bincount(clusters, positive, groups) > 0
    prices = CASES * prevalence * costs.false_negative, CASES * (1 - prevalence) * costs.false_positive
    found = []
    for _ in range(draws):
        times = np.zeros(groups)
        for kind in (np.flatnonzero(holds), np.flatnonzero(~holds)):
            if len(kind):
                times[kind] = random.multinomial(len(kind), np.full(len(kind), 1 / len(kind)))
        weight = times[clusters]
        right = np.bincount(cell, weight * positive, shape[0] * shape[1]).reshape(shape)
        wrong = np.bincount(cell, weight * (1 - positive), shape[0] * shape[1]).reshape(shape)
        # Of each fold, and of all others together, what is flagged down to each score: first nothing.
        hits, alarms = (np.pad(np.cumsum(each, axis=1), ((0, 0), (1, 0))) for each in (right, wrong))
        others = [each.sum(axis=0) - each for each in (hits, alarms)]
        totals = [each[:, -1:] for each in others]
        if not (totals[0].all() and totals[1].all()):
            continue
        curve = prices[0] * (1 - others[0] / totals[0]) + prices[1] * others[1] / totals[1]
        best = (curve <= curve.min(axis=1, keepdims=True) + 1e-9).argmax(axis=1)
        missed = (right.sum() - hits[folds, best].sum()) / right.sum()
        flagged = alarms[folds, best].sum() / wrong.sum()
        found.append(float(prices[0] * missed + prices[1] * flagged))
    return np.array(found)
