"""The front, and the cheapest that is not worse: what is claimed, and how often it is wrong."""

import numpy as np
import pytest

from bakeoff.comparison.comparison import Spending
from bakeoff.comparison.pairs import Pairs
from bakeoff.comparison.trade_offs import choice, fronts
from bakeoff.run import Estimate
from bakeoff.stats import Interval
from bakeoff.stats.many.covariance import mean_covariance
from bakeoff.stats.pair.equivalence import non_inferiority


def made(scores, clusters=None, level=0.95):
    means = np.array(list(scores.values()), dtype=float)
    return Pairs(tuple(scores), means, clusters, mean_covariance(means, clusters), level, 0)


def costing(**costs):
    return {
        label: Spending(1, None, None, cost, ("prices",), 0, 0, None, None) for label, cost in costs.items()
    }


def whole(right, n=400):
    return np.isin(np.arange(n), list(right)).astype(float)


def test_two_candidates_are_one_test_of_non_inferiority_each():
    a, b = whole(range(300)), whole(range(5, 303))
    found = choice(made({"a": a, "b": b}), costing(a=2, b=1), 0.05)
    # a alone has 5 right, b alone 3.
    expected = {"a": non_inferiority(5, 3, 400, 0.05), "b": non_inferiority(3, 5, 400, 0.05)}
    assert [each.label for each in found.candidates] == ["b", "a"]
    for each in found.candidates:
        assert each.bound == pytest.approx(max(0, -expected[each.label].bound))
        assert each.shown == expected[each.label].shown
    assert found.chosen == "b"


def test_the_cheapest_is_passed_over_where_it_is_not_shown():
    scores = {"good": whole(range(300)), "fair": whole(range(1, 300)), "poor": whole(range(200))}
    found = choice(made(scores), costing(good=3, fair=2, poor=1), 0.05)
    assert [(each.label, each.shown) for each in found.candidates] == [
        ("poor", False),
        ("fair", True),
        ("good", True),
    ]
    assert found.chosen == "fair"


def test_with_few_items_none_can_be_shown_not_even_the_leader():
    scores = {"a": whole([0, 1, 2, 3], 8), "b": whole([2, 3, 4], 8)}
    found = choice(made(scores), costing(a=1, b=2), 0.05)
    assert found.chosen is None
    assert all(each.bound >= 0.05 for each in found.candidates)


def test_in_one_group_nothing_is_shown_and_without_prices_nothing_is_chosen():
    scores = {"a": whole(range(3), 8), "b": whole(range(4), 8)}
    found = choice(made(scores, ("g",) * 8), costing(a=1, b=2), 0.5)
    assert [(each.bound, each.shown) for each in found.candidates] == [(None, False)] * 2
    assert fronts(made(scores, ("g",) * 8), costing(a=1, b=2)) == ()
    assert choice(made(scores), costing(a=1, b=None), 0.5) is None


def test_off_the_front_is_who_is_worse_than_one_that_takes_no_more():
    scores = {"good": whole(range(300)), "dear": whole(range(200)), "cheap": whole(range(100))}
    (front,) = fronts(made(scores), costing(good=2, dear=3, cheap=1))
    assert (front.by, front.on, front.beaten_by) == ("cost", ("good", "cheap"), {"dear": ("good",)})


@pytest.mark.slow
@pytest.mark.parametrize("graded", [False, True])
def test_a_candidate_worse_by_the_margin_is_chosen_as_rarely_as_the_level_says(graded):
    # The best costs most; three cheaper ones are worse by just the margin: any choice of them is wrong.
    random, wrong, runs = np.random.default_rng(5), 0, 400
    true = {"best": 0.8, "x": 0.7, "y": 0.7, "z": 0.7}
    for _ in range(runs):
        easy = random.random(300)
        scores = {}
        for label, rate in true.items():
            own = (np.where(random.random(300) < 0.5, easy, random.random(300)) < rate) * 1.0
            scores[label] = (own + (random.random(300) < rate)) / 2 if graded else own
        found = choice(made(scores), costing(best=9, x=1, y=2, z=3), 0.1)
        wrong += found.chosen in ("x", "y", "z")
    # 5 % of 400 is 20, with a standard deviation of 4.4.
    assert wrong <= 33


def test_quicker_is_only_who_is_surely_quicker():
    def timed(low, middle, high):
        interval = Interval(low, high, 0.95, "order statistics")
        return Spending(1, None, None, None, (), 50, 0, Estimate(middle, interval, 50), None)

    scores = {"good": whole(range(300)), "near": whole(range(200)), "slow": whole(range(100))}
    spent = {"good": timed(1.0, 1.1, 1.2), "near": timed(1.15, 1.3, 1.5), "slow": timed(1.2, 1.4, 1.6)}
    (front,) = fronts(made(scores), spent)
    assert front.by == "latency"
    assert front.on == ("good", "near")
    assert front.beaten_by == {"slow": ("good",)}
