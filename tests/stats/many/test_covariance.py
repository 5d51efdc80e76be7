import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from bakeoff.stats.many.covariance import degrees_of_freedom, mean_covariance, pair_differences

few_scores = st.tuples(st.integers(1, 5), st.integers(2, 12)).flatmap(
    lambda shape: st.tuples(
        arrays(float, shape, elements=st.sampled_from([0, 0, 0.1, 0.5, 1, 1])),
        st.one_of(st.none(), st.lists(st.integers(0, 3), min_size=shape[1], max_size=shape[1])),
    )
)


def standard_errors(scores, clusters=None):
    return pair_differences(np.mean(scores, axis=1), mean_covariance(scores, clusters))[1]


def test_independent_items_give_the_sample_covariance():
    scores = np.random.default_rng(1).random((6, 300))
    assert mean_covariance(scores) == pytest.approx(np.cov(scores) / 300, rel=1e-12)


def test_a_pairs_error_is_that_of_the_paired_t_test():
    scores = np.random.default_rng(2).random((2, 40))
    t = (scores[0].mean() - scores[1].mean()) / standard_errors(scores)[0, 1]
    assert t == pytest.approx(stats.ttest_rel(*scores).statistic, rel=1e-9)


# statsmodels OLS(y, 1, cov_type="cluster"), which is CR1.
@pytest.mark.parametrize(
    ("scores", "clusters", "error"),
    [
        ([1, 1, 0, 0, 1, 0, 1, 1], "aabbccdd", 0.239357),
        ([1, 1, 1, 0, 0, 1, 0, 1, 1, 1], "aaabbccccd", 0.196638),
    ],
)
def test_groups_give_the_cluster_robust_error(scores, clusters, error):
    assert mean_covariance([scores], clusters)[0, 0] ** 0.5 == pytest.approx(error, abs=1e-6)


def test_groups_give_the_cluster_robust_error_of_a_difference():
    random = np.random.default_rng(3)
    scores, clusters = random.random((3, 60)) + random.random((3, 12)).repeat(5, axis=1), np.arange(60) // 5
    residuals = scores[0] - scores[1] - (scores[0] - scores[1]).mean()
    robust = 12 / 11 * sum(residuals[clusters == group].sum() ** 2 for group in range(12)) / 60**2
    assert standard_errors(scores, clusters.tolist())[0, 1] == pytest.approx(robust**0.5, rel=1e-9)


def test_groups_of_one_item_are_independent_items():
    scores = np.random.default_rng(4).random((4, 50))
    assert mean_covariance(scores, range(50)) == pytest.approx(mean_covariance(scores), rel=1e-9)


