import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from bakeoff.stats.many.covariance import mean_covariance, pair_differences
from bakeoff.stats.many.deviations import deviations
from bakeoff.stats.many.maxt import max_t, shown
from bakeoff.stats.many.multiplicity import holm

few_scores = st.tuples(st.integers(1, 6), st.integers(2, 10)).flatmap(
    lambda shape: arrays(float, shape, elements=st.sampled_from([0, 0.5, 1]))
)


# Tukey's studentized range over √2: all pairs of independent models with one variance.
@pytest.mark.parametrize("models", [2, 3, 10, 40])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_all_pairs_of_equally_noisy_models_have_tukeys_critical_value(models, level):
    tests = max_t(np.zeros(models), np.eye(models), draws=40_000)
    expected = stats.studentized_range.ppf(level, models, np.inf) / np.sqrt(2)
    assert tests.critical(level) == pytest.approx(expected, abs=0.03)


# Dunnett 1964 (Biometrics 20:482), two-sided, 5 %, infinite degrees of freedom.
@pytest.mark.parametrize(("treatments", "published"), [(1, 1.96), (2, 2.21), (3, 2.35), (4, 2.44), (5, 2.51)])
def test_all_against_a_baseline_have_dunnetts_critical_value(treatments, published):
    tests = max_t(np.zeros(treatments + 1), np.eye(treatments + 1), pairs=0, draws=40_000)
    assert tests.critical(0.95) == pytest.approx(published, abs=0.03)


def test_independent_pairs_have_sidaks_critical_value():
    # Models 1, 2 and 3 differ from a baseline without noise by noise of their own.
    tests = max_t(np.zeros(4), np.diag([0, 1, 1, 1]), pairs=0, draws=40_000)
    assert tests.critical(0.95) == pytest.approx(stats.norm.ppf(0.5 + 0.95 ** (1 / 3) / 2), abs=0.03)


@pytest.mark.parametrize("n", [5, 12, 100])
def test_two_models_give_the_paired_t_test(n):
    scores = np.random.default_rng(n).random((2, n)) + np.array([[0.2], [0]])
    tests = max_t(scores.mean(axis=1), mean_covariance(scores), df=n - 1, draws=100_000)
    assert tests.p[0, 1] == pytest.approx(stats.ttest_rel(*scores).pvalue, abs=0.005)
    assert tests.critical(0.95) == pytest.approx(stats.t.ppf(0.975, n - 1), rel=0.02)


def test_step_down_is_the_test_repeated_on_what_is_left():
    """By its definition, on draws of its own: reject above the critical value, drop those pairs, repeat."""
    random = np.random.default_rng(8)
    root = random.normal(size=(7, 9))
    covariance = root @ root.T / 9
    means = np.array([0, 0.2, 1, 2, 2.5, 4, 7])
    pairs = [(j, k) for j in range(7) for k in range(j)]
    se = {(j, k): np.sqrt(covariance[j, j] + covariance[k, k] - 2 * covariance[j, k]) for j, k in pairs}
    drawn = random.multivariate_normal(np.zeros(7), covariance, size=100_000)
    tests = max_t(means, covariance, draws=100_000)
    left, p = set(pairs), 0.0
    while left:
        strongest = max(left, key=lambda pair: abs(means[pair[0]] - means[pair[1]]) / se[pair])
        largest = np.max([abs(drawn[:, j] - drawn[:, k]) / se[j, k] for j, k in left], axis=0)
        j, k = strongest
        p = max(p, float(np.mean(largest >= abs(means[j] - means[k]) / se[strongest])))
        assert tests.p[strongest] == pytest.approx(p, abs=0.01)
        left.remove(strongest)


@given(few_scores, st.randoms(use_true_random=False))
def test_the_order_of_models_changes_nothing(scores, order):
    places = list(range(len(scores)))
    order.shuffle(places)
    means, covariance = scores.mean(axis=1), mean_covariance(scores)
    one = max_t(means, covariance, draws=500)
    other = max_t(means[places], covariance[np.ix_(places, places)], draws=500)
    # A draw within rounding of a statistic may fall on either side.
    assert other.p == pytest.approx(one.p[np.ix_(places, places)], abs=1.5 / 501)
    assert other.maxima == pytest.approx(one.maxima, abs=1e-6)


@given(few_scores)
def test_adjusted_p_values_lie_between_the_single_ones_and_bonferronis_and_fall_with_t(scores):
    means = scores.mean(axis=1)
    tests = max_t(means, mean_covariance(scores), draws=2_000)
    assert (tests.p == tests.p.T).all()
    assert (tests.difference == np.subtract.outer(means, means)).all()
    assert (tests.p[~tests.tested] == 1).all()
    j, k = np.nonzero(np.triu(tests.tested))
    t = np.abs(tests.difference[j, k] / tests.se[j, k])
    single = 2 * stats.norm.sf(t)
    # Six standard errors of a share of 2,000 draws.
    noise = 6 * np.sqrt(np.minimum(1, len(j) * single) / 2_000) + 2 / 2_001
    assert (tests.p[j, k] >= single - noise).all()
    assert (tests.p[j, k] <= np.minimum(1, len(j) * single) + noise).all()
    by_t = tests.p[j, k][np.argsort(t)]
    assert (np.diff(by_t) <= 1e-12).all()


