"""How much of an error bar comes from drawing answers, and how much from the choice of items.

With K answers drawn for an item, the variance of a mean over n items is Var(x)/n + E[σ²]/(nK): x is an item's
true mean score, σ² the variance of one answer's score around it (Miller 2024, arXiv 2411.00640). More answers
shrink the second part alone; more items shrink both.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import as_numbers


@dataclass(frozen=True, slots=True)
class Split:
    """The variance of a benchmark's mean, split.

    `variance` is that of `mean`, the mean over `items` of each item's mean: both parts together. `within`
    estimates E[σ²] without bias and `between` Var(x), below 0 where chance has it so. `sampling` is the part
    of `variance` from drawing answers and `share` that part of the whole, cut off at 1. These four are None
    with one answer for every item, where nothing tells the parts apart; `share` is None, too, where
    `variance` is 0.
    """

    mean: float
    variance: float
    items: int
    between: float | None
    within: float | None
    sampling: float | None
    share: float | None

    def variance_with(self, repeats: int, items: int | None = None) -> float | None:
        """The variance to expect of the mean with `repeats` answers for each item (of `items`, if others).

        None with one answer for every item.

        Raises:
            ValueError: repeats or items below 1.
        """
        items = self.items if items is None else items
        if repeats < 1 or items < 1:
            raise ValueError(f"repeats and items start at 1, got repeats={repeats} and items={items}")
        if self.between is None or self.within is None:
            return None
        return (max(0.0, self.between) + self.within / repeats) / items


def sampling_split(scores: Sequence[ArrayLike]) -> Split | None:
    """Split the variance of the mean of `scores`: one sequence per item, one score per repeat.

    A 2-D array is (items, repeats); items may also have different numbers of repeats. Where a few have just
    one, their σ² is taken to be the mean of the others'. None with one item alone.

    Raises:
        ValueError: no items, an item without a score, or a score that is not finite.
    """
    rows = [as_numbers(row, f"scores of item {i}") for i, row in enumerate(scores)]
    n = len(rows)
    if n == 0:
        raise ValueError("scores must hold at least one item, got none")
    if n == 1:
        return None
    means = np.array([row.mean() for row in rows])
    mean, variance = float(means.mean()), float(means.var(ddof=1) / n)
    repeats = np.array([len(row) for row in rows])
    several = repeats > 1
    if not several.any():
        return Split(mean, variance, n, between=None, within=None, sampling=None, share=None)
    noise = np.array([row.var(ddof=1) if len(row) > 1 else 0.0 for row in rows])
    within = float(noise[several].mean())
    of_means = float((np.where(several, noise, within) / repeats).mean())
    sampling = of_means / n
    return Split(
        mean,
        variance,
        n,
        between=variance * n - of_means,
        within=within,
        sampling=sampling,
        share=min(1.0, sampling / variance) if variance > 0 else None,
    )
