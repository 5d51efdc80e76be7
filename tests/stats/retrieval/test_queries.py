import pytest

from bakeoff.stats.mean.bounded import bounded_mean
from bakeoff.stats.mean.clustered import clustered
from bakeoff.stats.pair.graded import graded_difference
from bakeoff.stats.retrieval.queries import difference_over_queries, mean_over_queries

VALUES = [0.2, 1.0, None, 0.7, 0.0, None, 0.5]
KNOWN = [0.2, 1.0, 0.7, 0.0, 0.5]


def test_queries_without_a_relevant_document_are_counted_and_in_no_mean():
    found = mean_over_queries(VALUES)
    assert found.value == pytest.approx(0.48)
    assert (found.n, found.undefined) == (5, 2)
    assert found.interval == bounded_mean(KNOWN)
    assert mean_over_queries([None, None]) is None


def test_grouped_queries_have_the_clustered_interval():
    found = mean_over_queries(VALUES, ["a", "a", "a", "b", "b", "c", "c"], 0.9)
    assert found.interval == clustered(KNOWN, ["a", "a", "b", "b", "c"], 0.9)
    assert mean_over_queries(VALUES, ["a"] * 7).interval is None


def test_the_difference_is_taken_query_by_query():
    better = [None if value is None else min(1, value + 0.1) for value in VALUES]
    found = difference_over_queries(better, VALUES)
    assert found.value == pytest.approx(0.08)
    assert (found.n, found.undefined) == (5, 2)
    by_hand = graded_difference([0.1, 0.0, 0.1, 0.1, 0.1])
    assert (found.interval.low, found.interval.high) == pytest.approx((by_hand.low, by_hand.high))
    back = difference_over_queries(VALUES, better)
    assert back.interval.low == pytest.approx(-found.interval.high)
    assert difference_over_queries([None], [None]) is None


def test_pairing_makes_a_constant_difference_far_surer_than_two_means():
    hard = [query / 200 for query in range(160)]
    paired = difference_over_queries([value + 0.05 for value in hard], hard).interval
    alone = mean_over_queries(hard).interval
    assert paired.low > 0
    assert alone.high - alone.low > 0.05


@pytest.mark.parametrize(
    ("first", "second", "groups", "about"),
    [
        ([0.1], [0.1, 0.2], None, "same queries"),
        ([0.1, None], [0.1, 0.2], None, "query 1 is defined for one alone"),
        ([0.1, 0.3], [0.1, 0.2], ["a"], "its group"),
        ([0.1, 3.0], [0.1, 0.2], None, "between -1 and 1"),
    ],
)
def test_what_cannot_be_paired_is_refused(first, second, groups, about):
    with pytest.raises(ValueError, match=about):
        difference_over_queries(first, second, groups)
