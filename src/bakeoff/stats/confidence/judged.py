"""Confidences beside verdicts: what calibration and selective prediction work on."""

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import FloatArray, as_numbers


def as_judged(
    confidence: ArrayLike, correct: ArrayLike, *, probabilities: bool = True
) -> tuple[FloatArray, FloatArray]:
    """Confidences and verdicts (1 right, 0 wrong) of the items, sorted by both.

    Sorted, because then sums do not depend on the order of the items. With `probabilities` a confidence must
    lie in [0, 1]; otherwise any finite number will do, and only the order counts.

    Raises:
        ValueError: no items, lengths differ, a number that is not finite, a confidence outside [0, 1], or a
            verdict other than 0 and 1.
    """
    confidences, verdicts = as_confidence(confidence, probabilities=probabilities), as_verdicts(correct)
    if len(confidences) != len(verdicts):
        raise ValueError(
            f"each confidence needs its verdict, got {len(confidences)} confidences "
            f"and {len(verdicts)} verdicts"
        )
    order = np.lexsort((verdicts, confidences))
    return confidences[order], verdicts[order]


def as_confidence(confidence: ArrayLike, *, probabilities: bool = True) -> FloatArray:
    """Confidences in the order given.

    Raises:
        ValueError: none, one that is not finite, or (with `probabilities`) one outside [0, 1].
    """
    confidences = as_numbers(confidence, "confidence")
    outside = (confidences < 0) | (confidences > 1)
    if probabilities and outside.any():
        raise ValueError(f"a confidence lies between 0 and 1 (0.9, not 90), got {confidences[outside][0]}")
    return confidences


def as_verdicts(correct: ArrayLike) -> FloatArray:
    """Verdicts, 1 right and 0 wrong, in the order given.

    Raises:
        ValueError: none, or one other than 0 and 1.
    """
    verdicts = as_numbers(correct, "correct")
    other = (verdicts != 0) & (verdicts != 1)
    if other.any():
        raise ValueError(f"correct must be 1 (right) or 0 (wrong), got {verdicts[other][0]}")
    return verdicts
