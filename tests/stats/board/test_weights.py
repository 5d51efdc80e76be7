from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats.qmc import Sobol

from bakeoff.stats.board.weights import weight_robustness

CASES = Path(__file__).parents[1] / "cases"
DRAWS = 2_000
pairs = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def open_llm_v2():
    return np.loadtxt(CASES / "open_llm_v2_2024_08.csv", delimiter=",", skiprows=3, usecols=range(1, 7))


# The three shares come from another simulation, whose number of draws is not known: 1,000 have a standard
# error of 0.016. Here they are 0.492, 0.352 and 0.100 to within 0.001 with two million draws.
def test_the_first_of_open_llm_v2_is_first_for_half_of_all_weightings(open_llm_v2):
    shares = weight_robustness(open_llm_v2, draws=100_000)
    assert shares[:2] == pytest.approx([0.509, 0.349], abs=0.025)
    assert sorted(shares)[-3] == pytest.approx(0.098, abs=0.025)


# Another way to the simplex, spacings of sorted uniform numbers, and other points on it, a Sobol sequence.
def test_the_shares_are_volumes_of_the_simplex(open_llm_v2):
    points = np.sort(Sobol(5, seed=0).random_base2(16), axis=1)
    weights = np.diff(points, axis=1, prepend=0, append=1)
    volumes = np.bincount((weights @ open_llm_v2.T).argmax(axis=1), minlength=348) / len(weights)
    shares = weight_robustness(open_llm_v2, draws=40_000)
    assert np.abs(shares - volumes).max() < 4 * 0.5 / 40_000**0.5


@given(pairs)
def test_with_two_tasks_it_is_the_length_of_the_interval_of_weights(rows):
    # The first task's weight is uniform; a model's total is a line over it.
    crossings = {0.0, 1.0}
    for a1, a2 in rows:
        for b1, b2 in rows:
            slope = (a1 - a2) - (b1 - b2)
            if slope and 0 < (b2 - a2) / slope < 1:
                crossings.add((b2 - a2) / slope)
    ends, exact = sorted(crossings), np.zeros(len(rows))
    for low, high in pairwise(ends):
        weight = (low + high) / 2
        totals = np.array([weight * x + (1 - weight) * y for x, y in rows])
        # Models whose lines lie on each other share.
        first = np.isclose(totals, totals.max(), rtol=0, atol=1e-12)
        exact[first] += (high - low) / first.sum()
    close = {(a, b) for a in rows for b in rows if a != b and max(abs(a[0] - b[0]), abs(a[1] - b[1])) < 1e-9}
    if not close:
        assert np.abs(weight_robustness(rows, draws=DRAWS) - exact).max() < 5 * 0.5 / DRAWS**0.5


def test_equal_models_share_and_dominated_ones_have_none():
    shares = weight_robustness([[0.9, 0.1], [0.2, 0.8], [0.9, 0.1], [0.1, 0.1]], draws=DRAWS)
    assert shares[0] == shares[2]
    assert shares[3] == 0
    assert shares.sum() == pytest.approx(1)
    assert weight_robustness([[0.5, 0.5]] * 4).tolist() == [0.25] * 4


def test_with_one_task_the_best_is_first_whatever_its_weight():
    assert weight_robustness([[0.3], [0.7], [0.7]]).tolist() == [0, 0.5, 0.5]


def test_neither_order_of_models_nor_of_tasks_matters(open_llm_v2):
    random = np.random.default_rng(0)
    models, tasks = random.permutation(348), random.permutation(6)
    shares = weight_robustness(open_llm_v2, draws=DRAWS)
    assert np.array_equal(weight_robustness(open_llm_v2[np.ix_(models, tasks)], draws=DRAWS), shares[models])


def test_the_seed_decides_the_draws():
    scores = np.eye(4)
    assert np.array_equal(weight_robustness(scores), weight_robustness(scores))
    assert not np.array_equal(weight_robustness(scores), weight_robustness(scores, seed=1))


@pytest.mark.parametrize(
    ("scores", "options", "named"),
    [
        ([[0.5, None]], {}, "model 0 on task 1 is missing"),
        ([[0.5, float("inf")]], {}, "got inf"),
        ([], {}, r"\(0,\)"),
        ([[0.5]], {"draws": 0}, "draws must be at least 1, got 0"),
    ],
)
def test_bad_input_is_refused_with_its_value(scores, options, named):
    with pytest.raises(ValueError, match=named):
        weight_robustness(scores, **options)
