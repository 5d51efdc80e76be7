"""Ratings: what several people or judges said of the same items, and how often."""

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import FloatArray, IntArray, as_numbers


def as_ratings(ratings: ArrayLike) -> FloatArray:
    """`ratings` as an array (items, raters), NaN where a rater did not rate an item (NaN or None).

    Categories without an order are numbered; which number stands for which has no influence.

    Raises:
        ValueError: not numbers in two dimensions, fewer than two raters, no rating, or an infinite one.
    """
    try:
        table = np.array(ratings, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"ratings must be a table of numbers, a row for each item and a column for each rater: {error}"
        ) from None
    if table.ndim != 2 or table.shape[1] < 2:
        raise ValueError(
            "ratings must have a row for each item and a column for each of two raters or more, "
            f"got shape {table.shape}"
        )
    if np.isinf(table).any():
        raise ValueError(f"ratings must be finite or missing, got {table[np.isinf(table)][0]}")
    if np.isnan(table).all():
        raise ValueError(f"ratings must hold at least one rating, got none in shape {table.shape}")
    return table


def as_categories(ratings: FloatArray, categories: ArrayLike | None) -> FloatArray:
    """The categories in rising order: those used, or those given, which may include some nobody used.

    Raises:
        ValueError: a category is not finite or given twice, or a rating is none of them.
    """
    used = np.unique(ratings[~np.isnan(ratings)])
    if categories is None:
        return used
    given = as_numbers(categories, "categories")
    distinct = np.unique(given)
    if len(distinct) != len(given):
        raise ValueError(f"categories must differ, got {given.tolist()}")
    unknown = np.setdiff1d(used, distinct)
    if len(unknown):
        raise ValueError(f"each rating must be one of the categories {given.tolist()}, got {unknown[0]}")
    return distinct


def rating_counts(ratings: ArrayLike, categories: ArrayLike | None = None) -> IntArray:
    """How many raters put each item into each category, shape (items, categories), these in rising order.

    Name the `categories` where some may be unused: what chance would do depends on how many there are.

    Raises:
        ValueError: as for `as_ratings` and `as_categories`.
    """
    table = as_ratings(ratings)
    return counts_of(table, as_categories(table, categories))


def counts_of(table: FloatArray, scale: FloatArray) -> IntArray:
    """`rating_counts` of checked ratings, in the categories of the rising `scale`."""
    item, rater = np.nonzero(~np.isnan(table))
    counts = np.zeros((len(table), len(scale)), dtype=np.int64)
    np.add.at(counts, (item, np.searchsorted(scale, table[item, rater])), 1)
    return counts


def cross_table(ratings: ArrayLike, categories: ArrayLike | None = None) -> IntArray:
    """Of items that both of two raters rated: how many the first put into the category of the row and the
    second into that of the column, in rising order.

    Raises:
        ValueError: as for `rating_counts`, or there are more than two raters.
    """
    table = as_ratings(ratings)
    if table.shape[1] != 2:
        raise ValueError(f"a cross table is of two raters, got {table.shape[1]}")
    scale = as_categories(table, categories)
    both = table[~np.isnan(table).any(axis=1)]
    cells = np.zeros((len(scale), len(scale)), dtype=np.int64)
    np.add.at(cells, tuple(np.searchsorted(scale, both).T), 1)
    return cells


def table_counts(table: ArrayLike) -> IntArray:
    """`rating_counts` of the items of a cross table: one row for each item that is counted there.

    Raises:
        ValueError: as for `as_cross_table`.
    """
    cells = as_cross_table(table)
    first, second = np.nonzero(cells)
    one = np.eye(len(cells), dtype=np.int64)
    return np.repeat(one[first] + one[second], cells[first, second], axis=0)


def as_cross_table(table: ArrayLike) -> IntArray:
    """A square table of counts.

    Raises:
        ValueError: not square, fewer than two categories, a count that is negative or not whole, or no item.
    """
    cells = as_counts(table, "table")
    if cells.shape[0] != cells.shape[1]:
        raise ValueError(f"a cross table has the same categories in rows and columns, got {cells.shape}")
    if not cells.any():
        raise ValueError("a cross table must count at least one item, got none")
    return cells


def as_counts(counts: ArrayLike, name: str) -> IntArray:
    """Counts in two dimensions, whose columns are two categories or more.

    Raises:
        ValueError: as for `as_numbers`, one category, or a count that is negative or not whole.
    """
    numbers = as_numbers(counts, name, ndim=2)
    if numbers.shape[1] < 2:
        raise ValueError(
            f"{name} must have two categories or more (columns), got {numbers.shape[1]}: name unused ones too"
        )
    wrong = (numbers < 0) | (numbers != np.round(numbers))
    if wrong.any():
        raise ValueError(f"{name} must be whole numbers from 0, got {numbers[wrong][0]}")
    return numbers.astype(np.int64)
