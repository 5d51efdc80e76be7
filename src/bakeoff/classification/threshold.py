"""The threshold on a probability that costs least, never judged on the items that it was chosen on."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from bakeoff.classification.costs import Costs
from bakeoff.seed import item_seed
from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.classes.cost import cost_curve

FOLDS = 10


@dataclass(frozen=True, slots=True)
class Choice:
    """Flag scores of at least `threshold`, in [0, 1]; None: flag nothing. `apparent` is the expected cost of
    1,000 cases on the very items it was chosen on, which is too low for others.
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
        threshold = 0.0
    else:
        threshold = (ends[best] + ends[best + 1]) / 2
    return Choice(threshold, float(values[best]))


def nested(
    scores: FloatArray, positive: IntArray, units: Sequence[str], costs: Costs, prevalence: float, task: str
) -> Nested | None:
    """Flag each item by the threshold that is cheapest on the other folds.

    Units stay whole, and those with positives are spread evenly over `FOLDS` folds, in an order drawn by a
    hash of the task's name and the unit: neither the order of the items nor the number of workers matters.
    None where the items outside a fold lack positives or negatives.
    """
    fold_of = _folds(positive, units, task)
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


def _folds(positive: IntArray, units: Sequence[str], task: str) -> IntArray:
    holds: defaultdict[str, bool] = defaultdict(bool)
    for unit, label in zip(units, positive, strict=True):
        holds[unit] |= bool(label)
    order = sorted(holds, key=lambda unit: (holds[unit], item_seed(0, task, unit, "threshold"), unit))
    fold = {unit: place % FOLDS for place, unit in enumerate(order)}
    return np.array([fold[unit] for unit in units], dtype=np.int64)
