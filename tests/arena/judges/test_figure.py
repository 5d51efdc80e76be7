import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.arena.judges.figure import by_item, figure
from bakeoff.stats.mean.clustered import cluster_se


def mean(sums):
    return sums[..., 0] / sums[..., 1]


def test_the_jackknife_of_a_mean_over_single_items_is_its_standard_error():
    values = np.array([0.0, 1.0, 1.0, 0.5, 0.25, 1.0])
    found = figure(np.stack([values, np.ones(6)], axis=1), mean, np.ones(6), lowest=-9)
    assert found.value == pytest.approx(values.mean())
    half = found.value - found.interval.low
    assert found.interval.high == min(1, found.value + half)
    assert half / 2.570582 == pytest.approx(values.std(ddof=1) / 6**0.5, rel=1e-6)


def test_the_jackknife_of_a_mean_over_items_of_one_size_is_the_cluster_robust_error():
    random = np.random.default_rng(0)
    items = np.repeat(np.arange(10), 4)
    values = random.random(40) + random.normal(0, 1, 10)[items]
    found = figure(by_item([values, np.ones(40)], items, 10), mean, np.full(10, 4.0), lowest=-9)
    half = found.value - found.interval.low
    assert half / 2.262157 == pytest.approx(cluster_se(values, items, "cr1"), rel=1e-6)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 3)), max_size=8))
def test_an_item_without_anything_in_it_has_no_influence(rows):
    sums = np.array([(min(k, n), n) for k, n in rows], dtype=float).reshape(-1, 2)
    padded = np.vstack([sums, np.zeros((3, 2))])
    assert figure(sums, mean, sums[:, 1]) == figure(padded, mean, padded[:, 1])


def test_where_no_item_differs_or_there_is_one_there_is_no_interval():
    assert figure(np.array([[1.0, 2.0]] * 5), mean, np.full(5, 2.0)).interval is None
    assert figure(np.array([[1.0, 2.0]]), mean, np.array([2.0])).interval is None
    nothing = figure(np.zeros((4, 2)), mean, np.zeros(4))
    assert (nothing.value, nothing.n, nothing.items, nothing.found(0)) == (None, 0, 0, False)
