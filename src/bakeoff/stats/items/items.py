"""What each item of a benchmark tells about models: how hard it is, and whether it tells good from bad.

With the few dozen models of a leaderboard, which are not independent of each other either, an item's own
numbers are rough: a reason to look at it, not to drop it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import FloatArray
from bakeoff.stats.board.table import as_complete

Flag = Literal["all right", "all wrong", "no variance", "negative discrimination"]


@dataclass(frozen=True, slots=True)
class Item:
    """One item. `mean` is the mean score, 1 for an item that all solve. `item_rest` is the correlation over
    models of the item with the sum of the others, in [-1, 1]; None where either does not vary.

    Flags: "all right" and "all wrong" (all scores 1, or 0), "no variance" (all equal, in between), and
    "negative discrimination" (item_rest below 0: weak models do better; a wrong key, perhaps).
    """

    mean: float
    item_rest: float | None
    flags: tuple[Flag, ...]


def item_analysis(scores: ArrayLike) -> tuple[Item, ...]:
    """Mean, item-rest correlation and flags of each item (classical test theory; Crocker & Algina 1986).

    `scores` (models, items) lie in [0, 1] and are complete.

    Raises:
        ValueError: not such a table, fewer than two models, or a score outside [0, 1].
    """
    table = _as_scores(scores)
    rest = table.sum(axis=1, keepdims=True) - table
    correlations = _correlations(table, rest)
    return tuple(
        Item(float(column.mean()), r, _flags(column, r))
        for column, r in zip(table.T, correlations, strict=True)
    )


def cronbach(scores: ArrayLike) -> float | None:
    """Cronbach's alpha (1951, Psychometrika 16:297); for 0 and 1 it is KR-20 (Kuder & Richardson 1937).

    How well the sum over these items would rank the models as another such set of items does; at most 1, and
    below 0 where items contradict each other. None for one item, or where all models have the same sum.

    Raises:
        ValueError: as for `item_analysis`.
    """
    table = _as_scores(scores)
    items = table.shape[1]
    total = float(table.sum(axis=1).var())
    if items < 2 or total < 1e-12 * items:
        return None
    return float(items / (items - 1) * (1 - table.var(axis=0).sum() / total))


def _as_scores(scores: ArrayLike) -> FloatArray:
    table = as_complete(scores)
    if len(table) < 2:
        raise ValueError(f"two models are the least, got {len(table)}")
    outside = (table < 0) | (table > 1)
    if outside.any():
        raise ValueError(f"scores must lie between 0 and 1, got {table[outside][0]}")
    return table


def _correlations(table: FloatArray, rest: FloatArray) -> Sequence[float | None]:
    x, y = table - table.mean(axis=0), rest - rest.mean(axis=0)
    of_item, of_rest = np.sqrt((x**2).sum(axis=0)), np.sqrt((y**2).sum(axis=0))
    # Equal numbers leave a trace of rounding.
    varies = (np.ptp(table, axis=0) > 1e-9) & (np.ptp(rest, axis=0) > 1e-9)
    together = (x * y).sum(axis=0)
    return [
        min(1.0, max(-1.0, float(t / (a * b)))) if v else None
        for t, a, b, v in zip(together, of_item, of_rest, varies, strict=True)
    ]


def _flags(column: FloatArray, item_rest: float | None) -> tuple[Flag, ...]:
    low, high = float(column.min()), float(column.max())
    if low == 1:
        return ("all right",)
    if high == 0:
        return ("all wrong",)
    if high - low <= 1e-9:
        return ("no variance",)
    return ("negative discrimination",) if item_rest is not None and item_rest < -1e-9 else ()
