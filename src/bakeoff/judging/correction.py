"""A judge's mean corrected by people's labels on a random part of the items, and how many are needed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, sqrt

import numpy as np

from bakeoff.errors import BakeoffError
from bakeoff.stats.arrays import FloatArray
from bakeoff.stats.classes.ppi import labels_needed, ppi_mean
from bakeoff.stats.interval import Interval, normal_quantile
from bakeoff.stats.mean.proportion import wilson
from bakeoff.stats.pair.graded import graded_difference

FEW = 50
"""Labels below which intervals of values other than 0 and 1 are not to be trusted."""


@dataclass(frozen=True, slots=True)
class Correction:
    """The mean over all items that people would have given, from their labels on some.

    `judge` is the mean of the judge's values on all of them. `people` is from the labels alone, `corrected`
    from labels and verdicts together (PPI++), each with its interval. `weight`, from 0 to 1, is how far the
    verdicts count: 0 where nobody knows how wrong they are. `effective_n` is the number of labels that alone
    would do as well, `correlation` that of labels and verdicts; both None where there is no spread.
    `items` are `labels` + `unlabelled` + `known`: those with an outcome that needs no judge.
    """

    judge: float
    people: float
    people_interval: Interval | None
    corrected: float
    interval: Interval | None
    weight: float
    effective_n: float | None
    correlation: float | None
    variance: float
    items: int
    labels: int
    unlabelled: int
    known: int


def correction(
    judge: Mapping[str, float],
    people: Mapping[str, float],
    known: Sequence[float] = (),
    *,
    signed: bool = False,
    level: float = 0.95,
) -> Correction:
    """Correct the mean of `judge` over items by what `people` say of some of them, drawn at random.

    Values are scores in [0, 1] or, `signed`, differences of two in [-1, 1]. `known` are the values of further
    items that no judge was asked about (empty answers, say): the mean is over all of them. Their share among
    the items is as random as the items are, and the interval says so.

    Raises:
        BakeoffError: fewer than two labels, or one on an item that the judge did not judge.
        ValueError: level outside (0, 1).
    """
    if strange := [item for item in people if item not in judge]:
        raise BakeoffError(
            f"the judge has no verdict on the labelled item {strange[0]!r:.80}",
            "are these the labels of this run?",
        )
    if len(people) < 2:
        raise BakeoffError(
            f"a correction needs two labels or more, got {len(people)}",
            "bakeoff judge sample RUN --n 100 draws the items to label",
        )
    labels = np.array([people[item] for item in people])
    verdicts = np.array([judge[item] for item in people])
    others = np.array([value for item, value in judge.items() if item not in people])
    # Differences of 0 and 1 are no rights and wrongs: halved, they are not taken for them.
    unit = 2.0 if signed else 1.0
    found = ppi_mean(labels / unit, verdicts / unit, others / unit, level=level) if len(others) > 1 else None
    alone, alone_interval = float(labels.mean()), _alone(labels, level, signed=signed)
    rest = np.array(known, dtype=float)
    value, interval = alone, alone_interval
    if found is None or found.interval is None:  # no spread at all in labels and verdicts
        found = None
    else:
        value = unit * found.value
        interval = replace(found.interval, low=unit * found.interval.low, high=unit * found.interval.high)
    spread = bool(labels.std() > 0 and verdicts.std() > 0)
    return Correction(
        judge=float(np.concatenate([list(judge.values()), rest]).mean()),
        people=_with(alone, rest, len(judge)),
        people_interval=_interval_with(alone, alone_interval, rest, len(judge)),
        corrected=_with(value, rest, len(judge)),
        interval=_interval_with(value, interval, rest, len(judge)),
        weight=0.0 if found is None else found.weight,
        effective_n=float(len(labels)) if found is None else found.effective_n,
        correlation=float(np.corrcoef(labels, verdicts)[0, 1]) if spread else None,
        variance=float(labels.var(ddof=1)),
        items=len(judge) + len(rest),
        labels=len(labels),
        unlabelled=len(others),
        known=len(rest),
    )


@dataclass(frozen=True, slots=True)
class Need:
    """How many items people have to label for an interval of ± `half_width`.

    `alone` without a judge; `with_judge` where it judges the `items` there are, and `with_many` where it
    judges many more than are labelled. None where that many are more than there are.
    """

    half_width: float
    level: float
    variance: float
    correlation: float
    items: int | None
    alone: int
    with_judge: int | None
    with_many: int


def need(
    half_width: float,
    *,
    variance: float = 0.25,
    correlation: float = 0.0,
    items: int | None = None,
    level: float = 0.95,
) -> Need:
    """Labels needed for an interval of ± `half_width` around the mean that people would give.

    `variance` is that of people's labels: p (1 - p) for a share, at most 0.25. `correlation` is that of
    labels and verdicts. With n labels among N `items` judged, n N / (N (1 - correlation²) + n correlation²)
    labels alone would do as well (Broska, Howes & van Loon 2024): solved for n.

    Raises:
        BakeoffError: half_width or variance not above 0, correlation outside [-1, 1], fewer than one item.
        ValueError: level outside (0, 1).
    """
    if not 0 < half_width < 1:
        raise BakeoffError(f"--half-width must lie between 0 and 1, got {half_width:g}", "3 points are 0.03")
    if not 0 < variance <= 1:
        raise BakeoffError(
            f"--variance must be above 0 and at most 1, got {variance:g}", "a share of 80 % has 0.8 * 0.2"
        )
    if not -1 <= correlation <= 1:
        raise BakeoffError(f"--correlation must lie between -1 and 1, got {correlation:g}")
    if items is not None and items < 1:
        raise BakeoffError(f"--items must be at least 1, got {items}")
    wanted = labels_needed(half_width, variance, level=level)
    known = correlation**2
    some = None
    if items is not None and items > wanted * known:
        some = ceil(wanted * items * (1 - known) / (items - wanted * known) - 1e-9)
    return Need(
        half_width=half_width,
        level=level,
        variance=variance,
        correlation=correlation,
        items=items,
        alone=ceil(wanted - 1e-9),
        with_judge=None if some is None or items is None or some > items else max(2, some),
        with_many=max(2, ceil(wanted * (1 - known) - 1e-9)),
    )


def _alone(labels: FloatArray, level: float, *, signed: bool) -> Interval | None:
    if not signed and np.isin(labels, (0, 1)).all():
        return wilson(float(labels.sum()), len(labels), level)
    return graded_difference(labels, level=level)


def _with(value: float, rest: FloatArray, judged: int) -> float:
    """The mean over the judged items and the rest."""
    return (judged * value + float(rest.sum())) / (judged + len(rest))


def _interval_with(
    value: float,
    interval: Interval | None,
    rest: FloatArray,
    judged: int,
) -> Interval | None:
    """The interval of `_with`: what the rest adds to the variance joins each side in quadrature (MOVER)."""
    if interval is None or not len(rest):
        return interval
    n = judged + len(rest)
    share, mean = judged / n, float(rest.mean())
    within = float(rest.var(ddof=1)) if len(rest) > 1 else 0.0
    more = (share * (1 - share) * (value - mean) ** 2 + (1 - share) * within) / n
    z, centre = normal_quantile(interval.level), _with(value, rest, judged)
    below, above = (
        sqrt((share * side) ** 2 + z * z * more) for side in (value - interval.low, interval.high - value)
    )
    return Interval(centre - below, centre + above, interval.level, interval.method)
