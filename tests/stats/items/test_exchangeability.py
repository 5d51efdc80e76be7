import numpy as np
import pytest
from scipy.stats import t, ttest_1samp

from bakeoff.stats.items.exchangeability import order_p, sharded_order_p

# Five shards, how much likelier the published order is than the mean of two shuffles.
GAINS = np.array([-6.0, 1.0, 5.0, 9.0, 10.0])
SHUFFLED = np.array([[-101.0, -99.0]] * 5)


# Oren et al. 2023 divide the variance by the number of shards: .1098 where Student's t gives .1317.
def test_the_variance_of_few_shards_is_the_unbiased_one():
    found = sharded_order_p(GAINS - 100, SHUFFLED)
    assert found == pytest.approx(0.1317, abs=5e-5)
    assert found == pytest.approx(ttest_1samp(GAINS, 0, alternative="greater").pvalue)
    biased = GAINS.mean() / (GAINS.std(ddof=0) / 5**0.5)
    assert t.sf(biased, 4) == pytest.approx(0.1098, abs=5e-5)


def test_the_exact_p_counts_the_shuffles_that_reach_the_published_order():
    assert order_p(-90, [-100, -95, -90, -80]) == 3 / 5
    assert order_p(-1, [-2] * 99) == 1 / 100


# Whatever the distribution, and with ties: all orders are alike, so each is the published one as often.
@pytest.mark.parametrize("draw", ["normal", "ties"])
def test_without_contamination_p_is_at_most_its_level(draw):
    random = np.random.default_rng(0)
    ps = []
    for _ in range(4_000):
        all_orders = random.normal(size=20) if draw == "normal" else random.integers(0, 4, 20).astype(float)
        ps.append(order_p(all_orders[0], all_orders[1:]))
    for alpha in (0.05, 0.1, 0.5):
        assert np.mean(np.array(ps) <= alpha) < alpha + 4 * (alpha / 4_000) ** 0.5


def test_a_model_that_has_seen_the_file_is_found():
    random = np.random.default_rng(1)
    shuffled = random.normal(-1_000, 5, (50, 25))
    assert sharded_order_p(random.normal(-994, 5, 50), shuffled) < 1e-6
    assert sharded_order_p(random.normal(-1_006, 5, 50), shuffled) > 1 - 1e-6


@pytest.mark.slow
def test_shards_that_were_not_seen_are_found_in_the_level_of_the_cases():
    random = np.random.default_rng(2)
    ps = [sharded_order_p(scores[:, 0], scores[:, 1:]) for scores in random.normal(size=(5_000, 5, 11))]
    assert abs(np.mean(np.array(ps) < 0.05) - 0.05) < 4 * (0.05 * 0.95 / 5_000) ** 0.5


def test_equal_gains_have_no_error_to_measure_them_by():
    assert sharded_order_p([-1, -1], [[-2], [-2]]) is None


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: order_p(-1, []), "shuffled"),
        (lambda: order_p(float("nan"), [1]), "published .* nan"),
        (lambda: sharded_order_p([-1], [[-2]]), "two shards"),
        (lambda: sharded_order_p([-1, -2], [[-2]]), "row of shuffles each"),
        (lambda: sharded_order_p([-1, -2], [-2, -3]), "shuffled must have 2"),
    ],
)
def test_bad_input_is_refused_with_its_value(call, named):
    with pytest.raises(ValueError, match=named):
        call()
