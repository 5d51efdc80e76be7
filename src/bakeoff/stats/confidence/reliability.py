"""Reliability: how often answers given with a confidence are right.

`confidence` is the probability in [0, 1] that the model gave its answer, `correct` 1 or 0. Items are taken as
independent of each other. The rule says how items are put into bins:

- "width": `n_bins` intervals of one width, (low, high], 0 in the first (Guo et al. 2017, arXiv 1706.04599,
  with 15). Bins that nothing falls into are kept, with n = 0.
- "mass": at most `n_bins` bins of about as many items. Items of one confidence stay together, in the bin
  where the middle of them falls; otherwise the result would depend on the order of the file.
- "values": one bin for each confidence that occurs, for confidences in words or whole percents, which heap at
  90 and 95. `n_bins` is not used.

The expected calibration error (ECE) of a perfectly calibrated model is not 0 but, with 15 bins and 100 items,
about 0.1: chance alone moves each bin off. So show `null_ece` beside it, or compare `debiased_ece`.
"""

from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.confidence.judged import as_confidence, as_judged
from bakeoff.stats.interval import Interval, check_level
from bakeoff.stats.mean.proportion import wilson

Rule = Literal["width", "mass", "values"]

# Uniform numbers drawn at a time: 32 MB.
_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True)
class Bin:
    """Items of similar confidence: how many, their mean confidence, their accuracy and its Wilson interval.

    For equal widths `low` is outside the bin and `high` inside; for the other rules both are the extreme
    confidences in it. An empty bin has None for all that cannot be said.
    """

    low: float
    high: float
    n: int
    confidence: float | None
    accuracy: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class DebiasedEce:
    """The squared calibration error: as it is (`plugin_square`), and without what chance adds to it
    (`square`, below 0 where chance happened to add less).
    """

    square: float
    plugin_square: float

    @property
    def value(self) -> float:
        """The root of `square`, 0 where that is negative: an error in units of probability."""
        return sqrt(max(0.0, self.square))


@dataclass(frozen=True, slots=True)
class NullEce:
    """What the ECE of a perfectly calibrated model would be with these confidences: its mean, and the value
    (`upper`) that it stays at or under with probability `level`.
    """

    mean: float
    upper: float
    level: float


def bins(
    confidence: ArrayLike, correct: ArrayLike, *, n_bins: int = 15, rule: Rule = "width", level: float = 0.95
) -> tuple[Bin, ...]:
    """The bins of a reliability diagram, in increasing confidence.

    Raises:
        ValueError: no items, lengths differ, a confidence outside [0, 1], a verdict other than 0 and 1,
            n_bins < 1, an unknown rule, or level outside (0, 1).
    """
    check_level(level)
    confidences, verdicts = as_judged(confidence, correct)
    lows, highs, cuts = _spans(confidences, n_bins, rule)
    return tuple(
        Bin(
            float(low),
            float(high),
            int(stop - start),
            float(confidences[start:stop].mean()) if stop > start else None,
            float(verdicts[start:stop].mean()) if stop > start else None,
            wilson(float(verdicts[start:stop].sum()), int(stop - start), level) if stop > start else None,
        )
        for low, high, start, stop in zip(lows, highs, cuts[:-1], cuts[1:], strict=True)
    )


def ece(confidence: ArrayLike, correct: ArrayLike, *, n_bins: int = 15, rule: Rule = "width") -> float:
    """Expected calibration error Σ_b (n_b/n) |accuracy_b - confidence_b| (Naeini et al. 2015, AAAI), in [0,
    1].

    Biased upwards, the more the fewer items: see `null_ece`.

    Raises:
        ValueError: as for `bins`.
    """
    confidences, verdicts = as_judged(confidence, correct)
    starts = filled_bins(confidences, n_bins, rule)
    return float(np.abs(np.add.reduceat(verdicts - confidences, starts)).sum() / len(confidences))


def debiased_ece(
    confidence: ArrayLike, correct: ArrayLike, *, n_bins: int = 15, rule: Rule = "width"
) -> DebiasedEce:
    """Squared calibration error without its bias (Kumar, Liang & Ma 2019, arXiv 1909.10155).

    Σ_b (n_b/n) [(confidence_b - accuracy_b)² - accuracy_b (1 - accuracy_b) / (n_b - 1)]; a bin of one item,
    whose variance is unknown, adds nothing. It measures the binned confidences: miscalibration that cancels
    inside a bin is not seen.

    Raises:
        ValueError: as for `bins`.
    """
    confidences, verdicts = as_judged(confidence, correct)
    starts = filled_bins(confidences, n_bins, rule)
    counts = bin_sizes(starts, len(confidences))
    accuracy = np.add.reduceat(verdicts, starts) / counts
    squares = (np.add.reduceat(confidences, starts) / counts - accuracy) ** 2
    weights = counts / len(confidences)
    several = counts > 1
    chance = accuracy[several] * (1 - accuracy[several]) / (counts[several] - 1)
    return DebiasedEce(
        square=float((weights[several] * (squares[several] - chance)).sum()),
        plugin_square=float((weights * squares).sum()),
    )


