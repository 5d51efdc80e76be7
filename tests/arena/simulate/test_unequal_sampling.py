"""One provider's models shown more often than others'."""

import numpy as np
import pytest

from bakeoff.arena.simulate.report import simulate
from bakeoff.arena.simulate.scenario import NO_RULES
from bakeoff.arena.simulate.unequal_sampling import ALIKE, UnequalSampling
from bakeoff.arena.simulate.world import World
from tests.arena.simulate.drawing import draws

WORLD = World(models=10, votes=10_000)


@pytest.fixture(scope="module")
def ten_times():
    (played,) = simulate(WORLD, [UnequalSampling(times=10.0)], replications=10).played
    return {(line.attacked, line.rules): line for line in played.lines}


def test_who_is_shown_more_often_is_known_better_and_others_worse(ten_times):
    fair, favoured = ten_times[False, NO_RULES].mean, ten_times[True, NO_RULES].mean
    assert favoured.width < 0.85 * fair.width
    assert favoured.others_width > 1.2 * fair.others_width


@pytest.mark.parametrize("rules", [NO_RULES, ALIKE])
def test_being_shown_more_often_is_worth_no_points(ten_times, rules):
    line = ten_times[True, rules]
    assert abs(line.mean.error) < 4 * line.error_se


def test_the_policy_warns_of_the_favoured_provider_and_of_nobody_where_all_are_shown_alike(ten_times):
    assert ten_times[True, ALIKE].mean.caught == 1
    assert ten_times[False, ALIKE].mean.caught == 0


@pytest.mark.parametrize("times", [1.0, 4.0, 10.0])
def test_shares_are_those_of_pairs_drawn_by_the_product_of_their_weights(times):
    scenario = UnequalSampling(times=times)
    found = scenario.exposure(WORLD, scenario.votes(WORLD, draws(), attacked=True))
    weight = np.ones(10)
    weight[[0, 5]] = times  # of the first of five providers
    product = np.outer(weight, weight) * ~np.eye(10, dtype=bool)
    share = product.sum(axis=1) / product.sum()
    provider = next(each for each in found.providers if each.name == "provider 1")
    assert found.appearances == 20_000
    assert provider.share == pytest.approx(share[[0, 5]].sum(), abs=0.015)
    assert provider.fair == pytest.approx(0.2)
    assert sum(each.share for each in found.licences) == pytest.approx(1)


@pytest.mark.parametrize(("times", "warned"), [(1.0, False), (3.0, False), (20.0, True)])
def test_a_warning_stands_from_three_times_a_fair_share(times, warned):
    scenario = UnequalSampling(times=times)
    found = scenario.exposure(WORLD, scenario.votes(WORLD, draws(), attacked=True))
    assert scenario.warned(found) == warned


@pytest.mark.parametrize("times", [0.0, -1.0, float("inf"), float("nan")])
def test_weights_that_cannot_be_are_refused(times):
    with pytest.raises(ValueError, match="times must be above 0 and finite"):
        UnequalSampling(times=times)
