import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats.agreement.ratings import cross_table, rating_counts, table_counts

tables = (
    st.integers(2, 4)
    .flatmap(
        lambda raters: st.lists(
            st.lists(st.sampled_from([None, 1, 2, 5]), min_size=raters, max_size=raters),
            min_size=1,
            max_size=12,
        )
    )
    .filter(lambda rows: any(r is not None for row in rows for r in row))
)


@given(tables)
def test_every_rating_is_counted_once(rows):
    counts = rating_counts(rows, [5, 1, 2, 9])
    for row, counted in zip(rows, counts.tolist(), strict=True):
        assert counted == [row.count(1), row.count(2), row.count(5), 0]


@given(st.lists(st.tuples(*[st.sampled_from([None, 0, 1, 2])] * 2), min_size=1, max_size=20))
def test_a_cross_table_holds_the_items_rated_by_both(pairs):
    both = [pair for pair in pairs if None not in pair]
    if not both:
        return
    table = cross_table(pairs, [0, 1, 2])
    for first in range(3):
        for second in range(3):
            assert table[first, second] == both.count((first, second))
    assert sorted(table_counts(table).tolist()) == sorted(rating_counts(both, [0, 1, 2]).tolist())


@pytest.mark.parametrize(
    ("ratings", "named"),
    [
        ([[1, "x"]], "numbers"),
        ([1, 2], r"shape \(2,\)"),
        ([[1], [2]], r"two raters or more, got shape \(2, 1\)"),
        ([[1, float("inf")]], "inf"),
        ([[None, None]], "none in shape"),
        ([], "shape"),
    ],
)
def test_what_are_no_ratings_is_refused(ratings, named):
    with pytest.raises(ValueError, match=named):
        rating_counts(ratings)


def test_categories_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="got 3"):
        rating_counts([[1, 3]], [1, 2])
    with pytest.raises(ValueError, match="differ"):
        rating_counts([[1, 2]], [1, 2, 2])
    with pytest.raises(ValueError, match="two raters, got 3"):
        cross_table([[1, 2, 1]])


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ([[1, 2]], "same categories"),
        ([[0, 0], [0, 0]], "at least one item"),
        ([[1, -1], [0, 1]], "got -1"),
        ([[1, 0.5], [0, 1]], "got 0.5"),
        ([[3]], "two categories"),
        ([[np.nan, 1], [1, 1]], "nan"),
    ],
)
def test_what_is_no_cross_table_is_refused(table, named):
    with pytest.raises(ValueError, match=named):
        table_counts(table)
