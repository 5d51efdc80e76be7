"""How often intervals and ranks hold, in votes drawn from known strengths."""

import numpy as np
import pytest

from bakeoff.stats.interval import t_quantile
from bakeoff.stats.ratings import (
    bradley_terry,
    clustered,
    difference_interval,
    pairs_of,
    rank_ranges,
    style_controlled,
)
from tests.stats.ratings.votes import cast, expected_pairs, two_each

pytestmark = pytest.mark.slow
TRIES = 300
NOISE = 4 * np.sqrt(0.95 * 0.05 / TRIES)


def test_independent_votes_are_covered_though_ties_as_half_is_not_how_they_came():
    truth = bradley_terry(expected_pairs(np.linspace(-1, 1, 8))).strength
    covered = []
    for seed in range(TRIES):
        random = np.random.default_rng(seed)
        votes = cast(np.linspace(-1, 1, 8), *two_each(8, 1_500, random), random)
        fit = bradley_terry(pairs_of(votes))
        covered.append(np.abs(fit.strength - truth) < 1.96 * np.sqrt(np.diag(fit.covariance)))
    # Of 8 models in one draw, so nearer to .95 than one alone.
    assert np.mean(covered) == pytest.approx(0.95, abs=NOISE / 2)


@pytest.mark.parametrize("few", [3, 5, 10])
def test_a_newcomer_with_few_votes_is_covered_too(few):
    strengths = np.append(np.linspace(-1, 1, 7), 0.3)
    truth = bradley_terry(expected_pairs(strengths)).strength
    points = 400 / np.log(10)
    covered = []
    for seed in range(TRIES):
        random = np.random.default_rng(seed)
        first, second = two_each(7, 2_000, random)
        against = random.integers(0, 7, few)
        votes = cast(strengths, np.append(first, np.full(few, 7)), np.append(second, against), random)
        interval = difference_interval(bradley_terry(pairs_of(votes)), 7, 3)
        if interval is not None:
            covered.append(interval.low <= points * (truth[7] - truth[3]) <= interval.high)
    assert len(covered) > TRIES / 2
    assert np.mean(covered) > 0.95 - NOISE


def tasteful(strengths, voters, size, random):
    """Votes of voters who each see the models a little differently, and the voter of each vote."""
    voter = np.repeat(np.arange(voters), size)
    first, second = two_each(len(strengths), voters * size, random)
    taste = random.normal(0, 1, (voters, len(strengths)))
    extra = taste[voter, first] - taste[voter, second]
    return cast(strengths, first, second, random, extra=extra), voter


def test_voters_with_a_taste_of_their_own_are_covered_by_clusters_and_not_without():
    strengths = np.linspace(-0.8, 0.8, 6)
    everybody, _ = tasteful(strengths, 300_000, 1, np.random.default_rng(99))
    truth = bradley_terry(pairs_of(everybody)).strength
    alone, together = [], []
    for seed in range(TRIES):
        votes, voter = tasteful(strengths, 60, 60, np.random.default_rng(seed))
        fit = bradley_terry(pairs_of(votes))
        robust = clustered(fit, votes, [voter])
        off = np.abs(fit.strength - truth)
        alone.append(off < 1.96 * np.sqrt(np.diag(fit.covariance)))
        together.append(off < t_quantile(0.95, robust.df) * np.sqrt(np.diag(robust.covariance)))
    assert np.mean(alone) < 0.7
    assert np.mean(together) == pytest.approx(0.95, abs=0.02)


def test_voters_and_prompts_at_once_are_covered():
    models, voters, prompts = 5, 40, 40
    strengths = np.linspace(-0.8, 0.8, models)

    def draw(seed, voters, prompts, n):
        random = np.random.default_rng(seed)
        voter, prompt = random.integers(0, voters, n), random.integers(0, prompts, n)
        first, second = two_each(models, n, random)
        taste = random.normal(0, 0.7, (voters, models))
        luck = random.normal(0, 0.7, (prompts, models))
        extra = taste[voter, first] - taste[voter, second] + luck[prompt, first] - luck[prompt, second]
        return cast(strengths, first, second, random, extra=extra), voter, prompt

    everybody, *_ = draw(99, 200_000, 200_000, 400_000)
    truth = bradley_terry(pairs_of(everybody)).strength
    one, both = [], []
    for seed in range(TRIES):
        votes, voter, prompt = draw(seed, voters, prompts, 3_000)
        fit = bradley_terry(pairs_of(votes))
        for keys, covered in (([voter], one), ([voter, prompt], both)):
            robust = clustered(fit, votes, keys)
            reach = t_quantile(0.95, robust.df) * np.sqrt(np.diag(robust.covariance))
            covered.append(np.abs(fit.strength - truth) < reach)
    assert np.mean(one) < 0.9
    assert np.mean(both) == pytest.approx(0.95, abs=0.03)


def test_all_ranks_hold_at_once_equal_models_among_them():
    strengths = np.array([0.6, 0.6, 0.6, 0.2, 0.2, -0.2, -0.5, -0.9])
    truth = [(1 + int((strengths > s).sum()), int((strengths >= s).sum())) for s in strengths]
    held = 0
    for seed in range(TRIES):
        random = np.random.default_rng(seed)
        ranges = rank_ranges(
            bradley_terry(pairs_of(cast(strengths, *two_each(8, 3_000, random), random))),
            draws=2_000,
            seed=seed,
        )
        held += all(r.low <= low and r.high >= high for r, (low, high) in zip(ranges, truth, strict=True))
    assert held / TRIES > 0.95 - NOISE


def test_strengths_and_coefficients_at_equal_style_are_covered():
    truth, gamma = np.linspace(-1, 1, 6), 0.25
    strengths, coefficients = [], []
    for seed in range(TRIES):
        random = np.random.default_rng(seed)
        first, second = two_each(6, 2_000, random)
        x = 0.8 * (truth[first] - truth[second]) + random.normal(size=2_000)
        votes = cast(truth, first, second, random, eta=1e-9, extra=gamma * x)
        found = style_controlled(votes, x[:, None])
        strengths.append(np.abs(found.fit.strength - truth) < 1.96 * np.sqrt(np.diag(found.fit.covariance)))
        coefficients.append(
            abs(found.coefficient[0] - gamma) < 1.96 * found.coefficient_covariance[0, 0] ** 0.5
        )
    assert np.mean(strengths) == pytest.approx(0.95, abs=NOISE / 2)
    assert np.mean(coefficients) == pytest.approx(0.95, abs=NOISE)


def test_clusters_of_votes_that_are_independent_all_the_same_widen_hardly():
    ratio = []
    for seed in range(50):
        random = np.random.default_rng(seed)
        votes = cast(np.linspace(-1, 1, 6), *two_each(6, 4_000, random), random)
        fit = bradley_terry(pairs_of(votes))
        robust = clustered(fit, votes, [np.arange(4_000) // 20])
        ratio.append(np.sqrt(np.diag(robust.covariance) / np.diag(fit.covariance)))
    assert 1 <= np.mean(ratio) < 1.06
