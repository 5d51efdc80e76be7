"""Kappa: agreement beyond what raters would reach by chance if each kept to shares of their own.

As for all kappas, `observed` and `shares` belong beside it; see `agreement`.
"""

from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.agreement.agreement import (
    Agreement,
    agreement_interval,
    as_weights,
    item_agreement,
    linearised,
)
from bakeoff.stats.agreement.ratings import as_categories, as_cross_table, as_ratings
from bakeoff.stats.interval import check_level


def cohen(table: ArrayLike, weights: ArrayLike | None = None, *, level: float = 0.95) -> Agreement:
    """Cohen's kappa of two raters (1960, Educ. Psychol. Meas. 20:37), weighted with `weights` (1968).

    `table` (q, q) is that of `cross_table`. The standard error is the asymptotic one of Fleiss, Cohen &
    Everitt (1969, Psychol. Bull. 72:323); the interval is that of `agreement_interval`.

    Raises:
        ValueError: the table is not square, holds no item, or a count that is negative or not whole; weights
            are not a symmetric (q, q) array in [0, 1] with 1 on the diagonal; or level outside (0, 1).
    """
    check_level(level)
    cells = as_cross_table(table)
    weight = as_weights(weights, len(cells))
    n = int(cells.sum())
    share = cells / n
    first, second = share.sum(axis=1), share.sum(axis=0)
    observed, chance = float((share * weight).sum()), float(first @ weight @ second)
    shares = tuple(((first + second) / 2).tolist())
    if 1 - chance < 1e-12:
        return Agreement(None, observed, chance, None, None, shares, n)
    value = (observed - chance) / (1 - chance)
    if n < 2:
        return Agreement(value, observed, chance, None, None, shares, n)
    by_chance = (weight @ second)[:, None] + first @ weight
    added = weight - observed - (1 - value) * (by_chance - 2 * chance)
    error = sqrt(float((share * added**2).sum()) / n) / (1 - chance)
    interval = agreement_interval(observed, chance, error, n, level)
    return Agreement(value, observed, chance, error, interval, shares, n)


def conger(
    ratings: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    categories: ArrayLike | None = None,
    level: float = 0.95,
) -> Agreement | None:
    """Conger's kappa of two raters or more (1980, Psychol. Bull. 88:322): Cohen's, with the chances of all
    pairs of raters averaged.

    `ratings` (items, raters), NaN or None where missing. A rater's shares are those of the items that rater
    saw. The standard error is that over items (delta method, as in Gwet 2014); the interval is that of
    `agreement_interval`. None if no item has two ratings.

    Raises:
        ValueError: ratings are not such a table, hold one category, or a rater has none; categories or
            weights do not fit; or level outside (0, 1).
    """
    check_level(level)
    given = as_ratings(ratings)
    given = given[~np.isnan(given).all(axis=1)]
    scale = as_categories(given, categories)
    if len(scale) < 2:
        raise ValueError(
            f"ratings must be of two categories or more, got {scale.tolist()}: name `categories`"
        )
    weight = as_weights(weights, len(scale))
    one = (given[:, :, None] == scale).astype(np.float64)
    rated_by = one.sum(axis=(0, 2))
    if not rated_by.all():
        raise ValueError(f"each rater must have rated an item, got none of rater {int(rated_by.argmin())}")
    agreeing = item_agreement(one.sum(axis=1).astype(np.int64), weight)
    if np.isnan(agreeing).all():
        return None
    n, raters = given.shape
    shares = one.sum(axis=0) / rated_by[:, None]
    others = (shares.sum(axis=0) - shares) @ weight
    pairs = raters * (raters - 1)
    chance = float((shares * others).sum()) / pairs
    # Of an item the chance to agree with another rater's shares; for a rater who left it out, the usual one.
    rating = one - (~np.isnan(given))[:, :, None] * shares
    chance_of_item = chance + np.einsum("irq,rq->i", rating, others * (n / rated_by)[:, None]) / pairs
    value, observed, error = linearised(agreeing, chance, chance_of_item)
    items, interval = int((~np.isnan(agreeing)).sum()), None
    if value is not None and error is not None:
        interval = agreement_interval(observed, chance, error, items, level)
    everyones = one.sum(axis=(0, 1)) / one.sum()
    return Agreement(value, observed, chance, error, interval, tuple(everyones.tolist()), items)
