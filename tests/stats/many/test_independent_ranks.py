import numpy as np
import pytest
from scipy.stats import studentized_range

from bakeoff.stats.many.independent_ranks import independent_rank_sets, range_critical
from bakeoff.stats.many.ranks import RankSet


# Tables of the studentized range, infinite degrees of freedom, 5 %: for 2, 3, 4, 10 and 20 means
# (Harter 1960).
@pytest.mark.parametrize(("models", "q"), [(2, 2.772), (3, 3.314), (4, 3.633), (10, 4.474), (20, 5.012)])
def test_critical_values_are_those_of_the_tables(models, q):
    assert range_critical(models, 0.95) == pytest.approx(q, abs=5e-4)


@pytest.mark.parametrize("models", [2, 7, 50])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_critical_values_are_scipys(models, level):
    assert range_critical(models, level) == pytest.approx(
        studentized_range.ppf(level, models, np.inf), abs=1e-5
    )


def test_models_far_apart_have_one_rank_each_and_equal_ones_all():
    assert independent_rank_sets([0.3, 0.9, 0.6], [0.001] * 3) == (
        RankSet(3, 3),
        RankSet(1, 1),
        RankSet(2, 2),
    )
    assert independent_rank_sets([0.5] * 4, [0.01] * 4) == (RankSet(1, 4),) * 4
    assert independent_rank_sets([0.5], [0.1]) == (RankSet(1, 1),)


def test_a_model_without_error_is_a_known_value_and_ties_stay_ties():
    assert independent_rank_sets([0.5, 0.5, 0.6], [0.0] * 3) == (RankSet(2, 3), RankSet(2, 3), RankSet(1, 1))


def _contain(true, sets):
    """Whether every set holds all the places that its model truly has."""
    above = (true[None, :] > true[:, None]).sum(axis=1)
    below = (true[None, :] < true[:, None]).sum(axis=1)
    places = zip(sets, 1 + above, len(true) - below, strict=True)
    return all(each.low <= low and high <= each.high for each, low, high in places)


@pytest.mark.parametrize("spread", [0.0, 0.01, 0.05])
@pytest.mark.parametrize("unequal", [False, True])
def test_all_sets_hold_together_at_least_as_often_as_they_say(spread, unequal):
    random = np.random.default_rng(5)
    true = np.round(random.normal(0.5, spread, 12), 2)
    error = random.uniform(0.005, 0.05, 12) if unequal else np.full(12, 0.02)
    draws = 1500
    held = sum(_contain(true, independent_rank_sets(random.normal(true, error), error)) for _ in range(draws))
    # Three standard errors of a share of .95.
    assert held / draws > 0.95 - 3 * (0.95 * 0.05 / draws) ** 0.5
    if spread == 0.0 and not unequal:
        # Exact where all are equal with one variance.
        assert held / draws < 0.95 + 3 * (0.95 * 0.05 / draws) ** 0.5


def test_hundreds_of_models_in_blocks_are_as_one_by_one():
    random = np.random.default_rng(2)
    mean, error = random.normal(0.5, 0.1, 600), random.uniform(0.01, 0.03, 600)
    critical = range_critical(600) / 2**0.5
    found = independent_rank_sets(mean, error)
    for model in (0, 255, 256, 599):
        margin = critical * np.hypot(error, error[model])
        above, below = (mean - mean[model] > margin).sum(), (mean[model] - mean > margin).sum()
        assert found[model] == RankSet(1 + above, 600 - below)


@pytest.mark.parametrize(
    ("means", "errors"),
    [([], []), ([0.5], [0.1, 0.1]), ([0.5, 0.6], [0.1, -0.1]), ([0.5, np.nan], [0.1, 0.1])],
)
def test_bad_input_is_refused(means, errors):
    with pytest.raises(ValueError, match=r"means|standard"):
        independent_rank_sets(means, errors)
