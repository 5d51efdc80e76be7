import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betainc, betaincinv
from scipy.stats import binom

from bakeoff.stats.mean.proportion import clopper_pearson, clopper_pearson_upper, jeffreys, mid_p, wilson

counts = st.integers(1, 5_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
levels = st.floats(0.01, 0.999)
METHODS = [wilson, clopper_pearson, mid_p, jeffreys]

# Newcombe 1998 (Stat. Med. 17:857) table I inputs and common edge cases; the digits recomputed with
# statsmodels 0.15 and SciPy 1.17. 7 of 50 is SciPy's own example for proportion_ci.
REFERENCE = [
    # k, n, Wilson, Clopper-Pearson
    (81, 263, (0.255289, 0.366210), (0.252737, 0.367622)),
    (15, 148, (0.062386, 0.160487), (0.057844, 0.161650)),
    (0, 20, (0.0, 0.161125), (0.0, 0.168433)),
    (1, 29, (0.006113, 0.171755), (0.000873, 0.177644)),
    (0, 10, (0.0, 0.277533), (0.0, 0.308497)),
    (10, 10, (0.722467, 1.0), (0.691503, 1.0)),
    (100, 100, (0.963007, 1.0), (0.963783, 1.0)),
    (95, 100, (0.888250, 0.978456), (0.887165, 0.983568)),
    (198, 198, (0.980968, 1.0), (0.981542, 1.0)),
    (7, 50, (0.069508, 0.261862), (0.058192, 0.267396)),
]


@pytest.mark.parametrize(("k", "n", "expected", "_"), REFERENCE)
def test_wilson_reproduces_published_values(k, n, expected, _):
    assert limits(wilson(k, n)) == pytest.approx(expected, abs=1e-6)


# The same inputs; mid-p as in Newcombe's table, Jeffreys as in statsmodels inside of 0 and n of n.
@pytest.mark.parametrize(
    ("k", "n", "expected_mid_p", "expected_jeffreys"),
    [
        (81, 263, (0.254402, 0.365773), (0.254522, 0.365647)),
        (15, 148, (0.060064, 0.158122), (0.060449, 0.157643)),
        (0, 20, (0, 0.139108), (0, 0.116639)),
        (1, 29, (0.001725, 0.158537), (0.003746, 0.150078)),
        (0, 10, (0, 0.258866), (0, 0.217196)),
        (10, 10, (0.741134, 1), (0.782804, 1)),
        (100, 100, (0.970487, 1), (0.975255, 1)),
        (95, 100, (0.892679, 0.981452), (0.893900, 0.980668)),
    ],
)
def test_mid_p_and_jeffreys_reproduce_published_values(k, n, expected_mid_p, expected_jeffreys):
    assert limits(mid_p(k, n)) == pytest.approx(expected_mid_p, abs=1e-6)
    assert limits(jeffreys(k, n)) == pytest.approx(expected_jeffreys, abs=1e-6)


def test_jeffreys_holds_the_estimate_at_the_ends_where_the_plain_quantile_does_not():
    # Brown, Cai & DasGupta 2001. The plain quantile is statsmodels' limit, 2.4e-05 for 0 of 20.
    assert betaincinv(0.5, 20.5, 0.025) == pytest.approx(2.4e-05, abs=5e-7)
    assert jeffreys(0, 20).low == 0
    assert jeffreys(20, 20).high == 1
    assert jeffreys(1, 20).low == pytest.approx(betaincinv(1.5, 19.5, 0.025), rel=1e-9)


@pytest.mark.parametrize(("n", "alpha"), [(1, 0.05), (20, 0.05), (1000, 1e-7)])
def test_mid_p_of_nothing_has_its_closed_form(n, alpha):
    assert mid_p(0, n, 1 - alpha).high == pytest.approx(1 - alpha ** (1 / n), rel=1e-9)


@given(kn=counts)
def test_mid_p_lies_inside_clopper_pearson(kn):
    exact, mid = clopper_pearson(*kn), mid_p(*kn)
    assert exact.low <= mid.low
    assert mid.high <= exact.high


@pytest.mark.parametrize(("k", "n", "_", "expected"), REFERENCE)
def test_clopper_pearson_reproduces_published_values(k, n, _, expected):
    assert limits(clopper_pearson(k, n)) == pytest.approx(expected, abs=1e-6)


# Bowyer et al. 2025 (arXiv 2503.01747), LangChain tool use, 20 items a model.
@pytest.mark.parametrize(
    ("k", "low", "high"),
    [
        (20, 0.8389, 1),
        (18, 0.6990, 0.9721),
        (12, 0.3866, 0.7812),
        (10, 0.2993, 0.7007),
        (8, 0.2188, 0.6134),
        (5, 0.1119, 0.4687),
        (2, 0.0279, 0.3010),
        (1, 0.0089, 0.2361),
        (0, 0, 0.1611),
    ],
)
def test_wilson_reproduces_the_tool_use_board(k, low, high):
    assert limits(wilson(k, 20)) == pytest.approx((low, high), abs=5e-5)


# Exact, by enumeration: coverage averaged over a true proportion uniform on (0, 1), then on (0.9, 0.99),
# where strong models live.
@pytest.mark.parametrize(
    ("n", "of_wilson", "of_clopper_pearson", "of_jeffreys"),
    [
        (3, (0.956, 0.933), (0.995, 0.991), (0.962, 0.967)),
        (10, (0.954, 0.946), (0.984, 0.990), (0.953, 0.971)),
        (30, (0.952, 0.957), (0.973, 0.987), (0.951, 0.960)),
        (100, (0.951, 0.955), (0.965, 0.974), (0.950, 0.950)),
        (300, (0.951, 0.952), (0.959, 0.965), (0.950, 0.949)),
        (1000, (0.950, 0.950), (0.955, 0.958), (0.950, 0.950)),
    ],
)
def test_coverage_is_the_published_one(n, of_wilson, of_clopper_pearson, of_jeffreys):
    expected = {wilson: of_wilson, clopper_pearson: of_clopper_pearson, jeffreys: of_jeffreys}
    for method, (everywhere, high) in expected.items():
        # The source has Jeffreys without its ends, .0003 less for n = 3, and averages over a grid, which is a
        # unit of the last digit off on the short range.
        assert mean_coverage(method, n, 0, 1) == pytest.approx(everywhere, abs=9e-4 if n == 3 else 6e-4)
        assert mean_coverage(method, n, 0.9, 0.99) == pytest.approx(high, abs=1e-3)


@pytest.mark.parametrize("n", [5, 40])
@pytest.mark.parametrize("theta", [0.01, 0.1, 0.37, 0.5, 0.95])
def test_clopper_pearson_covers_every_proportion_at_least_at_its_level(n, theta):
    hit = [k for k in range(n + 1) if clopper_pearson(k, n).low <= theta <= clopper_pearson(k, n).high]
    assert binom.pmf(hit, n, theta).sum() >= 0.95


@pytest.mark.parametrize(("n", "bound"), [(10, 0.2589), (100, 0.02951), (300, 0.00994)])
def test_no_failures_bound_the_rate_by_about_three_over_n(n, bound):
    assert clopper_pearson_upper(0, n) == pytest.approx(bound, abs=5e-5)
    assert clopper_pearson_upper(0, n) == pytest.approx(1 - 0.05 ** (1 / n), rel=1e-12)
    assert clopper_pearson_upper(0, n) < 3 / n


def test_the_one_sided_bound_is_the_upper_limit_of_a_two_sided_interval_at_twice_the_error():
    assert clopper_pearson_upper(3, 50, 0.975) == pytest.approx(clopper_pearson(3, 50, 0.95).high, rel=1e-12)
    assert clopper_pearson_upper(50, 50) == 1


def test_nothing_in_a_thousand_at_a_level_beyond_float_tables():
    # statsmodels issue 9141: returned 0.9999998 here.
    assert clopper_pearson(0, 1000, 1 - 1e-7).high == pytest.approx(0.0166707, abs=1e-7)


@pytest.mark.parametrize("method", METHODS)
@settings(deadline=None)
@given(kn=counts, level=levels)
def test_it_contains_the_estimate_stays_in_range_and_never_collapses(method, kn, level):
    k, n = kn
    if method in (mid_p, jeffreys):
        level = (1 + level) / 2
    interval = method(k, n, level)
    assert 0 <= interval.low <= k / n <= interval.high <= 1
    assert interval.low < interval.high
    assert interval.level == level


@settings(deadline=None)
@given(kn=counts, level=st.floats(0.5, 0.999))
def test_mid_p_lies_where_the_tail_with_half_of_the_count_seen_is_half_of_alpha(kn, level):
    k, n = kn
    low, high = limits(mid_p(k, n, level))
    if k > 0:
        upper_tail = binom.sf(k, n, low) + binom.pmf(k, n, low) / 2
        assert upper_tail == pytest.approx((1 - level) / 2, rel=1e-6)
    if k < n:
        lower_tail = binom.cdf(k, n, high) - binom.pmf(k, n, high) / 2
        assert lower_tail == pytest.approx((1 - level) / 2, rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
@settings(deadline=None)
@given(kn=counts)
def test_counting_failures_mirrors_counting_successes(method, kn):
    k, n = kn
    wins, losses = method(k, n), method(n - k, n)
    assert (wins.low, wins.high) == pytest.approx((1 - losses.high, 1 - losses.low), abs=1e-9)


@settings(deadline=None)
@given(kn=counts)
def test_wilson_lies_where_the_score_test_just_rejects(kn):
    k, n = kn
    for theta in limits(wilson(k, n)):
        if 0 < theta < 1:
            z = (k / n - theta) / (theta * (1 - theta) / n) ** 0.5
            assert abs(z) == pytest.approx(1.959963984540054, rel=1e-6)


@settings(deadline=None)
@given(kn=counts, levels=st.tuples(levels, levels).map(sorted))
def test_more_confidence_needs_a_wider_interval(kn, levels):
    narrow, wide = (wilson(*kn, level) for level in levels)
    assert wide.low <= narrow.low
    assert narrow.high <= wide.high


def test_graded_scores_sum_to_a_count_that_is_not_whole():
    low, high = limits(wilson(7.5, 10))
    assert wilson(7, 10).low < low < wilson(8, 10).low
    assert wilson(7, 10).high < high < wilson(8, 10).high


@pytest.mark.parametrize("method", [*METHODS, clopper_pearson_upper])
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((0, 0), "n=0"),
        ((11, 10), "11"),
        ((-1, 10), "-1"),
        ((float("nan"), 10), "nan"),
        ((5, 10, 95), "95"),
        ((5, 10, 1.0), "1.0"),
    ],
)
def test_bad_input_is_refused_with_its_value(method, arguments, named):
    with pytest.raises(ValueError, match=named):
        method(*arguments)


