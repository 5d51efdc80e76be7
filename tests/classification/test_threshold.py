"""Thresholds chosen by cost, and never judged on what they were chosen on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.classification.cases import Case
from bakeoff.classification.costs import Costs
from bakeoff.classification.decisions import Decisions
from bakeoff.classification.expected import Terms, nested_cost
from bakeoff.classification.folds import FOLDS, folds
from bakeoff.classification.threshold import cheapest, flags, nested, nested_draws

COSTS = Costs(1.0, 20.0)
cases = st.lists(st.tuples(st.integers(0, 8), st.booleans()), min_size=2, max_size=40).filter(
    lambda rows: len({label for _, label in rows}) == 2
)


def cost_of(flagged, positive, costs, prevalence):
    """Expected cost of 1,000 cases, written out."""
    missed = 1 - flagged[positive == 1].mean()
    alarms = flagged[positive == 0].mean()
    return 1000 * (
        prevalence * costs.false_negative * missed + (1 - prevalence) * costs.false_positive * alarms
    )


@given(cases, st.floats(0.01, 0.9), st.floats(0.1, 50))
def test_no_threshold_is_cheaper_than_the_cheapest(rows, prevalence, ratio):
    scores = np.array([score / 8 for score, _ in rows])
    positive = np.array([int(label) for _, label in rows])
    costs = Costs(1.0, ratio)
    choice = cheapest(scores, positive, costs, prevalence)
    own = cost_of(flags(scores, choice.threshold), positive, costs, prevalence)
    assert own == pytest.approx(choice.apparent)
    every = (flags(scores, threshold) for threshold in (None, *np.linspace(0, 1, 17)))
    assert own == pytest.approx(min(cost_of(each, positive, costs, prevalence) for each in every))


def test_the_threshold_lies_between_the_kinds_that_it_parts():
    scores, positive = np.array([0.1, 0.3, 0.7, 0.9]), np.array([0, 0, 1, 1])
    assert cheapest(scores, positive, COSTS, 0.1).threshold == pytest.approx(0.5)
    assert cheapest(scores, 1 - positive, Costs(1, 0), 0.1).threshold is None  # nothing is worth flagging
    assert cheapest(scores, 1 - positive, Costs(0, 1), 0.1).threshold == 0.0  # everything is
    assert cheapest(scores, np.ones(4, dtype=int), COSTS, 0.1) is None


def noise(seed, n=150, rare=0.1):
    random = np.random.default_rng(seed)
    return random.random(n), (random.random(n) < rare).astype(int), [f"q{i}" for i in range(n)]


def test_each_fold_is_flagged_by_the_threshold_of_the_others():
    scores, positive, _ = noise(1)
    units = np.array([f"g{i % FOLDS}" for i in range(len(scores))])  # as many units as folds: each is one
    found = nested(scores, positive, folds(positive, list(units), "mail"), COSTS, 0.1)
    chosen = []
    for unit in sorted(set(units)):
        inside = units == unit
        chosen.append(cheapest(scores[~inside], positive[~inside], COSTS, 0.1).threshold)
        assert (found.flagged[inside] == flags(scores[inside], chosen[-1])).all()
    assert sorted(found.thresholds) == sorted(chosen)
    assert len(set(chosen)) > 1


def test_units_stay_whole_and_the_order_of_items_is_nothing():
    scores, positive, units = noise(2)
    pairs = [f"g{i // 2}" for i in range(len(units))]
    whole = nested(scores, positive, folds(positive, pairs, "mail"), COSTS, 0.1)
    order = np.random.default_rng(3).permutation(len(units))
    fold_of = folds(positive[order], [pairs[i] for i in order], "mail")
    shuffled = nested(scores[order], positive[order], fold_of, COSTS, 0.1)
    assert shuffled.thresholds == whole.thresholds
    assert (shuffled.flagged == whole.flagged[order]).all()


def test_a_single_positive_cannot_be_both_chosen_on_and_judged():
    scores, positive, units = np.linspace(0, 1, 30), np.zeros(30, dtype=int), [f"q{i}" for i in range(30)]
    positive[4] = 1
    assert nested(scores, positive, folds(positive, units, "mail"), COSTS, 0.1) is None
    assert nested(scores, positive, folds(positive, ["one"] * 30, "mail"), COSTS, 0.1) is None


def test_noise_looks_cheap_on_its_own_items_and_not_on_others():
    """Scores that know nothing cannot beat the better of flagging nothing and everything: 20 * 0.1 against
    0.9 * 1 a case, so 900 for 1,000.
    """
    apparent, held_out = [], []
    for seed in range(60):
        scores, positive, units = noise(seed)
        apparent.append(cheapest(scores, positive, COSTS, 0.1).apparent)
        found = nested(scores, positive, folds(positive, units, "mail"), COSTS, 0.1)
        held_out.append(cost_of(found.flagged, positive, COSTS, 0.1))
    error = np.std(held_out, ddof=1) / 60**0.5
    assert max(apparent) <= 900 + 1e-9
    assert np.mean(apparent) < 900 - 50
    assert np.mean(held_out) > 900 - 3 * error


def test_of_redrawn_items_the_costs_are_those_of_the_whole_procedure_repeated():
    """The vectorised draw against `nested` itself on copies of the drawn items."""
    scores, positive, units = noise(5, n=120)
    scores = np.round(scores, 2)
    fold_of = folds(positive, units, "mail")
    found = nested_draws(scores, positive, fold_of, np.arange(120), COSTS, 0.1, draws=20)
    random = np.random.default_rng(0)
    for cost in found:
        drawn = []
        for kind in (np.flatnonzero(positive), np.flatnonzero(1 - positive)):
            drawn += list(np.repeat(kind, random.multinomial(len(kind), np.full(len(kind), 1 / len(kind)))))
        again = nested(scores[drawn], positive[drawn], fold_of[drawn], COSTS, 0.1)
        # Between two scores the draw takes the upper one, `nested` the middle: a fold's item may lie there.
        assert cost == pytest.approx(cost_of(again.flagged, positive[drawn], COSTS, 0.1), abs=60)
    assert len(found) == 20


@pytest.mark.slow
def test_the_interval_of_a_nested_cost_covers_what_the_procedure_costs_on_average():
    """Against the mean cost of the procedure over many data sets, with thresholds chosen anew in each."""

    def drawn(seed):
        random = np.random.default_rng(seed)
        positive = np.repeat([1, 0], [20, 180])
        scores = 1 / (1 + np.exp(-(random.normal(size=200) + 1.2 * positive)))
        cases = [Case(f"q{i}", f"q{i}", "", "", "scored") for i in range(200)]
        known = np.ones(200, dtype=bool)
        data = Decisions(tuple(cases), positive, (scores > 0.5).astype(int), scores, known, None)
        return nested_cost(data, Terms(COSTS, 0.1, 0.95, f"t{seed}"))

    rows = [drawn(seed) for seed in range(60)]
    truth = np.mean([row.cost.value for row in rows])
    covered = np.mean([row.cost.interval.low <= truth <= row.cost.interval.high for row in rows])
    assert covered >= 0.86
