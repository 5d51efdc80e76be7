import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betainc

from bakeoff.stats import clopper_pearson, clopper_pearson_upper, wilson

counts = st.integers(1, 5_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
levels = st.floats(0.01, 0.999)

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
    ("n", "wilson_all", "wilson_high", "exact_all", "exact_high"),
    [
        (3, 0.956, 0.933, 0.995, 0.991),
        (10, 0.954, 0.946, 0.984, 0.990),
        (30, 0.952, 0.957, 0.973, 0.987),
        (100, 0.951, 0.955, 0.965, 0.974),
        (300, 0.951, 0.952, 0.959, 0.965),
        (1000, 0.950, 0.950, 0.955, 0.958),
    ],
)
def test_coverage_is_the_published_one(n, wilson_all, wilson_high, exact_all, exact_high):
    # The source averages over a grid, which is a unit of the last digit off on the short range.
    assert mean_coverage(wilson, n, 0, 1) == pytest.approx(wilson_all, abs=6e-4)
    assert mean_coverage(wilson, n, 0.9, 0.99) == pytest.approx(wilson_high, abs=1e-3)
    assert mean_coverage(clopper_pearson, n, 0, 1) == pytest.approx(exact_all, abs=6e-4)
    assert mean_coverage(clopper_pearson, n, 0.9, 0.99) == pytest.approx(exact_high, abs=1e-3)


@pytest.mark.parametrize("n", [5, 40])
@pytest.mark.parametrize("theta", [0.01, 0.1, 0.37, 0.5, 0.95])
def test_clopper_pearson_covers_every_proportion_at_least_at_its_level(n, theta):
    from scipy.stats import binom

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


@pytest.mark.parametrize("method", [wilson, clopper_pearson])
@settings(deadline=None)
@given(kn=counts, level=levels)
def test_it_contains_the_estimate_stays_in_range_and_never_collapses(method, kn, level):
    k, n = kn
    interval = method(k, n, level)
    assert 0 <= interval.low <= k / n <= interval.high <= 1
    assert interval.low < interval.high
    assert interval.level == level


@pytest.mark.parametrize("method", [wilson, clopper_pearson])
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


@pytest.mark.parametrize("method", [wilson, clopper_pearson, clopper_pearson_upper])
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


def test_an_exact_interval_refuses_half_an_item():
    with pytest.raises(ValueError, match=r"7\.5"):
        clopper_pearson(7.5, 10)


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