@pytest.mark.parametrize("method", [clopper_pearson, mid_p, jeffreys])
def test_an_exact_interval_refuses_half_an_item(method):
    with pytest.raises(ValueError, match=r"7\.5"):
        method(7.5, 10)


def limits(interval):
    return interval.low, interval.high


def mean_coverage(method, n, start, end):
    """The share of (k, theta) pairs whose interval holds theta: a beta integral for each k."""
    total = 0.0
    for k in range(n + 1):
        low, high = limits(method(k, n))
        low, high = max(low, start), min(high, end)
        if low < high:
            total += betainc(k + 1, n - k + 1, high) - betainc(k + 1, n - k + 1, low)
    return total / (n + 1) / (end - start)


# Bowyer et al. 2025 (arXiv 2503.01747), their LangChain tool-use data: nine models on 20 items.
@pytest.mark.parametrize(
    ("right", "low", "high"),
    [
        (20, 0.8389, 1),
        (18, 0.6990, 0.9721),
        (12, 0.3866, 0.7812),
        (10, 0.2993, 0.7007),
        (8, 0.2188, 0.6134),
        (5, 0.1119, 0.4687),
        (2, 0.0279, 0.3010),
        (1, 0.0089, 0.2361),
        (0, 0, 0.1611),
    ],
)
def test_twenty_items_say_little_and_never_nothing(right, low, high):
    found = wilson(right, 20)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_the_rule_of_three():
    # No failure in n: the rate is below about 3/n at 95 % (Hanley & Lippman-Hand 1983).
    assert clopper_pearson_upper(0, 10) == pytest.approx(0.2589, abs=5e-5)
    for n in (100, 1000):
        assert clopper_pearson_upper(0, n) == pytest.approx(3 / n, rel=0.02)