def test_groups_that_balance_inside_count_as_independent_items():
    # Each group's sum is that of every other: CR1 gives 0.
    one = [1, 0] * 6
    other = [0, 1] * 6
    groups = [i // 2 for i in range(12)]
    assert mean_covariance([one], groups)[0, 0] == pytest.approx(np.var(one, ddof=1) / 12)
    assert standard_errors([one, other], groups)[0, 1] == pytest.approx(standard_errors([one, other])[0, 1])


@pytest.mark.parametrize("n", [2, 6, 10, 1000])
def test_right_everywhere_against_wrong_everywhere_is_half_n_standard_errors(n):
    assert standard_errors([[1] * n, [0] * n])[0, 1] == pytest.approx(2 / n)


@pytest.mark.parametrize("n", [4, 5, 6, 7, 8])
def test_the_cap_is_about_the_sign_test(n):
    p = 2 * stats.t.sf(1 / standard_errors([[1] * n, [0] * n])[0, 1], degrees_of_freedom(n))
    assert p == pytest.approx(stats.binomtest(n, n).pvalue, rel=0.5)


@given(few_scores)
def test_a_pair_that_differs_never_looks_certain_and_one_that_does_not_has_no_error(case):
    scores, clusters = case
    if clusters is not None and len(set(clusters)) == 1:
        assert mean_covariance(scores, clusters) is None
        return
    errors = standard_errors(scores, clusters)
    for j, row in enumerate(scores):
        for k, other in enumerate(scores):
            assert (errors[j, k] > 0) == (row != other).any()


@given(few_scores)
def test_it_is_a_covariance_and_never_below_that_of_independent_items(case):
    scores, clusters = case
    if clusters is not None and len(set(clusters)) == 1:
        return
    covariance = mean_covariance(scores, clusters)
    assert covariance == pytest.approx(covariance.T, abs=1e-15)
    assert np.linalg.eigvalsh(covariance).min() > -1e-12
    independent = np.atleast_2d(np.cov(scores)) / scores.shape[1]
    assert (np.diag(covariance) >= np.diag(independent) - 1e-12).all()
    for j in range(len(scores)):
        for k in range(j):
            contrast = np.zeros(len(scores))
            contrast[[j, k]] = 1, -1
            assert contrast @ covariance @ contrast >= contrast @ independent @ contrast - 1e-12


@given(few_scores, st.randoms(use_true_random=False))
def test_the_order_of_items_and_models_changes_nothing(case, order):
    scores, clusters = case
    items, models = list(range(scores.shape[1])), list(range(len(scores)))
    order.shuffle(items)
    order.shuffle(models)
    shuffled = None if clusters is None else [f"passage {clusters[item]}" for item in items]
    covariance = mean_covariance(scores, clusters)
    other = mean_covariance(scores[np.ix_(models, items)], shuffled)
    if covariance is None:
        assert other is None
    else:
        assert other == pytest.approx(covariance[np.ix_(models, models)], abs=1e-12)


def test_one_item_or_group_says_nothing_of_others():
    assert mean_covariance([[1], [0]]) is None
    assert mean_covariance([[1, 0], [0, 1]], ["passage", "passage"]) is None


def test_degrees_of_freedom():
    assert degrees_of_freedom(10) == 9
    assert degrees_of_freedom([i // 5 for i in range(50)]) == pytest.approx(9)
    # 10² / (9 + 4 + 16 + 1) - 1
    assert degrees_of_freedom("aaabbccccd") == pytest.approx(100 / 30 - 1)
    assert degrees_of_freedom([0] * 99 + [1]) == 1


@pytest.mark.parametrize("clusters", [1, 0, -3, "aaa", []])
def test_one_item_or_group_has_no_degrees_of_freedom(clusters):
    with pytest.raises(ValueError, match="at least two"):
        degrees_of_freedom(clusters)


@pytest.mark.parametrize(
    ("scores", "clusters", "named"),
    [
        ([], None, "scores"),
        ([1, 0], None, "2 dimension"),
        ([[1, float("nan")]], None, "nan"),
        ([[1, 0, 1]], ["a", "b"], "3 values and 2 groups"),
    ],
)
def test_scores_that_are_no_table_are_refused(scores, clusters, named):
    with pytest.raises(ValueError, match=named):
        mean_covariance(scores, clusters)


@pytest.mark.parametrize(
    ("means", "covariance", "named"),
    [
        ([1, 2], [[1]], "2 by 2"),
        ([1, float("inf")], np.eye(2), "inf"),
        ([1, 2], [[1, 0.5], [0.4, 1]], "symmetric"),
        ([1, 2], [[1, 3], [3, 1]], "below 0"),
        ([1, 2], [[1, 0], [0, -1]], "below 0"),
        ([1, 2, 1], np.zeros((3, 3)), "models 0 and 1 differ by -1"),
    ],
)
def test_what_is_no_covariance_is_refused(means, covariance, named):
    with pytest.raises(ValueError, match=named):
        pair_differences(means, covariance)


def test_a_zero_below_zero_is_the_same_score():
    assert (mean_covariance([[0.0, 1, 0.5], [-0.0, 1, 0.5]]) == mean_covariance([[0.0, 1, 0.5]])[0, 0]).all()
