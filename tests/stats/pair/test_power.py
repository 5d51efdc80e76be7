import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats.pair.power import connor_items, design_effect, items_needed, smallest_gap

gaps = st.floats(0.005, 0.5)
variances = st.floats(0.01, 0.4)


# Connor 1987 (Biometrics 43:207), sample size of McNemar's test, 5 % and 80 %.
@pytest.mark.parametrize(
    ("disagreement", "gap", "items", "digits"),
    [
        (0.20, 0.03, 1741.8, 1),
        (0.10, 0.03, 869.7, 1),
        (0.30, 0.03, 2613.9, 1),
        (0.20, 0.01, 15695, 0),
        (0.10, 0.01, 7847, 0),
        (0.20, 0.05, 625.5, 1),
        (0.25, 0.10, 193.8, 1),
        (0.40, 0.20, 76.1, 1),
    ],
)
def test_connor_reproduces_published_values(disagreement, gap, items, digits):
    assert connor_items(gap, disagreement) == pytest.approx(items, abs=0.51 * 10**-digits)
    assert connor_items(-gap, disagreement) == connor_items(gap, disagreement)


# Miller 2024 (arXiv 2411.00640), equation 9 and its examples: 969 items; GPQA's 198 items with one answer
# (σ² of both models 1/6), ten, and any number.
def test_miller_reproduces_published_values():
    assert items_needed(0.03, 1 / 9) == 969
    assert smallest_gap(198, 1 / 9, sampling=1 / 6 + 1 / 6) == pytest.approx(0.13273, abs=5e-6)
    assert smallest_gap(198, 1 / 9, sampling=1 / 60 + 1 / 60) == pytest.approx(0.07567, abs=5e-6)
    assert smallest_gap(198, 1 / 9) == pytest.approx(0.06637, abs=5e-6)


def test_the_two_sample_sizes_agree_for_small_gaps():
    # statsmodels tt_solve_power(.03/sqrt(.1991)) is 1738.26: Student's t needs two items more.
    plain = items_needed(0.03, 0.20 - 0.03**2)
    assert plain == pytest.approx(1738.26, abs=2)
    assert connor_items(0.03, 0.20) == pytest.approx(plain, rel=4e-3)


def test_two_models_on_different_items_need_the_sum_of_both_variances():
    # 80 % against 83 %, normal approximation: 2625.9 items each.
    assert items_needed(0.03, 0.8 * 0.2 + 0.83 * 0.17) == 2626


def test_repeats_shrink_the_sampling_part_alone():
    # A mean score spread uniformly over items: 1/12 between items, 1/6 within.
    once = items_needed(0.03, 1 / 12, sampling=1 / 6)
    tenfold = items_needed(0.03, 1 / 12, sampling=1 / 60)
    assert once == 2181
    # A tenth of everything would be 219; the items' own differences remain.
    assert tenfold == 873
    assert items_needed(0.03, 1 / 12) <= tenfold


@given(gap=gaps, variance=variances, sampling=st.floats(0, 0.3), deff=st.floats(1, 5), m=st.integers(1, 50))
def test_the_smallest_gap_of_the_items_needed_is_the_gap(gap, variance, sampling, deff, m):
    options = {"sampling": sampling, "design_effect": deff, "comparisons": m}
    n = items_needed(gap, variance, **options)
    assert smallest_gap(n, variance, **options) <= gap * (1 + 1e-9)
    if n > 1:
        assert smallest_gap(n - 1, variance, **options) > gap * (1 - 1e-9)


@given(variance=variances, deff=st.floats(1, 10))
def test_a_design_effect_needs_as_many_times_the_items(variance, deff):
    plain = items_needed(0.02, variance)
    assert items_needed(0.02, variance, design_effect=deff) == pytest.approx(plain * deff, abs=deff + 1)


def test_many_comparisons_are_each_made_at_their_part_of_alpha():
    assert items_needed(0.03, 0.1, comparisons=10) == items_needed(0.03, 0.1, level=0.995)


def test_groups_multiply_the_variance_by_the_size_of_a_random_items_group():
    assert design_effect([5] * 40, 0.3) == pytest.approx(1 + 4 * 0.3)
    assert design_effect([1] * 40, 0.3) == 1
    sizes = [1, 2, 3, 10, 40]
    mean, cv = np.mean(sizes), np.std(sizes) / np.mean(sizes)
    assert design_effect(sizes, 0.2) == pytest.approx(1 + (mean * (1 + cv**2) - 1) * 0.2)


def test_a_design_effect_is_the_variance_of_a_mean_over_that_of_independent_items():
    sizes, icc = [1, 2, 3, 10, 40], 0.2
    n = sum(sizes)
    group = np.repeat(np.arange(len(sizes)), sizes)
    covariance = np.where(group[:, None] == group, icc, 0.0)
    np.fill_diagonal(covariance, 1.0)
    assert design_effect(sizes, icc) == pytest.approx(covariance.sum() / n**2 / (1 / n))


# Connor's number is meant for small gaps, and a little more than needed for others.
@pytest.mark.slow
@pytest.mark.parametrize(("gap", "disagreement"), [(0.03, 0.2), (0.1, 0.25), (0.05, 0.1)])
def test_the_power_is_reached_on_the_items_needed(gap, disagreement):
    random = np.random.default_rng(1)
    n, boards = round(connor_items(gap, disagreement)), 40_000
    cells = [(disagreement + gap) / 2, (disagreement - gap) / 2, 1 - disagreement]
    b, c, _ = random.multinomial(n, cells, size=boards).T
    found = (b - c > 1.959964 * np.sqrt(b + c)).mean()
    assert 0.795 < found < 0.83


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: items_needed(0, 0.1), "gap .* 0"),
        (lambda: items_needed(1.5, 0.1), "1.5"),
        (lambda: items_needed(float("nan"), 0.1), "nan"),
        (lambda: items_needed(0.1, -0.1), "variance .* -0.1"),
        (lambda: items_needed(0.1, 0.1, sampling=-1), "sampling .* -1"),
        (lambda: items_needed(0.1, 0), "above 0"),
        (lambda: items_needed(0.5, 0.8), "at most 0.75"),
        (lambda: items_needed(0.1, float("inf")), "inf"),
        (lambda: items_needed(0.1, 0.1, design_effect=0.5), "0.5"),
        (lambda: items_needed(0.1, 0.1, comparisons=0), "comparisons .* 0"),
        (lambda: items_needed(0.1, 0.1, level=95), "95"),
        (lambda: items_needed(0.1, 0.1, power=0.05), "power .* 0.05"),
        (lambda: items_needed(0.1, 0.1, power=80), "80"),
        (lambda: smallest_gap(0, 0.1), "n=0"),
        (lambda: smallest_gap(10, 1.1), "1.1"),
        (lambda: connor_items(0.3, 0.2), "0.3 and 1, got 0.2"),
        (lambda: connor_items(0.3, 1.2), "1.2"),
        (lambda: design_effect([], 0.1), "none"),
        (lambda: design_effect([0, 3], 0.1), "size of 0"),
        (lambda: design_effect([2, 3], -0.1), "-0.1"),
    ],
)
def test_bad_input_is_refused_with_its_value(call, named):
    with pytest.raises(ValueError, match=named):
        call()
