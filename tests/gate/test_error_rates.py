"""How often a gate errs: exactly where that can be counted, else by simulation."""

import numpy as np
import pytest
from scipy.stats import multinomial

from bakeoff.gate.decision import judge
from bakeoff.gate.policy import Floor, NonInferiority, NoRegression, Policy
from bakeoff.stats.mean.quantile import quantile_exceeds
from tests.gate.sides import candidate

pytestmark = pytest.mark.slow

ALPHA = 0.05


def paired_counts(won: int, lost: int, n: int):
    """A candidate that won and lost so many of n items."""
    run = [1.0] * won + [0.0] * lost + [1.0] * (n - won - lost)
    baseline = [0.0] * won + [1.0] * lost + [1.0] * (n - won - lost)
    return candidate(run, baseline)


def verdicts(rule, n: int) -> dict[str, list[tuple[int, int]]]:
    """The tables (won, lost) on n items by the verdict of a policy of one rule."""
    policy = Policy(rules=(rule,))
    found: dict[str, list[tuple[int, int]]] = {"pass": [], "fail": [], "inconclusive": []}
    for won in range(n + 1):
        for lost in range(n + 1 - won):
            found[judge(policy, [paired_counts(won, lost, n)]).verdict].append((won, lost))
    return found


def probability(tables: list[tuple[int, int]], n: int, won: float, lost: float) -> float:
    """Of any of these tables, where an item is won and lost with these probabilities."""
    if not tables:
        return 0.0
    cells = np.array([(w, b, n - w - b) for w, b in tables])
    return float(multinomial.pmf(cells, n, [won, lost, 1 - won - lost]).sum())


DISAGREEMENT = (0.05, 0.1, 0.2, 0.3, 0.5)


def test_no_regression_never_fails_a_run_that_is_as_good_more_often_than_alpha():
    n = 50
    failing = verdicts(NoRegression(), n)["fail"]
    sizes = [probability(failing, n, share / 2, share / 2) for share in DISAGREEMENT]
    assert max(sizes) <= ALPHA
    assert max(sizes) > 0.04  # and does not buy that by never failing


def test_non_inferiority_passes_a_run_worse_by_the_margin_with_probability_alpha_at_most():
    n, margin = 40, 0.1
    found = verdicts(NonInferiority(margin=margin), n)
    wrong = [
        probability(found["pass"], n, (share - margin) / 2, (share + margin) / 2)
        for share in (0.15, 0.2, 0.3, 0.5)
    ]
    assert max(wrong) <= ALPHA
    false_alarms = [probability(found["fail"], n, share / 2, share / 2) for share in DISAGREEMENT]
    assert max(false_alarms) < 0.01


def within_chance(errors: int, times: int) -> bool:
    """Whether so many errors can come of a rate of alpha: it is at most four standard errors over it."""
    return errors / times <= ALPHA + 4 * (ALPHA * (1 - ALPHA) / times) ** 0.5


def answers(rng, ability, groups):
    """Right or wrong with probability `ability`, moved together within a group."""
    moved = ability + rng.normal(0, 0.15, groups.max() + 1)[groups]
    return (rng.random(len(ability)) < np.clip(moved, 0, 1)).astype(float)


def test_a_gate_of_many_rules_on_noise_fails_with_probability_alpha_at_most():
    rng = np.random.default_rng(0)
    policy = Policy(rules=(NoRegression(), NonInferiority(margin=0.05), Floor(score=0.7)))
    n, times = 120, 300
    ability = {task: rng.beta(7, 3, n) for task in ("a", "b", "c")}
    for task in ability:  # the true score is the floor itself: the hardest case
        ability[task] += 0.7 - ability[task].mean()
    ability = {task: np.clip(p, 0, 1) for task, p in ability.items()}
    fails = 0
    for _ in range(times):
        candidates = [
            candidate(rng.random(n) < p, rng.random(n) < p, task=task) for task, p in ability.items()
        ]
        fails += judge(policy, candidates).verdict == "fail"
    assert within_chance(fails, times), fails / times


@pytest.mark.parametrize("kind", ["repeats", "groups"])
def test_no_regression_on_repeats_and_on_groups_fails_noise_with_probability_alpha_at_most(kind):
    rng = np.random.default_rng(1)
    policy = Policy(rules=(NoRegression(),))
    n, times = 120, 500
    ability, groups = rng.beta(2, 1, n), np.arange(n) // 6
    fails = 0
    for _ in range(times):
        if kind == "repeats":
            run, baseline = (rng.binomial(4, ability) / 4 for _ in range(2))
            found = candidate(run, baseline)
        else:
            run, baseline = (answers(rng, ability, groups) for _ in range(2))
            found = candidate(run, baseline, groups=[f"g{group}" for group in groups])
        fails += judge(policy, [found]).verdict == "fail"
    assert within_chance(fails, times), fails / times


def drawn(rng, kind: str, drop: float):
    """A run whose true score is lower by `drop`, and a baseline, on 300 items."""
    n, groups = 300, None
    if kind == "right or wrong":
        won, lost, _ = rng.multinomial(n, [(0.2 - drop) / 2, (0.2 + drop) / 2, 0.8])
        return paired_counts(won, lost, n)
    ability = rng.beta(2, 1, n)
    if kind == "repeats":
        run, baseline = rng.binomial(4, ability * (1 - 1.5 * drop)) / 4, rng.binomial(4, ability) / 4
        return candidate(run, baseline)
    groups = np.arange(n) // 5
    lower = drop + rng.normal(0, 0.1, 60)[groups]
    run, baseline = (rng.random(n) < np.clip(0.6 - each, 0, 1) for each in (lower, 0.0 * lower))
    return candidate(run, baseline, groups=[f"g{group}" for group in groups])


@pytest.mark.parametrize("kind", ["right or wrong", "repeats", "groups"])
def test_a_drop_of_the_size_a_report_names_is_caught_with_probability_80_percent(kind):
    rng, times = np.random.default_rng(2), 300
    policy = Policy(rules=(NoRegression(),))
    drop = float(np.mean([judge(policy, [drawn(rng, kind, 0.0)]).entries[0].resolves for _ in range(20)]))
    caught = sum(judge(policy, [drawn(rng, kind, drop)]).verdict == "fail" for _ in range(times))
    assert caught / times == pytest.approx(0.8, abs=0.08), drop


def test_a_floor_and_a_ceiling_fail_a_run_that_is_just_there_with_probability_alpha_at_most():
    rng = np.random.default_rng(3)
    times = 2000
    policy = Policy(rules=(Floor(score=0.8),))
    scores = [judge(policy, [candidate(rng.random(100) < 0.8)]).verdict for _ in range(times)]
    for verdict in ("fail", "pass"):
        assert within_chance(scores.count(verdict), times)
    ceiling = float(np.exp(1.6448536269514722))
    slow = [quantile_exceeds(rng.lognormal(size=150), 0.95, ceiling) <= ALPHA for _ in range(times)]
    assert within_chance(sum(slow), times)
