"""Where a score's uncertainty comes from: items, prompt variants, repeats."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bakeoff.comparison.align import Aligned
from bakeoff.comparison.comparison import VarianceSplit
from bakeoff.stats.prompts.components import components

FloatArray = NDArray[np.float64]


def splits(aligned: Aligned, labels: Sequence[str], level: float) -> tuple[VarianceSplit, ...]:
    """The split of each candidate, in the order of `labels`; none with one variant and one repeat.

    Where items have unequal numbers of repeats, as many are taken as all items have. A candidate whose score
    has no variance (all right, say) has nothing to split.
    """
    number = {candidate.label: c for c, candidate in enumerate(aligned.candidates)}
    found = (_split(label, _balanced(aligned.scores[number[label]]), level) for label in labels)
    return tuple(each for each in found if each is not None)


def _balanced(scores: FloatArray) -> FloatArray:
    """(variants, items, repeats) without gaps: the first scores of each item, as many as all have."""
    gaps = np.isnan(scores)
    common = int((~gaps).sum(axis=-1).min())
    first = np.argsort(gaps, axis=-1, kind="stable")[..., :common]
    return np.take_along_axis(scores, first, axis=-1)


def _split(label: str, scores: FloatArray, level: float) -> VarianceSplit | None:
    variants, _, repeats = scores.shape
    if variants == repeats == 1:
        return None
    found = components(scores if repeats > 1 else scores[..., 0], level=level)
    if found is None or not found.shares:
        return None
    shares = found.shares
    return VarianceSplit(
        label=label,
        standard_error=found.standard_error,
        items=shares["items"],
        variants=shares.get("variants"),
        repeats=shares.get("repeats"),
        interaction=shares.get("interaction", shares.get("residual")),
    )
