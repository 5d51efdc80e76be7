"""Ratings against those of arena-rank 0.1.1 on the same 3,000 made-up battles.

`golden/arena_rank.json` has its figures (`benchmarks/golden_ratings.py` writes it). Our variances count one
more vote for each model, of which here even the rarest has 569, and not the 1e-5 for each vote that it adds
to the information; with the one out and the other in they are the same.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from benchmarks.parity.battles import MODELS, made_battles

from bakeoff.stats.ratings import Battles, bradley_terry, pairs_of, scores, style_controlled
from bakeoff.stats.ratings.bradley_terry import half_ties, win_probability
from bakeoff.stats.ratings.sandwich import half_tie_meat, laplacian, one_more_vote
from bakeoff.stats.ratings.scale import POINTS, standard_errors

GOLDEN = json.loads((Path(__file__).parent / "golden" / "arena_rank.json").read_bytes())
MADE = made_battles()
BATTLES = Battles(
    MODELS,
    np.array([each.first for each in MADE]),
    np.array([each.second for each in MADE]),
    np.array([each.outcome for each in MADE]),
)
PAIRS = {"votes": pairs_of(BATTLES), "even": pairs_of(BATTLES).reweighted()}


@pytest.mark.parametrize("kind", PAIRS)
def test_ratings_are_the_same(kind):
    assert scores(bradley_terry(PAIRS[kind])) == pytest.approx(GOLDEN[kind]["ratings"], abs=1e-3)


@pytest.mark.parametrize("kind", PAIRS)
def test_variances_are_the_same_less_the_one_more_vote(kind):
    pairs = PAIRS[kind]
    fit = bradley_terry(pairs)
    p = win_probability(fit.strength)
    _, _, information = half_ties(pairs)(fit.strength)
    meat = half_tie_meat(pairs, p) - laplacian(one_more_vote(pairs) * p * p.T)
    added = 1e-5 * (len(BATTLES) if kind == "votes" else 1)
    bread = np.linalg.inv(information + added * np.eye(MODELS))
    golden = np.array(GOLDEN[kind]["variances"])
    assert POINTS**2 * np.diag(bread @ meat @ bread) == pytest.approx(golden, rel=1e-5)
    assert (standard_errors(fit) ** 2 > golden).all()
    assert (standard_errors(fit) ** 2 < 1.01 * golden).all()


def test_at_equal_style_without_a_penalty():
    found = style_controlled(BATTLES, np.array([each.covariates for each in MADE]))
    golden = GOLDEN["covariates"]
    assert scores(found.fit) == pytest.approx(golden["ratings"], abs=1e-3)
    assert found.coefficient == pytest.approx(golden["coefficients"], abs=1e-5)
    ratio = standard_errors(found.fit) ** 2 / golden["variances"]
    assert (ratio > 1).all()
    assert (ratio < 1.01).all()