@given(few_scores)
def test_models_with_the_very_same_scores_are_never_told_apart_and_fare_alike(scores):
    twice = np.vstack([scores, scores[:1]])
    tests = max_t(twice.mean(axis=1), mean_covariance(twice), draws=500)
    assert tests.p[0, -1] == 1
    assert not tests.tested[0, -1]
    assert tests.p[0, 1:-1] == pytest.approx(tests.p[-1, 1:-1], abs=1.5 / 501)


def test_a_baseline_is_tested_with_everyone_and_no_one_else():
    tests = max_t([3, 0, 9], np.eye(3), pairs=1)
    assert tests.tested.tolist() == [[False, True, False], [True, False, True], [False, True, False]]
    assert tests.p[0, 2] == 1
    assert tests.p[1, 2] < 0.001


def test_right_everywhere_against_wrong_everywhere_is_told_apart():
    scores = [[1] * 10, [0] * 10]
    tests = max_t([1, 0], mean_covariance(scores), df=9)
    assert 0 < tests.p[0, 1] < 0.005
    assert 0 < tests.critical(0.95) * tests.se[0, 1] < 1


def test_simultaneous_intervals_and_p_values_agree():
    """An interval that leaves out 0 is a rejection; step-down may add others."""
    scores = np.random.default_rng(0).random((12, 60)) + np.linspace(0, 0.6, 12)[:, None]
    tests = max_t(scores.mean(axis=1), mean_covariance(scores), df=59)
    outside = np.abs(tests.difference) > tests.critical(0.95) * tests.se
    assert outside.any()
    assert (tests.p[outside] <= 0.05).all()


def test_near_copies_count_as_about_one_where_holm_counts_each():
    # Twenty models, correlated .99 with each other, each 2.6 standard errors above one baseline.
    covariance = np.eye(21)
    covariance[1:, 1:] = 0.99 + 0.01 * np.eye(20)
    tests = max_t([0] + [2.6 * np.sqrt(2)] * 20, covariance, pairs=0)
    assert (tests.p[0, 1:] <= 0.05).all()
    assert min(holm([2 * stats.norm.sf(2.6)] * 20)) > 0.15


def test_one_model_alone_has_no_pair():
    tests = max_t([0.5], [[0.01]])
    assert tests.p.tolist() == [[1]]
    assert tests.critical() is None


@pytest.mark.parametrize(
    ("settings", "named"),
    [({"pairs": 2}, "2"), ({"pairs": -1}, "-1"), ({"df": 0}, "0"), ({"draws": 10}, "10")],
)
def test_bad_settings_are_refused(settings, named):
    with pytest.raises(ValueError, match=named):
        max_t([0, 1], np.eye(2), **settings)


def test_a_level_beyond_the_draws_is_refused():
    tests = max_t([0, 1], np.eye(2), draws=100)
    assert tests.critical(0.99) > tests.critical(0.9)
    with pytest.raises(ValueError, match="draw more"):
        tests.critical(0.999)
    with pytest.raises(ValueError, match="95"):
        tests.critical(95)


def one_by_one(difference, se, family, noise, alpha):
    """The one-sided tests as they are defined: reject by the largest of what is left, until nothing is."""
    left, rejected = family.copy(), np.zeros_like(family)
    first, second = np.nonzero(family)
    z = {(j, k): difference[j, k] / se[j, k] for j, k in zip(first, second, strict=True)}
    while left.any():
        pairs = list(zip(*np.nonzero(left), strict=True))
        largest = np.max([(noise[j] - noise[k]) / se[j, k] for j, k in pairs], axis=0)
        new = [
            each for each in pairs if (1 + (largest >= z[each]).sum()) / (1 + noise.shape[1]) <= alpha + 1e-12
        ]
        if not new:
            break
        for each in new:
            rejected[each], left[each] = True, False
    return rejected


@pytest.mark.parametrize("alpha", [0.7, 0.2, 0.05])
@given(
    models=st.integers(2, 7),
    apart=st.sampled_from([0.0, 0.5, 2.0, 8.0]),
    one_way=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
def test_what_is_shown_is_what_tests_one_by_one_reject(alpha, models, apart, one_way, seed):
    draw = np.random.default_rng(seed)
    root = draw.normal(size=(models, models))
    sigma = root @ root.T + 0.1 * np.eye(models)
    mean = draw.normal(0, apart * np.sqrt(np.diag(sigma).mean()), models)
    difference, se = pair_differences(mean, sigma)
    family = np.triu(np.ones_like(se, dtype=bool), 1) if one_way else ~np.eye(models, dtype=bool)
    noise = deviations(mean, sigma, draws=400, seed=1)
    found = shown(difference, se, family, noise, df=np.inf, alpha=alpha)
    assert (found == one_by_one(difference, se, family, noise, alpha)).all()
