"""How well the probabilities put positives before negatives: curves, and the areas under them."""

from dataclasses import dataclass

import numpy as np

from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.classes.prevalence import precision_at
from bakeoff.stats.classes.rare import AveragePrecision, average_precision
from bakeoff.stats.confidence.auroc import Auroc, auroc

MOST_POINTS = 200
"""Points of the curves that are kept."""
RECALLS = (0.5, 0.8, 0.9, 0.95, 0.99)
"""The recalls at which precision is shown."""


@dataclass(frozen=True, slots=True)
class Point:
    """What flagging scores of at least `threshold` gives on these items; `precision` at the prevalence asked
    for. A threshold that is picked from here has been chosen on the items it is shown for.
    """

    threshold: float
    recall: float
    false_positive_rate: float
    precision: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """Of a run with probabilities. `prevalence` is that of average precision and of all points; it is also
    the average precision of scores that know nothing. `at_recall` has the first point that reaches each of
    `RECALLS`, once; `curve` falls from the highest threshold to the lowest.
    """

    prevalence: float
    average_precision: AveragePrecision
    auroc: Auroc
    at_recall: tuple[Point, ...]
    curve: tuple[Point, ...]


def ranking(
    scores: FloatArray,
    positive: IntArray,
    clusters: IntArray | None = None,
    *,
    prevalence: float | None = None,
    level: float = 0.95,
) -> Ranking | None:
    """Curves and areas, at the share of positives of the items or at another `prevalence`.

    None without positives or without negatives.
    """
    area = auroc(scores, positive, level=level, clusters=clusters)
    average = average_precision(scores, positive, prevalence=prevalence, level=level, clusters=clusters)
    if area is None or average is None:
        return None
    share = float(positive.mean()) if prevalence is None else prevalence
    points = _points(scores, positive, share)
    thinned = np.unique(np.linspace(0, len(points) - 1, min(len(points), MOST_POINTS)).round().astype(int))
    return Ranking(
        prevalence=share,
        average_precision=average,
        auroc=area,
        at_recall=tuple(dict.fromkeys(next(each for each in points if each.recall >= at) for at in RECALLS)),
        curve=tuple(points[place] for place in thinned),
    )


def _points(scores: FloatArray, positive: IntArray, prevalence: float) -> list[Point]:
    thresholds, place = np.unique(-scores, return_inverse=True)
    recall = np.cumsum(np.bincount(place, positive)) / positive.sum()
    alarms = np.cumsum(np.bincount(place, 1 - positive)) / (1 - positive).sum()
    rows = zip(
        (-thresholds).tolist(), np.minimum(recall, 1).tolist(), np.minimum(alarms, 1).tolist(), strict=True
    )
    return [
        Point(threshold, found, wrong, precision_at(found, wrong, prevalence) or 0.0)
        for threshold, found, wrong in rows
    ]
