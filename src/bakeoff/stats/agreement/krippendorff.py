"""Krippendorff's alpha: agreement of any number of raters, on any scale, with missing ratings."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.agreement.ratings import as_ratings, counts_of
from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.interval import Interval, check_level, normal_quantile
from bakeoff.stats.mean.proportion import wilson_limits

Metric = Literal["nominal", "ordinal", "interval", "ratio"]

_CELLS = 1 << 22  # of draws by kinds of items, held at once


@dataclass(frozen=True, slots=True)
class Alpha:
    """Krippendorff's alpha under `metric`.

    `value` is at most 1, 0 by chance; None where all ratings are equal, for then nothing shows whether raters
    can tell items apart. `interval` is None without a value or with a single item. `items` counts those with
    two ratings or more, `ratings` their ratings. `undefined` counts the resamples left out because their
    ratings were all equal: where it is not small beside the draws, the interval is of little worth.
    """

    value: float | None
    metric: Metric
    interval: Interval | None
    items: int
    ratings: int
    undefined: int


def krippendorff(
    ratings: ArrayLike,
    metric: Metric = "nominal",
    *,
    level: float = 0.95,
    draws: int = 2_000,
    seed: int = 0,
) -> Alpha | None:
    """Krippendorff's alpha, 1 - observed / expected disagreement (Krippendorff 2011; 2019, 4th edition).

    `ratings` (items, raters), NaN or None where missing; items with a single rating are left out, and the
    result is None if no others remain. Disagreement of two ratings: 1 if they differ (nominal); the square of
    the difference (interval), of the difference of midranks among all ratings (ordinal), or of the difference
    over the sum (ratio, for ratings of 0 and above).

    The interval is the percentile bootstrap's over items, expected disagreement computed anew in each
    resample. Where resamples do not differ (all agree, say) it is Wilson's for the observed disagreement as
    a share of the largest that is possible, the expected one taken as known; `method` says which. The order
    of items and of raters has no influence, nor have the numbers that stand for nominal categories, beyond
    the chance of the draws.

    Raises:
        ValueError: ratings are not such a table, or negative with "ratio"; an unknown metric; draws < 1; or
            level outside (0, 1).
    """
    check_level(level)
    if draws < 1:
        raise ValueError(f"draws must be at least 1, got {draws}")
    table = as_ratings(ratings)
    values = np.unique(table[~np.isnan(table)])
    if metric == "ratio" and values[0] < 0:
        raise ValueError(f"a ratio scale starts at 0, got a rating of {values[0]}")
    counts = counts_of(table, values)
    counts = counts[counts.sum(axis=1) >= 2]
    items, pairable = len(counts), int(counts.sum())
    if not items:
        return None
    kinds, copies = np.unique(counts, axis=0, return_counts=True)
    disagreements = _disagreements(kinds.astype(np.float64), values, metric)
    observed, expected = (float(part[0]) for part in disagreements(copies[None].astype(np.float64)))
    if expected < 1e-12:
        return Alpha(None, metric, None, items, pairable, 0)
    value = 1 - observed / expected
    if items < 2:
        return Alpha(value, metric, None, items, pairable, 0)
    alphas = _resampled(disagreements, copies.astype(np.int64), draws, seed)
    undefined = draws - len(alphas)
    low, high = inf, inf
    if len(alphas):
        low, high = (float(np.quantile(alphas, tail)) for tail in ((1 - level) / 2, (1 + level) / 2))
    if high - low > 1e-9:
        interval = Interval(min(low, value), max(high, value), level, "percentile bootstrap")
    else:
        # Observed and expected are shares of the largest disagreement.
        least, most = wilson_limits(min(1.0, observed), items, normal_quantile(level))
        interval = Interval(1 - most / expected, 1 - least / expected, level, "wilson (no spread)")
    return Alpha(value, metric, interval, items, pairable, undefined)


def _disagreements(
    kinds: FloatArray, values: FloatArray, metric: Metric
) -> Callable[[FloatArray], tuple[FloatArray, FloatArray]]:
    """A function from how often each kind of item occurs, shape (draws, kinds), to observed and expected
    disagreement of each draw, both as shares of the largest that two of the values can have.
    """
    ratings = kinds.sum(axis=1)
    if metric == "nominal":
        apart = 1.0 - np.eye(len(values))
    elif metric == "ratio":
        total = np.maximum(values[:, None] + values, np.finfo(float).tiny)
        apart = ((values[:, None] - values) / total) ** 2
    elif metric == "interval":
        reach = max(float(np.ptp(values)), np.finfo(float).tiny)
        apart = ((values[:, None] - values) / reach) ** 2
    elif metric == "ordinal":
        return lambda occurs: _ordinal(occurs, kinds)
    else:
        raise ValueError(f"metric must be nominal, ordinal, interval or ratio, got {metric!r}")
    apart = apart / max(float(apart.max()), np.finfo(float).tiny)
    within = ((kinds @ apart) * kinds).sum(axis=1) / (ratings - 1)

    def disagreements(occurs: FloatArray) -> tuple[FloatArray, FloatArray]:
        margins = occurs @ kinds
        n = margins.sum(axis=1)
        return occurs @ within / n, ((margins @ apart) * margins).sum(axis=1) / (n * (n - 1))

    return disagreements


def _ordinal(occurs: FloatArray, kinds: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The ordinal distance of two values is that of their midranks among all ratings of the draw."""
    margins = occurs @ kinds
    n = margins.sum(axis=1)
    ranks = np.cumsum(margins, axis=1) - margins / 2
    reach = np.maximum(np.ptp(ranks, axis=1), 1.0)
    # Distances within 1, and from the middle, so that squares keep their digits.
    ranks = (ranks - n[:, None] / 2) / reach[:, None]
    ratings = kinds.sum(axis=1)
    of_items = 2 * (ratings * (ranks**2 @ kinds.T) - (ranks @ kinds.T) ** 2) / (ratings - 1)
    spread = 2 * (n * (margins * ranks**2).sum(axis=1) - (margins * ranks).sum(axis=1) ** 2)
    return (occurs * np.maximum(of_items, 0)).sum(axis=1) / n, np.maximum(spread, 0) / (n * (n - 1))


def _resampled(
    disagreements: Callable[[FloatArray], tuple[FloatArray, FloatArray]],
    copies: IntArray,
    draws: int,
    seed: int,
) -> FloatArray:
    """Alphas of resamples of the items, without those that have none."""
    random = np.random.default_rng(seed)
    items = int(copies.sum())
    rows = max(1, _CELLS // len(copies))
    alphas = []
    for first in range(0, draws, rows):
        occurs = random.multinomial(items, copies / items, size=min(rows, draws - first))
        observed, expected = disagreements(occurs.astype(np.float64))
        defined = expected > 1e-12
        alphas.append(1 - observed[defined] / expected[defined])
    return np.concatenate(alphas)
