"""What each rule prefers where no bound binds."""

import numpy as np
import pytest

from bakeoff.arena.pairing import variance_reduction, win_matrix
from bakeoff.arena.pairing.estimate import estimate
from bakeoff.arena.pairing.knowledge import know
from bakeoff.arena.pairing.rules import RULES, due, probabilities
from bakeoff.arena.pairing.settings import PairingSettings
from tests.arena.pairing.making import FREE, counts, even, names, told


def test_the_drop_of_the_standard_errors_is_that_of_the_information_with_one_more_vote():
    known = told([("a", "b", 30, 12, 3), ("b", "c", 4, 4, 1), ("c", "d", 9, 2, 0), ("a", "d", 1, 0, 1)])
    found = estimate(known, 1.0)
    drops = variance_reduction.reduction(found)
    centring = np.eye(4) - 0.25

    def errors(information):
        return np.diag(centring @ np.linalg.inv(information) @ centring)

    information = np.linalg.inv(found.covariance)
    before = errors(information)
    for i, j in ((0, 1), (1, 2), (0, 3), (2, 0)):
        d = np.zeros(4)
        d[[i, j]] = 1, -1
        p = 1 / (1 + np.exp(found.strength[j] - found.strength[i]))
        after = errors(information + p * (1 - p) * np.outer(d, d))
        # A root drops by half the drop of its square over itself, to first order.
        assert drops[i, j] == pytest.approx(((before - after) / (2 * np.sqrt(before))).sum(), rel=1e-6)
        assert drops[j, i] == pytest.approx(drops[i, j])
    assert np.diag(drops) == pytest.approx(np.zeros(4))


def test_the_win_matrix_rule_is_equation_9_with_one_more_vote_for_each_pair():
    # Even outcomes, so all strengths are equal: the weights are by the numbers of votes 8, 3 and 0 alone.
    known = told([("a", "b", 4, 4, 0), ("b", "c", 1, 1, 1), ("a", "c", 0, 0, 0)])
    drop = {pair: 1 / np.sqrt(n) - 1 / np.sqrt(n + 1) for pair, n in (("ab", 9), ("bc", 4), ("ac", 1))}
    found = win_matrix.probabilities(known, FREE.model_copy(update={"rule": "win-matrix@1"}))
    for pair, weight in drop.items():
        assert found.of(*pair) == pytest.approx(weight / sum(drop.values()), abs=1e-6)


@pytest.mark.parametrize("rule", RULES)
def test_before_there_are_votes_all_pairs_are_alike(rule):
    found = probabilities(know(counts([]), names(6)), PairingSettings(rule=rule))
    assert found.probability == pytest.approx(np.full(15, 1 / 15))
    assert found.votes == 0


@pytest.mark.parametrize("rule", ["variance-reduction@1", "win-matrix@1"])
def test_parts_that_never_met_are_linked_first(rule):
    apart = [*even(3, 60), *((f"x{a}", f"x{b}", 30, 30, 0) for a in range(3) for b in range(a))]
    found = probabilities(told(apart), FREE.model_copy(update={"rule": rule}))
    inside = found.of("m00", "m01")
    assert found.of("m00", "x0") > 4 * inside
    assert found.of("x2", "m02") == pytest.approx(found.of("m00", "x0"), rel=1e-3)


@pytest.mark.parametrize("rule", ["variance-reduction@1", "win-matrix@1"])
def test_of_pairs_that_met_as_often_those_near_in_strength_come_first(rule):
    # a and b are equal, c and d too, and far below.
    near, far = [("a", "b", 20, 20, 0), ("c", "d", 20, 20, 0)], [(i, j, 39, 1, 0) for i in "ab" for j in "cd"]
    found = probabilities(told(near + far), FREE.model_copy(update={"rule": rule}))
    times = {"variance-reduction@1": 1.05, "win-matrix@1": 2}
    assert found.of("a", "b") > times[rule] * found.of("a", "c")
    assert found.of("a", "c") == pytest.approx(found.of("b", "d"))
    assert found.of("a", "b") == pytest.approx(found.of("c", "d"))


@pytest.mark.parametrize("rule", RULES)
def test_the_order_of_rows_and_models_changes_nothing_and_no_name_matters(rule):
    rows = [("a", "b", 30, 12, 3), ("b", "c", 4, 4, 1), ("c", "d", 9, 2, 0), ("a", "d", 1, 0, 1)]
    settings = PairingSettings(rule=rule, newcomer_votes=15)
    found = probabilities(told(rows), settings)
    turned = [(b, a, lost, won, ties) for a, b, won, lost, ties in reversed(rows)]
    assert probabilities(told(turned), settings).probability.tolist() == found.probability.tolist()
    called = dict(zip("abcd", "zkqe", strict=True))
    renamed = probabilities(told([(called[a], called[b], *rest) for a, b, *rest in rows]), settings)
    for a in "abcd":
        for b in "abcd":
            assert renamed.of(called[a], called[b]) == pytest.approx(found.of(a, b), rel=1e-9)


def test_probabilities_are_due_again_after_so_many_votes():
    settings = PairingSettings(every=20)
    found = probabilities(told(even(4, 10)), settings)
    assert found.votes == 60
    assert not due(found, 79, settings)
    assert due(found, 80, settings)
