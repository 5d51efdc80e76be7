"""The Brier score and what it is made of (Brier 1950, Monthly Weather Review 78:1)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.confidence.judged import as_judged
from bakeoff.stats.confidence.options import as_options
from bakeoff.stats.confidence.reliability import Rule, bin_sizes, filled_bins


@dataclass(frozen=True, slots=True)
class Decomposition:
    """Parts of a Brier score over bins of confidence; all but `within_covariance` are at least 0.

    `reliability` is the squared miscalibration of the bins (lower is better), `resolution` how far their
    accuracies are spread (higher is better), `uncertainty` accuracy (1 - accuracy) of all items. The other
    two are what confidences that differ inside a bin add and take away.
    """

    reliability: float
    resolution: float
    uncertainty: float
    within_variance: float
    within_covariance: float

    @property
    def three_terms(self) -> float:
        """Murphy's sum: the Brier score of the binned confidences, not that of the confidences themselves."""
        return self.reliability - self.resolution + self.uncertainty

    @property
    def brier(self) -> float:
        """The sum of all five, which is the Brier score exactly."""
        return self.three_terms + self.within_variance - self.within_covariance


def brier(confidence: ArrayLike, correct: ArrayLike) -> float:
    """Mean (confidence - correct)², in [0, 1]; 0 is best, always saying 0.5 gives 0.25.

    Raises:
        ValueError: no items, lengths differ, a confidence outside [0, 1], or a verdict other than 0 and 1.
    """
    confidences, verdicts = as_judged(confidence, correct)
    return float(((confidences - verdicts) ** 2).mean())


def brier_multiclass(probabilities: Sequence[ArrayLike], target: Sequence[int]) -> float:
    """Mean over items of Σ_options (probability - right)², in [0, 2]: Brier's own form.

    `probabilities[i]` are those of item i's options, which may differ in number, and `target[i]` the index of
    the right one. For two options it is twice `brier`.

    Raises:
        ValueError: no items, lengths differ, a probability outside [0, 1], an item whose probabilities do not
            sum to 1 (within 1e-6), or a target that is no option.
    """
    table, shown, targets = as_options(probabilities, target, "probabilities")
    outside = (table < 0) | (table > 1)
    if outside.any():
        raise ValueError(f"a probability lies between 0 and 1, got {table[outside][0]}")
    sums = table.sum(axis=1)
    wrong = np.abs(sums - 1) > 1e-6
    if wrong.any():
        item = int(np.flatnonzero(wrong)[0])
        raise ValueError(f"the probabilities of item {item} must sum to 1, got {sums[item]}")
    right = shown & (np.arange(table.shape[1]) == targets[:, None])
    return float(np.sort(((table - right) ** 2).sum(axis=1)).mean())


def decompose(
    confidence: ArrayLike, correct: ArrayLike, *, n_bins: int = 15, rule: Rule = "width"
) -> Decomposition:
    """Brier score = reliability - resolution + uncertainty + within-bin variance - within-bin covariance.

    The first three are Murphy's (1973, J. Appl. Meteorology 12:595), exact where all confidences of a bin are
    equal (rule "values"); the other two make the sum exact for any bins (Stephenson, Coelho & Jolliffe 2008,
    Weather and Forecasting 23:752).

    Raises:
        ValueError: as for `reliability.bins`.
    """
    confidences, verdicts = as_judged(confidence, correct)
    n = len(confidences)
    starts = filled_bins(confidences, n_bins, rule)
    counts = bin_sizes(starts, n)
    mean_confidence = np.add.reduceat(confidences, starts) / counts
    mean_verdict = np.add.reduceat(verdicts, starts) / counts
    accuracy = float(verdicts.mean())
    from_confidence = confidences - np.repeat(mean_confidence, counts)
    from_verdict = verdicts - np.repeat(mean_verdict, counts)
    return Decomposition(
        reliability=float((counts * (mean_confidence - mean_verdict) ** 2).sum() / n),
        resolution=float((counts * (mean_verdict - accuracy) ** 2).sum() / n),
        uncertainty=accuracy * (1 - accuracy),
        within_variance=float((from_confidence**2).mean()),
        within_covariance=float(2 * (from_confidence * from_verdict).mean()),
    )
