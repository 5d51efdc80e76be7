"""Win rates that people would give, from few labels by people and many verdicts of a judge.

A judge's win rates are not people's, however many verdicts there are. With labels on pairs drawn at random
the verdicts can be put right, and then add to what the labels say (PPI++: `stats.classes.ppi`); where they
know nothing of what people prefer they add nothing, and it says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.errors import BakeoffError
from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.classes.ppi import ppi_mean
from bakeoff.stats.groups import codes
from bakeoff.stats.interval import Interval, check_level, t_quantile
from bakeoff.stats.mean.clustered import clustered
from bakeoff.stats.mean.proportion import wilson_limits

FEW = 50
"""Labels of one model below which its interval is not to be trusted."""
NOTHING = 1.05
"""Gain below which the judge adds nothing worth having."""


@dataclass(frozen=True, slots=True)
class CorrectedRate:
    """The share of its pairs that people would have let a model win, ties as half.

    `rate` and `interval` are None with fewer than two labels. `judge` is the judge's own share and `people`
    that of the labels alone. `weight` (PPI++'s lambda) from 0 to 1 is how far the verdicts count; `gain` is
    how many labels alone would do as well for one label that there is, both as they would be for independent
    pairs: 1 for a judge that adds nothing. `notes` are what a reader must know.
    """

    model: str
    rate: float | None
    interval: Interval | None
    judge: float
    people: float | None
    weight: float
    gain: float
    labels: int
    unlabelled: int
    notes: tuple[str, ...]


def corrected_win_rates(
    first: Sequence[str],
    second: Sequence[str],
    judge: ArrayLike,
    people: ArrayLike,
    items: Sequence[str],
    *,
    level: float = 0.95,
) -> tuple[CorrectedRate, ...]:
    """Win rates of all models over the pairs (k,) of `first` and `second`, by name.

    `judge` (k,) is what the judge gave `first`, in [0, 1], NaN where its verdict could not be read: any value
    is valid that does not look at the labels, and there it is 1/2. `people` (k,) is the mean of what people
    gave it, NaN where nobody was asked. Who was asked about must be drawn at random among all the pairs, and
    a rate is over the pairs of the model as they are. Pairs of one item are not independent: the error is the
    larger one of that for independent pairs and the cluster-robust one (CR1), with Student's t.

    Raises:
        BakeoffError: arguments of different lengths, a value outside [0, 1], or a model against itself.
        ValueError: level outside (0, 1).
    """
    check_level(level)
    verdicts, labels = np.asarray(judge, dtype=np.float64), np.asarray(people, dtype=np.float64)
    if not len(first) == len(second) == len(verdicts) == len(labels) == len(items):
        raise BakeoffError(
            "each pair needs two models, a verdict, a label or none and its item, got "
            f"{len(first)}, {len(second)}, {len(verdicts)}, {len(labels)} and {len(items)}"
        )
    for name, values in (("judge", verdicts), ("people", labels)):
        if ((values < 0) | (values > 1)).any():
            least, most = np.nanmin(values), np.nanmax(values)
            raise BakeoffError(
                f"`{name}` is what the first model got, from 0 to 1: it is from {least:g} to {most:g}"
            )
    if itself := [one for one, other in zip(first, second, strict=True) if one == other]:
        raise BakeoffError(f"{itself[0]!r:.80} is paired with itself")
    verdicts = np.where(np.isnan(verdicts), 0.5, verdicts)
    item = codes(items, len(items), "items")
    one, other = np.array(first, dtype=object), np.array(second, dtype=object)
    found = []
    for model in sorted({*first, *second}):
        own, against = one == model, other == model
        mine = own | against
        found.append(
            _corrected(
                model,
                np.where(own, verdicts, 1 - verdicts)[mine],
                np.where(own, labels, 1 - labels)[mine],
                item[mine],
                level,
            )
        )
    return tuple(found)


def _corrected(
    model: str, verdicts: FloatArray, labels: FloatArray, item: IntArray, level: float
) -> CorrectedRate:
    labelled = ~np.isnan(labels)
    said, n, more = labels[labelled], int(labelled.sum()), int((~labelled).sum())
    people = float(said.mean()) if n else None
    rate, interval, weight, gain = people, None, 0.0, 1.0
    notes = []
    if n < 2:
        rate = None
        notes.append(f"{n} labels: two are the least, and the judge's own rate is no estimate of people's")
    elif more < 2:
        interval = clustered(said, item[labelled], level)
        notes.append(f"{more} pairs are without a label, so the judge adds nothing")
    else:
        found = ppi_mean(said, verdicts[labelled], verdicts[~labelled], level=level)
        rate, weight = found.value, found.weight
        if weight == 0 or found.error is None:
            rate, weight = people, 0.0
            interval = clustered(said, item[labelled], level)
        else:
            gain = (found.effective_n or n) / n
            interval = _interval(found.value, found.error, weight, verdicts, labels, item, level)
        if found.interval is not None and "labels alone" in found.interval.method:
            notes.append(
                "too few labels of either kind, or with another verdict, to know how wrong the judge is"
            )
        if gain < NOTHING:
            notes.append("the judge adds nothing to the labels")
    if 2 <= n < FEW:
        notes.append(f"{n} labels: the interval is not to be trusted below {FEW}")
    judged = float(verdicts.mean())
    if interval is not None and not interval.low <= judged <= interval.high:
        notes.append("the judge's own rate lies outside the interval: it is wrong, and not by chance")
    return CorrectedRate(model, rate, interval, judged, people, weight, gain, n, more, tuple(notes))


def _interval(
    value: float,
    error: float,
    weight: float,
    verdicts: FloatArray,
    labels: FloatArray,
    item: IntArray,
    level: float,
) -> Interval | None:
    """Wilson's limits on as many pairs as give the error; None with one item alone."""
    labelled = ~np.isnan(labels)
    n, more = int(labelled.sum()), int((~labelled).sum())
    rectified = (labels - weight * verdicts)[labelled]
    others = weight * verdicts[~labelled]
    influence = np.empty(len(labels))
    influence[labelled] = (rectified - rectified.mean()) / n
    influence[~labelled] = (others - others.mean()) / more
    present = codes(item, len(item), "items")
    sums = np.bincount(present, influence)
    if len(sums) < 2:
        return None
    of_items = sqrt(len(sums) / (len(sums) - 1) * float((sums**2).sum()))
    labels_of = np.bincount(present[labelled])
    effective = float(n**2 / (labels_of**2).sum())
    spread = max(error, of_items)
    t = t_quantile(level, max(1.0, effective - 1))
    if not 0 < value < 1:
        return Interval(max(0.0, value - t * spread), min(1.0, value + t * spread), level, "t-ppi over items")
    low, high = wilson_limits(value, value * (1 - value) / spread**2, t)
    return Interval(low, high, level, "wilson-ppi over items")
