import re

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from bakeoff.stats.items.irt import ItemResponse, Refused, rasch, two_parameter
from tests.stats.items.lsat import LSAT6, LSAT7, responses


def simulated(random, respondents, discrimination, difficulty):
    ability = random.normal(size=(respondents, 1))
    right = random.random((respondents, len(difficulty))) < 1 / (
        1 + np.exp(-np.array(discrimination) * (ability - difficulty))
    )
    return right.astype(float)


# Rizopoulos 2006 (J. Stat. Softw. 17(5)), R package ltm: rasch(LSAT).
def test_the_rasch_model_of_lsat_6_is_that_of_ltm():
    found = rasch(responses(LSAT6))
    assert found.log_likelihood == pytest.approx(-2466.938, abs=1e-3)
    assert found.discrimination == pytest.approx([0.7551] * 5, abs=1e-3)
    assert found.difficulty == pytest.approx([-3.6153, -1.3224, -0.3176, -1.7301, -2.7802], abs=1e-3)
    assert found.discrimination_error == pytest.approx([0.0694] * 5, abs=1e-3)
    assert found.difficulty_error == pytest.approx([0.3266, 0.1422, 0.0977, 0.1691, 0.2510], abs=1e-3)
    assert found.respondents == 1_000


# The same package's ltm(LSAT ~ z1); its errors are at a maximum found to two digits.
def test_the_two_parameter_model_of_lsat_6_is_that_of_ltm():
    found = two_parameter(responses(LSAT6))
    assert found.log_likelihood == pytest.approx(-2466.653, abs=1e-3)
    assert found.discrimination == pytest.approx([0.8257, 0.7227, 0.8909, 0.6884, 0.6569], abs=1e-3)
    assert found.difficulty == pytest.approx([-3.3588, -1.3701, -0.2797, -1.8664, -3.1259], abs=1e-3)
    assert found.discrimination_error == pytest.approx([0.2581, 0.1867, 0.2326, 0.1852, 0.2100], abs=2e-3)
    assert found.difficulty_error == pytest.approx([0.8669, 0.3073, 0.0997, 0.4341, 0.8700], abs=2e-3)


# Chalmers 2012 (J. Stat. Softw. 48(6)), R package mirt, whose intercepts are d = -a b.
def test_the_two_parameter_model_of_lsat_7_is_that_of_mirt():
    found = two_parameter(responses(LSAT7))
    intercepts = [-a * b for a, b in zip(found.discrimination, found.difficulty, strict=True)]
    assert found.log_likelihood == pytest.approx(-2658.805, abs=1e-3)
    assert found.discrimination == pytest.approx([0.9875, 1.0808, 1.7075, 0.7650, 0.7357], abs=1e-3)
    assert intercepts == pytest.approx([1.8559, 0.8080, 1.8052, 0.4860, 1.8545], abs=1e-3)


def test_the_likelihood_is_the_integral_over_abilities():
    found = two_parameter(responses(LSAT7))
    total = 0.0
    for pattern, copies in zip(np.arange(32)[:, None] >> np.arange(4, -1, -1) & 1, LSAT7, strict=True):

        def density(ability, pattern=pattern):
            p = 1 / (1 + np.exp(-np.array(found.discrimination) * (ability - np.array(found.difficulty))))
            return np.where(pattern, p, 1 - p).prod() * norm.pdf(ability)

        total += copies * np.log(quad(density, -12, 12, epsabs=1e-12)[0])
    assert found.log_likelihood == pytest.approx(total, abs=1e-5)


@pytest.mark.parametrize("fit", [rasch, two_parameter])
def test_neither_respondents_nor_items_have_an_order(fit):
    random = np.random.default_rng(0)
    table = responses(LSAT7)
    items = random.permutation(5)
    one, other = fit(table), fit(table[random.permutation(1_000)][:, items])
    assert other.log_likelihood == pytest.approx(one.log_likelihood, abs=1e-6)
    assert other.difficulty == pytest.approx([one.difficulty[i] for i in items], abs=1e-4)
    assert other.difficulty_error == pytest.approx([one.difficulty_error[i] for i in items], abs=1e-4)


