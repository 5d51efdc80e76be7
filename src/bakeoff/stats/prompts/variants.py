"""How much a score depends on the wording of the prompt.

`scores` (variants, items) are those of one model, each prompt variant on the same items, in [0, 1]; average
repeats first. For right-or-wrong scores `worst_case` is the share of items right under all variants,
`best_case` under any, and `flip_rate` the chance that two variants differ in whether an item is right.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import FloatArray, as_numbers
from bakeoff.stats.board.table import as_complete
from bakeoff.stats.midranks import midranks, tie_sizes


@dataclass(frozen=True, slots=True)
class Robustness:
    """One model's scores over its prompt variants.

    `mean`, `sd`, `lowest`, `highest`, `spread` (highest - lowest; FormatSpread, Sclar et al. 2024, arXiv
    2310.11324) and the quantiles `q05`, `q50`, `q95` are of the variants' mean scores. `worst_case` and
    `best_case` are means over items of the lowest and highest score, `flip_rate` the mean absolute difference
    of two variants on an item, `consistency` the share of items on which all variants score the same. `sd`
    and `flip_rate` are None for one variant. `cps` is Mizrahi's combined performance score.
    """

    variants: int
    items: int
    mean: float
    sd: float | None
    lowest: float
    highest: float
    spread: float
    q05: float
    q50: float
    q95: float
    worst_case: float
    best_case: float
    flip_rate: float | None
    consistency: float
    cps: float


def robustness(scores: ArrayLike) -> Robustness:
    """What to publish of a model and task over prompt variants; quantiles interpolate between variants.

    Raises:
        ValueError: not a complete table (variants, items) of numbers in [0, 1].
    """
    table = _scores(scores)
    variants, items = table.shape
    means = np.sort(table.mean(axis=1))
    by_item = np.sort(table, axis=0)
    q05, q50, q95 = np.quantile(means, [0.05, 0.5, 0.95]).tolist()
    return Robustness(
        variants=variants,
        items=items,
        mean=float(means.mean()),
        sd=float(means.std(ddof=1)) if variants > 1 else None,
        lowest=float(means[0]),
        highest=float(means[-1]),
        spread=float(means[-1] - means[0]),
        q05=q05,
        q50=q50,
        q95=q95,
        worst_case=float(by_item[0].mean()),
        best_case=float(by_item[-1].mean()),
        flip_rate=_flip_rate(by_item) if variants > 1 else None,
        consistency=float((by_item[0] == by_item[-1]).mean()),
        cps=cps(means),
    )


def cps(means: ArrayLike) -> float:
    """Combined performance score max (1 - (max - mean)) of the variants' mean scores (Mizrahi et al. 2024,
    TACL 12:933): high for a model that is good under its best prompt and not much worse under the others.

    Raises:
        ValueError: no scores, or one outside [0, 1].
    """
    values = as_numbers(means, "means")
    _check_range(values)
    best = float(values.max())
    return best * (1 - (best - float(np.sort(values).mean())))


def kendall_w(scores: ArrayLike) -> float | None:
    """Kendall's W: whether the variants, (variants, models), put the models in the same order; 1 if all do.

    Corrected for ties (Kendall & Gibbons 1990, Rank Correlation Methods, chapter 6), in [0, 1]. None for one
    variant or one model, or if every variant ties all models.

    Raises:
        ValueError: not a table, or a missing or infinite score.
    """
    table = as_complete(scores)
    raters, models = table.shape
    if raters < 2 or models < 2:
        return None
    ties = sum(int((sizes**3 - sizes).sum()) for sizes in map(tie_sizes, table))
    scale = raters**2 * (models**3 - models) - raters * ties
    if scale == 0:
        return None
    sums = np.sum([midranks(row) for row in table], axis=0)
    return float(12 * ((sums - raters * (models + 1) / 2) ** 2).sum() / scale)


def rank_ranges(scores: ArrayLike) -> tuple[tuple[int, int], ...]:
    """For each model its best and its worst rank over the variants, (variants, models), 1 being the first.

    A rank is 1 plus the number of models that score higher, so equal models share the better one.

    Raises:
        ValueError: not a table, or a missing or infinite score.
    """
    table = as_complete(scores)
    ranks = np.array([[int((row > score).sum()) + 1 for score in row] for row in table])
    return tuple(
        (int(low), int(high)) for low, high in zip(ranks.min(axis=0), ranks.max(axis=0), strict=True)
    )


def _flip_rate(by_item: FloatArray) -> float:
    """Mean over items and pairs of variants of |difference|, from each item's sorted scores."""
    variants = len(by_item)
    # In a sorted list the k-th value is subtracted from by k others and subtracts variants - 1 - k.
    signs = 2 * np.arange(variants) - (variants - 1)
    return float((signs @ by_item).mean() / (variants * (variants - 1) / 2))


def _scores(scores: ArrayLike) -> FloatArray:
    table = as_numbers(scores, "scores", ndim=2)
    _check_range(table)
    return table


def _check_range(values: FloatArray) -> None:
    outside = (values < 0) | (values > 1)
    if outside.any():
        raise ValueError(f"scores must lie between 0 and 1, got {values[outside][0]}")
