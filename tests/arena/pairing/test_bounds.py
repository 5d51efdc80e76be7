"""What is owed to every pair and model, whatever a rule prefers."""

import numpy as np
import pytest
from hypothesis import given

from bakeoff.arena.pairing.rules import probabilities
from bakeoff.arena.pairing.settings import PairingSettings
from tests.arena.pairing.making import even, knowledges, names, settings, told


@given(knowledges(), settings())
def test_every_pair_that_may_meet_keeps_its_floor_and_no_other_is_drawn(known, rules):
    found = probabilities(known, rules)
    able = known.eligible(rules.private_meet)
    assert found.probability.sum() == pytest.approx(1)
    assert found.probability.min() >= rules.floor / len(found.probability) * (1 - 1e-9)
    assert list(zip(found.first.tolist(), found.second.tolist(), strict=True)) == [
        (i, j) for i in range(len(able)) for j in range(i + 1, len(able)) if able[i, j]
    ]


@given(knowledges(), settings())
def test_no_model_is_shown_too_often_or_too_rarely(known, rules):
    """Where all may meet all, each one's fair share is 1 / models."""
    rules = rules.model_copy(update={"private_meet": True})
    found = probabilities(known, rules)
    models = len(found.models)
    times = models * np.array(list(found.shares.values()))
    newcomer = known.newcomers(rules.newcomer_votes)
    assert times.max() <= rules.most * (1 + 1e-9)
    assert times.min() >= rules.least * (1 - 1e-9)
    if newcomer.any():
        owed = min(rules.newcomer_share, 0.25 * models / newcomer.sum())
        assert times[newcomer].min() >= owed * (1 - 1e-9)


@pytest.mark.parametrize("rule", ["variance-reduction@1", "win-matrix@1", "uniform@1"])
@pytest.mark.parametrize(("newcomers", "owed"), [(1, 1.5), (3, 1.5), (8, 0.25 * 38 / 8), (20, 0.625)])
def test_newcomers_are_owed_a_share_and_together_a_quarter_at_most(rule, newcomers, owed):
    board = told(even(30, 40), shown=[f"new{number}" for number in range(newcomers)])
    found = probabilities(board, PairingSettings(rule=rule))
    times = {name: (30 + newcomers) * share for name, share in found.shares.items()}
    least = min(times[f"new{number}"] for number in range(newcomers))
    assert least >= owed * (1 - 1e-9)
    assert max(times.values()) <= 2.5 * (1 + 1e-9)
    if rule == "uniform@1":
        assert least == pytest.approx(max(1, owed), rel=5e-3)


def test_among_uniform_pairs_old_models_are_alike_and_so_are_newcomers():
    board = told(even(10, 100), shown=["x", "y"])
    found = probabilities(board, PairingSettings(rule="uniform@1"))
    assert len({round(found.of(a, "x"), 12) for a in names(10)}) == 1
    assert len({round(found.of("m03", b), 12) for b in names(10) if b != "m03"}) == 1
    assert found.of("m03", "x") > 1.2 * found.of("m03", "m04")


def test_without_the_ceiling_a_newcomer_would_crowd_out_all_others():
    board = told(even(40, 200), shown=["new"])
    ruled = probabilities(board, PairingSettings()).shares["new"] * 41
    wanted = probabilities(board, PairingSettings(most=1e9, newcomer_share=1.5)).shares["new"] * 41
    assert ruled == pytest.approx(2.5)
    assert wanted > 8


@pytest.mark.parametrize("rule", ["variance-reduction@1", "win-matrix@1", "uniform@1"])
def test_two_private_models_are_never_shown_together(rule):
    board = told(even(4, 10), shown=["p", "q"], private=["p", "q"])
    found = probabilities(board, PairingSettings(rule=rule))
    assert found.of("p", "q") == 0
    assert len(found.probability) == 14
    assert found.of("q", "m00") > 0