def null_ece(
    confidence: ArrayLike,
    *,
    n_bins: int = 15,
    rule: Rule = "width",
    level: float = 0.95,
    draws: int = 1_000,
    seed: int = 0,
) -> NullEce:
    """The ECE that a perfectly calibrated model with these confidences would show, by simulation.

    Each draw makes every item right with the probability of its confidence. An observed `ece` above `upper`
    is more than chance; one near `mean` is no sign of miscalibration.

    Raises:
        ValueError: no items, a confidence outside [0, 1], n_bins or draws < 1, an unknown rule, or level
            outside (0, 1).
    """
    check_level(level)
    confidences = np.sort(as_confidence(confidence))
    starts = filled_bins(confidences, n_bins, rule)
    expected = np.add.reduceat(confidences, starts)
    right = _calibrated(confidences, starts, draws, seed)
    errors = np.abs(right - expected).sum(axis=1) / len(confidences)
    return NullEce(float(errors.mean()), float(np.quantile(errors, level)), level)


def consistency_band(
    confidence: ArrayLike,
    *,
    n_bins: int = 15,
    rule: Rule = "width",
    level: float = 0.95,
    draws: int = 1_000,
    seed: int = 0,
) -> tuple[Interval | None, ...]:
    """For each of `bins`, where a perfectly calibrated model's accuracy lies with probability `level`.

    Bröcker & Smith 2007 (Weather and Forecasting 22:651). Each bin for itself: of 20 bins one is expected
    outside. None for an empty bin. Confidences of exactly 0 or 1 leave no room: the band has zero width
    there.

    Raises:
        ValueError: as for `null_ece`.
    """
    check_level(level)
    confidences = np.sort(as_confidence(confidence))
    _, _, cuts = _spans(confidences, n_bins, rule)
    filled = np.diff(cuts) > 0
    starts = cuts[:-1][filled]
    accuracy = _calibrated(confidences, starts, draws, seed) / bin_sizes(starts, len(confidences))
    lows, highs = np.quantile(accuracy, [(1 - level) / 2, (1 + level) / 2], axis=0).tolist()
    limits = zip(lows, highs, strict=True)
    return tuple(Interval(*next(limits), level, "consistency-band") if some else None for some in filled)


def filled_bins(ordered: FloatArray, n_bins: int, rule: Rule) -> IntArray:
    """Where each bin that holds something starts in the sorted confidences."""
    _, _, cuts = _spans(ordered, n_bins, rule)
    starts: IntArray = cuts[:-1][np.diff(cuts) > 0]
    return starts


def bin_sizes(starts: IntArray, n: int) -> IntArray:
    """How many of the `n` sorted items each bin holds."""
    return np.diff(np.append(starts, n))


def _spans(ordered: FloatArray, n_bins: int, rule: Rule) -> tuple[FloatArray, FloatArray, IntArray]:
    """Lower and upper ends of the bins, and where they begin and end in the sorted confidences."""
    if n_bins < 1:
        raise ValueError(f"n_bins must be at least 1, got {n_bins}")
    if rule == "width":
        # k / n_bins, not k times the width: a confidence of 0.3 must equal the end of its bin exactly.
        edges = np.arange(n_bins + 1) / n_bins
        cuts = np.searchsorted(ordered, edges, side="right").astype(np.int64)
        cuts[0] = 0
        return edges[:-1], edges[1:], cuts
    n = len(ordered)
    starts = np.flatnonzero(np.diff(ordered, prepend=-1.0)).astype(np.int64)
    if rule == "mass":
        middles_twice = starts + np.append(starts[1:], n)
        bin_of = middles_twice * n_bins // (2 * n)
        starts = starts[np.diff(bin_of, prepend=-1) > 0]
    elif rule != "values":
        raise ValueError(f"rule must be 'width', 'mass' or 'values', got {rule!r}")
    cuts = np.append(starts, n)
    return ordered[cuts[:-1]], ordered[cuts[1:] - 1], cuts


def _calibrated(ordered: FloatArray, starts: IntArray, draws: int, seed: int) -> FloatArray:
    """How many are right in each bin, (draws, bins), if every item is right with its confidence."""
    if draws < 1:
        raise ValueError(f"draws must be at least 1, got {draws}")
    random = np.random.default_rng(seed)
    rows = max(1, _AT_ONCE // len(ordered))
    return np.concatenate(
        [
            np.add.reduceat(
                random.random((min(rows, draws - done), len(ordered))) < ordered,
                starts,
                axis=1,
                dtype=np.float64,
            )
            for done in range(0, draws, rows)
        ]
    )
