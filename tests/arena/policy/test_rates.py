import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from bakeoff.arena.policy.checks.removal import fisher

rate = st.integers(0, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(rate, rate)
def test_fishers_test_is_that_of_scipy(one, other):
    table = [[removed, of - removed] for removed, of in (one, other)]
    assert fisher(one, other) == pytest.approx(fisher_exact(table).pvalue, rel=1e-6)
    assert fisher(other, one) == fisher(one, other)


# Fisher 1935: a lady who tells of three of four cups what was poured first; 34 of 70 ways are no likelier.
def test_the_lady_tasting_tea():
    assert fisher((3, 4), (1, 4)) == 34 / 70
    assert fisher((4, 4), (0, 4)) == 2 / 70


@pytest.mark.parametrize(
    ("one", "other"), [((0, 0), (3, 5)), ((0, 4), (0, 9)), ((4, 4), (9, 9)), ((0, 0), (0, 0))]
)
def test_rates_that_cannot_differ_do_not(one, other):
    assert fisher(one, other) == 1.0
