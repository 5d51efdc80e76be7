from itertools import product
from math import comb, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, norm, t

from bakeoff.stats import clopper_pearson, clustered, mcnemar_midp, tango, wilson
from bakeoff.stats.pair.onesided import one_sided, p_below
from bakeoff.stats.pair.paired import mcnemar_exact, tango_score
from bakeoff.stats.pair.permutation import sign_flip


# One-sided mid-p by its definition: P(X > lost) + P(X = lost) / 2 for X ~ Bin(discordant, 1/2).
@pytest.mark.parametrize(("won", "lost"), [(1, 7), (7, 1), (4, 4), (0, 1), (1, 0), (0, 10), (53, 27), (0, 0)])
def test_half_of_a_two_sided_midp_is_the_one_sided_one(won, lost):
    n = won + lost
    expected = binom.sf(lost, n, 0.5) + binom.pmf(lost, n, 0.5) / 2
    assert one_sided(mcnemar_midp(won, lost), lost - won) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("won", "lost"), [(1, 7), (0, 5), (10, 20)])
def test_half_of_the_exact_two_sided_p_is_the_binomial_tail(won, lost):
    tail = sum(comb(won + lost, k) for k in range(won + 1)) / 2 ** (won + lost)
    assert one_sided(mcnemar_exact(won, lost), lost - won) == pytest.approx(tail, rel=1e-12)


@given(st.lists(st.sampled_from([-1.0, -0.5, 0.25, 1.0]), min_size=1, max_size=8))
def test_half_of_a_sign_flip_p_counts_the_flips_on_one_side(differences):
    total = sum(differences)
    sums = [
        sum(f * d for f, d in zip(flips, differences, strict=True))
        for flips in product((1, -1), repeat=len(differences))
    ]
    as_low = sum(each <= total + 1e-9 for each in sums) / len(sums)
    if total < 0:
        assert one_sided(sign_flip(differences), -total) == pytest.approx(as_low)
    else:
        assert one_sided(sign_flip(differences), -total) >= 0.5


@pytest.mark.parametrize(("p", "towards", "word"), [(-0.1, 1, "-0.1"), (1.1, 1, "1.1"), (0.5, nan, "nan")])
def test_what_is_no_p_value_is_refused(p, towards, word):
    with pytest.raises(ValueError, match=word):
        one_sided(p, towards)


@pytest.mark.parametrize(("k", "n", "limit"), [(70, 100, 0.8), (0, 10, 0.3), (41, 60, 0.9), (7, 50, 0.25)])
def test_inverting_clopper_pearson_gives_the_exact_binomial_tail(k, n, limit):
    expected = binomtest(k, n, limit, alternative="less").pvalue
    assert p_below(lambda level: clopper_pearson(k, n, level), limit) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("k", "n", "limit"), [(70, 100, 0.8), (3, 40, 0.2)])
def test_inverting_wilson_gives_its_score_test(k, n, limit):
    z = (k / n - limit) / (limit * (1 - limit) / n) ** 0.5
    assert p_below(lambda level: wilson(k, n, level), limit) == pytest.approx(norm.cdf(z), rel=1e-6)


@pytest.mark.parametrize(
    ("b", "c", "n", "limit"), [(10, 25, 200, 0.0), (3, 30, 100, -0.1), (0, 9, 50, -0.02)]
)
def test_inverting_tango_gives_its_score_test(b, c, n, limit):
    expected = norm.cdf(tango_score(b, c, n, limit))
    assert p_below(lambda level: tango(b, c, n, level), limit) == pytest.approx(expected, rel=1e-6)


def test_inverting_a_clustered_interval_of_groups_of_one_gives_a_t_test_on_the_score():
    values = [1.0] * 12 + [0.0] * 28
    z = (0.3 - 0.5) / (0.25 / 40) ** 0.5
    found = p_below(lambda level: clustered(values, range(40), level), 0.5)
    assert found == pytest.approx(t.cdf(z, 39), rel=1e-6)


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.01, 0.99))
def test_the_test_rejects_exactly_where_the_bound_lies_below_the_limit(kn, limit):
    k, n = kn
    p = p_below(lambda level: clopper_pearson(k, n, level), limit)
    for alpha in (0.01, 0.05, 0.2):
        if abs(p - alpha) > 1e-9:
            assert (p < alpha) == (clopper_pearson(k, n, 1 - 2 * alpha).high < limit)


def test_no_p_value_is_zero():
    assert 0 < p_below(lambda level: wilson(0, 100_000, level), 0.9) < 1e-15
