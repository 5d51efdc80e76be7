from itertools import pairwise
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from bakeoff.stats.many.multiplicity import benjamini_hochberg, benjamini_yekutieli, e_bh, holm

# Benjamini & Hochberg 1995, section 2.2: 15 comparisons of two treatments after a heart attack.
HEART_ATTACK = [
    *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344),
    *(0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0),
]
p_values = st.lists(
    st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.05, 1.0])), min_size=1, max_size=30
)


def test_one_to_five_hundredths_by_all_three():
    p = [0.01, 0.02, 0.03, 0.04, 0.05]
    assert holm(p) == pytest.approx([0.05, 0.08, 0.09, 0.09, 0.09], abs=1e-12)
    assert benjamini_hochberg(p) == pytest.approx([0.05] * 5, abs=1e-12)
    assert benjamini_yekutieli(p) == pytest.approx([0.114167] * 5, abs=1e-6)


def test_benjamini_and_hochbergs_own_example():
    adjusted = benjamini_hochberg(HEART_ATTACK)
    published = [
        *(0.0015, 0.003, 0.0095, 0.0356, 0.0603, 0.0639, 0.0639, 0.0645),
        *(0.0765, 0.486, 0.5812, 0.7149, 0.7532, 0.8132, 1),
    ]
    assert adjusted == pytest.approx(published, abs=6e-5)
    assert sum(p <= 0.05 for p in adjusted) == 4
    assert sum(p <= 0.05 for p in holm(HEART_ATTACK)) == 3
    assert sum(15 * p <= 0.05 for p in HEART_ATTACK) == 3


# The cases of Holm's method in the tests of the R package csranks.
def test_holm_rejects_seven_where_bonferroni_rejects_six():
    p = [1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3]
    assert sum(10 * each <= 0.05 for each in p) == 6
    assert [each <= 0.05 for each in holm(p)] == [True] * 7 + [False] * 3


def test_holm_stops_at_the_first_that_stands():
    assert [p <= 0.05 for p in holm([1e-5, 0.017, 0.02, 0.1])] == [True, False, False, False]


@given(p_values)
def test_holm_is_the_sequence_of_bonferroni_tests(p):
    """By its definition: reject the smallest while it passes Bonferroni among those that are left."""
    adjusted = holm(p)
    for alpha in (0.01, 0.05, 0.3):
        rejected = 0
        for step, each in enumerate(sorted(p)):
            if each * (len(p) - step) > alpha:
                break
            rejected += 1
        assert sum(each <= alpha for each in adjusted) == rejected


@given(p_values)
def test_false_discovery_rates_agree_with_scipy(p):
    assert benjamini_hochberg(p) == pytest.approx(false_discovery_control(p, method="bh").tolist(), abs=1e-12)
    assert benjamini_yekutieli(p) == pytest.approx(
        false_discovery_control(p, method="by").tolist(), abs=1e-12
    )


@given(p_values, st.randoms(use_true_random=False))
@pytest.mark.parametrize("method", [holm, benjamini_hochberg, benjamini_yekutieli])
def test_order_changes_nothing_and_ties_share_their_value(method, p, order):
    places = list(range(len(p)))
    order.shuffle(places)
    adjusted = method(p)
    assert method([p[place] for place in places]) == [adjusted[place] for place in places]
    assert len(set(zip(p, adjusted, strict=True))) == len(set(p))


@given(p_values)
def test_the_stricter_the_promise_the_larger_the_p_value(p):
    found, family = np.array(benjamini_hochberg(p)), np.array(holm(p))
    assert (found >= np.array(p) - 1e-15).all()
    assert (family >= found - 1e-12).all()
    assert (np.array(benjamini_yekutieli(p)) >= found).all()
    assert (family <= np.minimum(1, np.array(p) * len(p)) + 1e-12).all()


@pytest.mark.parametrize("method", [holm, benjamini_hochberg, benjamini_yekutieli])
@pytest.mark.parametrize(
    ("p", "named"), [([], "at least one"), ([0.1, 1.2], "1.2"), ([-0.1], "-0.1"), ([float("nan")], "nan")]
)
def test_what_is_no_p_value_is_refused(method, p, named):
    with pytest.raises(ValueError, match=named):
        method(p)


def test_e_values_by_hand():
    """K = 4 and α = .1 ask for 40, 20, 13.3 and 10."""
    assert e_bh(np.log([39.0, 1, 1, 1]), 0.1).tolist() == [False] * 4
    assert e_bh(np.log([1.0, 40, 1, 1]), 0.1).tolist() == [False, True, False, False]
    assert e_bh(np.log([14.0, 14, 1, 14]), 0.1).tolist() == [True, True, False, True]
    assert e_bh(np.log([10.0, 10, 10, 10]), 0.1).tolist() == [True] * 4
    assert e_bh([], 0.1).tolist() == []
    assert e_bh([-np.inf, np.inf], 0.1).tolist() == [False, True]


@given(st.lists(st.floats(-20, 20), max_size=30), st.floats(0.01, 0.99))
def test_what_e_bh_rejects_is_self_consistent_and_the_most(logs, alpha):
    found = e_bh(logs, alpha)
    k, n = int(found.sum()), len(logs)
    assert all(log(n / (alpha * k)) <= each + 1e-9 for each, bad in zip(logs, found, strict=True) if bad)
    ordered = sorted(logs, reverse=True)
    for more in range(k + 1, n + 1):
        assert ordered[more - 1] < log(n / (alpha * more)) + 1e-9
    ranked = [bad for _, bad in sorted(zip(logs, found.tolist(), strict=True), reverse=True)]
    assert all(a >= b for a, b in pairwise(ranked))


@pytest.mark.parametrize("alpha", [0.0, 1.0, -1.0])
def test_alpha_is_a_share(alpha):
    with pytest.raises(ValueError, match="alpha"):
        e_bh([0.0], alpha)


def test_an_e_value_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match="not a number"):
        e_bh([float("nan")], 0.05)
