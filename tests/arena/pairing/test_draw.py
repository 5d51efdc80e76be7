"""The pair of one battle."""

import random
from collections import Counter

import numpy as np
import pytest
from scipy.stats import binomtest, chisquare

from bakeoff.arena.pairing.draw import draw
from bakeoff.arena.pairing.pair_probabilities import PairProbabilities
from bakeoff.arena.pairing.rules import probabilities
from bakeoff.arena.pairing.settings import PairingSettings
from bakeoff.arena.policy.propensity import overshown
from bakeoff.arena.policy.sampling import Pair
from tests.arena.pairing.making import told

ROWS = [("a", "b", 30, 12, 3), ("b", "c", 4, 4, 1), ("c", "d", 9, 2, 0), ("a", "d", 1, 0, 1)]
DRAWS = 6_000


@pytest.fixture(scope="module")
def found():
    return probabilities(told(ROWS, shown=["e"]), PairingSettings(newcomer_votes=20))


@pytest.fixture(scope="module")
def drawn(found):
    return [draw(found, seed=1, arena="chat", battle=f"battle-{number}") for number in range(DRAWS)]


def test_pairs_are_drawn_as_often_as_their_propensity_says(found, drawn):
    times = Counter(frozenset((each.first, each.second)) for each in drawn)
    pairs = [(found.models[i], found.models[j]) for i, j in zip(found.first, found.second, strict=True)]
    observed = [times[frozenset(pair)] for pair in pairs]
    assert sum(observed) == DRAWS
    assert chisquare(observed, found.probability * DRAWS).pvalue > 1e-3
    assert max(found.probability) > 2 * min(found.probability)  # so that alike would be refused
    assert chisquare(observed).pvalue < 1e-9


def test_the_propensity_is_that_of_the_pair_on_whichever_sides(found, drawn):
    for each in drawn[:500]:
        assert each.propensity == found.of(each.first, each.second) == found.of(each.second, each.first)
        assert each.rule == "variance-reduction@1"


def test_each_of_a_pair_is_left_half_of_the_time_whatever_the_pair(drawn):
    for pair in ({"a", "b"}, {"b", "c"}, {"a", "e"}):
        of_pair = [each for each in drawn if {each.first, each.second} == pair]
        assert binomtest(sum(each.first == min(pair) for each in of_pair), len(of_pair)).pvalue > 1e-3


def test_the_policys_check_of_propensities_finds_nothing(drawn):
    times, sums = Counter(), Counter()
    for each in drawn:
        pair = tuple(sorted((each.first, each.second)))
        times[pair] += 1
        sums[pair] += each.propensity
    day = [Pair(*pair, shown, 0, sums[pair], None) for pair, shown in times.items()]
    assert list(overshown(9, day)) == []


def test_a_draw_is_by_the_battles_id_and_not_by_what_was_drawn_before(found, drawn):
    numbers = random.Random(0).sample(range(DRAWS), 200)
    for number in numbers:
        assert draw(found, seed=1, arena="chat", battle=f"battle-{number}") == drawn[number]
    others = [draw(found, seed=2, arena="chat", battle=f"battle-{number}") for number in range(200)]
    assert others != drawn[:200]
    elsewhere = [draw(found, seed=1, arena="code", battle=f"battle-{number}") for number in range(200)]
    assert elsewhere != drawn[:200]


def test_the_order_in_which_models_come_changes_no_draw(found, drawn):
    turned = [(b, a, lost, won, ties) for a, b, won, lost, ties in reversed(ROWS)]
    other = probabilities(told(turned, shown=["e"]), PairingSettings(newcomer_votes=20))
    for number in range(200):
        assert draw(other, seed=1, arena="chat", battle=f"battle-{number}") == drawn[number]


def test_two_models_are_the_only_pair():
    only = draw(probabilities(told([("a", "b", 3, 1, 0)]), PairingSettings()), seed=0, arena="x", battle="y")
    assert {only.first, only.second} == {"a", "b"}
    assert only.propensity == 1


@pytest.mark.parametrize("probability", [(0.5, 0.4), (1.0, 0.0), (1.5, -0.5), (np.nan, 1.0)])
def test_probabilities_that_are_none_are_refused(probability):
    with pytest.raises(ValueError, match="above 0 and add up to 1"):
        PairProbabilities(
            "uniform@1", 0, ("a", "b", "c"), np.array([0, 0]), np.array([1, 2]), np.array(probability)
        )