def test_a_wrong_key_shows_as_negative_discrimination():
    table = responses(LSAT7)
    table[:, 2] = 1 - table[:, 2]
    found, plain = two_parameter(table), two_parameter(responses(LSAT7))
    assert found.log_likelihood == pytest.approx(plain.log_likelihood, abs=1e-4)
    assert found.discrimination[2] == pytest.approx(-plain.discrimination[2], abs=1e-3)
    assert found.difficulty == pytest.approx(plain.difficulty, abs=1e-3)


# Answers that were not asked for say nothing: half of them gone, the parameters stay where they were.
def test_missing_answers_are_left_out():
    random = np.random.default_rng(3)
    difficulty = np.linspace(-1.5, 1.5, 10)
    table = simulated(random, 3_000, [1.2] * 10, difficulty)
    table[random.random(table.shape) < 0.5] = np.nan
    found = rasch(table)
    assert found.difficulty == pytest.approx(difficulty, abs=0.2)
    empty = np.vstack([table, np.full((50, 10), np.nan)])
    assert rasch(empty) == found


# Where the errors are right, estimates are about one of them off.
def test_parameters_are_recovered_within_their_errors():
    random = np.random.default_rng(4)
    discrimination, difficulty = random.uniform(0.5, 2, 30), random.normal(size=30)
    found = two_parameter(simulated(random, 1_000, discrimination, difficulty))
    off = np.append(
        (np.array(found.difficulty) - difficulty) / found.difficulty_error,
        (np.array(found.discrimination) - discrimination) / found.discrimination_error,
    )
    assert 0.5 < (off**2).mean() < 1.6
    assert np.abs(off).max() < 4.5


@pytest.mark.slow
def test_the_true_difficulty_is_covered_with_few_respondents():
    random, difficulty = np.random.default_rng(5), np.linspace(-1.5, 1.5, 20)
    covered = []
    for _ in range(50):  # of 20 items each: an error of the share of .008
        found = rasch(simulated(random, 60, [1.0] * 20, difficulty))
        if isinstance(found, ItemResponse):
            off = (np.array(found.difficulty) - difficulty) / found.difficulty_error
            covered.append((np.abs(off) < 1.96).mean())
    assert len(covered) > 30
    assert abs(np.mean(covered) - 0.95) < 0.025


FEW = simulated(np.random.default_rng(6), 29, [1.0] * 5, [0.0] * 5)
CONSTANT = np.column_stack([FEW.repeat(20, axis=0), np.ones(580)])
STEPS = (np.arange(11)[:, None] > np.arange(10)).astype(float).repeat(40, axis=0)
COINS = (np.random.default_rng(7).random((300, 8)) < 0.6).astype(float)


@pytest.mark.parametrize(
    ("fit", "table", "reason"),
    [
        (rasch, FEW, "29 respondents are too few; 30"),
        (two_parameter, FEW.repeat(2, axis=0), "58 respondents are too few; 200"),
        (rasch, CONSTANT, "without variance .* difficulty: 5$"),
        (two_parameter, 1 - CONSTANT, "without variance .* difficulty: 5$"),
        (rasch, FEW[:, :1].repeat(20, axis=0), "2 are the least"),
        (two_parameter, FEW[:, :2].repeat(20, axis=0), "3 are the least"),
        (rasch, STEPS, "without end"),
        (two_parameter, STEPS, "without end"),
        (rasch, COINS, "no common ability"),
        (two_parameter, np.tile(COINS[:, :1], 5), "without end"),
    ],
)
def test_what_the_data_do_not_tell_is_refused_with_the_reason(fit, table, reason):
    found = fit(table)
    assert isinstance(found, Refused)
    assert re.search(reason, found.reason)


def test_the_number_of_respondents_asked_for_can_be_changed():
    table = simulated(np.random.default_rng(8), 60, [1.5] * 6, np.linspace(-1, 1, 6))
    assert isinstance(rasch(table, fewest=61), Refused)
    assert isinstance(rasch(table), ItemResponse)


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ([[0, 2]], "got 2"),
        ([[0, float("inf")]], "inf"),
        ([0, 1], r"\(2,\)"),
        ([], r"\(0,\)"),
        ([["a"]], "table of 0, 1"),
        ([[None, None]], "at least one answer"),
    ],
)
def test_what_are_no_responses_is_refused(table, named):
    for fit in (rasch, two_parameter):
        with pytest.raises(ValueError, match=named):
            fit(table)
