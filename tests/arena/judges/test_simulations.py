"""How often intervals hold and biases are found, in verdicts of judges that are known."""

import numpy as np
import pytest

from bakeoff.arena.judges.bias import biases
from bakeoff.arena.judges.corrected import corrected_win_rates
from tests.arena.judges.making import FAMILIES, judged

pytestmark = pytest.mark.slow


def test_without_bias_none_is_found_more_often_than_by_chance_though_one_judge_errs_more():
    tries, found = 100, {"family": 0, "length": 0, "first": 0}
    for seed in range(tries):
        own = biases(judged(seed, 60, right={"own": 0.15}), FAMILIES)["own"]
        found["family"] += own.family.bias.found(0)
        found["length"] += own.length.bias.found(0)
        found["first"] += own.first.found(0.5)
    # 5 % at level .95, with four standard errors of 100 tries.
    limit = tries * (0.05 + 4 * np.sqrt(0.05 * 0.95 / tries))
    assert all(count <= limit for count in found.values()), found
    assert sum(found.values()) <= 3 * tries * 0.08, found


def test_a_planted_family_bias_is_found_and_covered():
    tries, found, covered = 40, 0, 0
    for seed in range(tries):
        bias = biases(judged(seed, 200, favour=0.1), FAMILIES)["own"].family.bias
        found += bias.found(0)
        covered += bias.interval.low <= 0.1 <= bias.interval.high
    assert found / tries > 0.7
    assert covered / tries > 0.95 - 4 * np.sqrt(0.05 * 0.95 / tries)


@pytest.mark.parametrize(("accuracy", "labels"), [(0.9, 200), (0.6, 200), (0.75, 400)])
def test_corrected_win_rates_are_covered_though_the_judge_is_wrong_and_items_hang_together(accuracy, labels):
    """Three models on each of 300 items, ties, and a judge that gives z too much."""
    tries, covered, far_off, total = 150, 0, 0, 0
    truth = _true_rates()
    for seed in range(tries):
        random = np.random.default_rng(seed)
        people, items, (first, second) = _votes(random, 300)
        judge = np.where(random.random(900) < accuracy, people, 1 - people)
        judge = np.where((second == "z") & (random.random(900) < 0.3), 0.0, judge)
        asked = np.where(random.permutation(900) < labels, people, np.nan)
        for rate in corrected_win_rates(list(first), list(second), judge, asked, items):
            total += 1
            covered += rate.interval.low <= truth[rate.model] <= rate.interval.high
            far_off += rate.model == "z" and rate.judge > truth["z"] + 0.05
    # Of three models in one draw, so nearer to .95 than one alone.
    assert covered / total == pytest.approx(0.95, abs=4 * np.sqrt(0.05 * 0.95 / tries) / 1.5)
    assert far_off / tries > 0.9


STRENGTH = {"x": 0.5, "y": 0.0, "z": -0.4}
PAIRS = (("x", "y"), ("x", "z"), ("y", "z"))


def _votes(random, items):
    """What people gave the first of each pair of models, the item, and the pair; a fifth are ties."""
    mood = {name: random.normal(strength, 0.8, items) for name, strength in STRENGTH.items()}
    wins = [1 / (1 + np.exp(mood[b] - mood[a])) for a, b in PAIRS]
    drawn = random.random((3, items))
    people = np.where(drawn < 0.2, 0.5, drawn < 0.2 + 0.8 * np.array(wins))
    names = np.repeat(np.array(PAIRS), items, axis=0).T
    return people.ravel(), [str(item) for _ in PAIRS for item in range(items)], names


def _true_rates():
    people, _, names = _votes(np.random.default_rng(10_000), 1_000_000)
    return {
        name: float(np.concatenate([people[names[0] == name], 1 - people[names[1] == name]]).mean())
        for name in STRENGTH
    }
