"""Each rule against figures worked out by other means."""

import pytest
from scipy.stats import beta, binom

from bakeoff.gate.evidence import Candidate
from bakeoff.gate.policy import Cost, Coverage, Floor, Latency, NonInferiority, RequiredItems
from bakeoff.gate.rules.cost import cost
from bakeoff.gate.rules.coverage import coverage
from bakeoff.gate.rules.floor import floor
from bakeoff.gate.rules.latency import latency
from bakeoff.gate.rules.no_regression import no_regression
from bakeoff.gate.rules.non_inferiority import non_inferiority
from bakeoff.gate.rules.required_items import required_items
from bakeoff.gate.side import read_side
from bakeoff.stats import tango
from bakeoff.store import Until
from tests.gate.folders import Answer, scores, write_run
from tests.gate.sides import candidate, side


def counted(won: int, lost: int, n: int) -> Candidate:
    rest = [1.0] * (n - won - lost)
    return candidate([1.0] * won + [0.0] * lost + rest, [0.0] * won + [1.0] * lost + rest)


# Fagerland, Lydersen & Laake 2013: b = 1, c = 7 of 21, two-sided mid-p 0.0391. Tango's score test has the
# one-sided p = Φ(-6/√8) = 0.0169, so the mid-p is the larger.
def test_no_regression_takes_half_of_mcnemars_midp():
    found = no_regression(counted(1, 7, 21), 0.05)
    assert found.alarm == pytest.approx(0.0391 / 2, abs=5e-5)
    assert found.value == pytest.approx(-6 / 21)
    interval = tango(1, 7, 21, 0.9)
    assert (found.low, found.high) == (interval.low, interval.high)


def test_no_regression_never_alarms_for_a_run_that_is_better_or_the_same():
    for won, lost in ((7, 1), (3, 3), (0, 0), (21, 0)):
        assert no_regression(counted(won, lost, 21), 0.05).alarm >= 0.5


def test_no_regression_on_groups_flips_them_as_one():
    # Five groups, all lower: of 2^5 flips one is as low, however many items these groups have.
    found = no_regression(candidate([0] * 50, [1] * 50, groups=[f"g{i % 5}" for i in range(50)]), 0.05)
    assert found.alarm >= 1 / 2**5


def test_one_group_alone_is_inconclusive_for_every_rule_that_estimates():
    one = candidate([0] * 50, [1] * 50, groups=["g"] * 50)
    for found in (
        no_regression(one, 0.05),
        non_inferiority(NonInferiority(margin=0.1), one, 0.05),
        floor(Floor(score=0.5), one, 0.05),
    ):
        assert found.settled == "inconclusive"
        assert "one group" in found.says["inconclusive"]


@pytest.mark.parametrize(("won", "lost", "shown"), [(10, 10, True), (10, 30, False), (30, 10, True)])
def test_non_inferiority_is_shown_where_the_lower_bound_is_above_the_margin(won, lost, shown):
    found = non_inferiority(NonInferiority(margin=0.05), counted(won, lost, 300), 0.05)
    assert found.shown == shown == (tango(won, lost, 300, 0.9).low > -0.05)
    assert found.alarm > 0.05


def test_non_inferiority_alarms_where_the_upper_bound_is_below_the_margin():
    found = non_inferiority(NonInferiority(margin=0.05), counted(0, 60, 300), 0.05)
    assert found.high < -0.05
    assert found.alarm < 0.05
    assert not found.shown


@pytest.mark.parametrize(("right", "n"), [(70, 100), (80, 100), (88, 100), (100, 100), (0, 40)])
def test_a_floor_for_right_or_wrong_uses_clopper_and_pearsons_bounds(right, n):
    found = floor(Floor(score=0.8), candidate([1] * right + [0] * (n - right)), 0.05)
    low = beta.ppf(0.05, right, n - right + 1) if right else 0.0
    assert found.low == pytest.approx(low, abs=1e-9)
    assert found.shown == (low >= 0.8)
    if found.alarm < 1:
        assert found.alarm == pytest.approx(binom.cdf(right, n, 0.8), rel=1e-6)


def test_a_floor_looks_at_all_items_the_run_has_scored():
    one = Candidate(side([1] * 60 + [None] * 40), None, None)
    assert floor(Floor(score=0.5), one, 0.05).n == 60


@pytest.mark.parametrize(("right", "verdict"), [(80, "pass"), (79, "fail")])
def test_a_floor_for_the_number_itself_says_that_it_tests_nothing(right, verdict):
    found = floor(Floor(score=0.8, point=True), candidate([1] * right + [0] * (100 - right)), 0.05)
    assert found.settled == verdict
    assert found.alarm is None
    assert "not for what it can bear" in found.says[verdict]


@pytest.mark.parametrize(
    ("values", "at_least", "verdict"),
    [
        ([1, 1, 1], None, "pass"),
        ([1, 0, 1], None, "fail"),
        ([1, 0.5, 1], None, "fail"),
        ([1, None, 1], None, "inconclusive"),
        ([0, None, 1], None, "fail"),
        ([0, 1, 1], 2, "pass"),
        ([0, 1, None], 2, "inconclusive"),
        ([0, 0, None], 2, "fail"),
        ([None, 1, 1], 2, "pass"),
    ],
)
def test_required_items_are_right_wrong_or_open(values, at_least, verdict):
    rule = RequiredItems(ids=["q0000", "q0001", "q0002"], at_least=at_least)
    found = required_items(rule, candidate(values))
    assert found.settled == verdict
    for i, value in enumerate(values):
        named = f"q000{i}" in found.says[verdict]
        assert named == (value is None or value < 1)


def test_a_required_item_that_the_run_does_not_have_is_inconclusive_and_named():
    found = required_items(RequiredItems(ids=["q0000", "q9"]), candidate([1]))
    assert found.settled == "inconclusive"
    assert "not among the run's items: q9" in found.help["inconclusive"]


def folder_candidate(folder, answers, **facts) -> Candidate:
    return Candidate(read_side(write_run(folder, answers, **facts)), None, None)


def test_cost_is_per_answer_that_was_paid_for(tmp_path):
    answers = [Answer("a", cost=0.01), Answer("b", cost=0.03), Answer("c", cost=0.0, cached=True)]
    one = folder_candidate(tmp_path / "r", answers)
    found = cost(Cost(per_item=0.02), one)
    assert (found.settled, found.value, found.n) == ("pass", pytest.approx(0.02), 2)
    assert "1 answers from the cache" in found.says["pass"]
    assert cost(Cost(per_item=0.019), one).settled == "fail"


def test_cost_without_prices_or_all_from_the_cache_is_inconclusive(tmp_path):
    cached = folder_candidate(tmp_path / "1", [Answer("a", cost=0.0, cached=True)])
    assert cost(Cost(per_item=1), cached).settled == "inconclusive"
    half = folder_candidate(tmp_path / "2", [Answer("a", cost=0.01), Answer("b")])
    assert cost(Cost(per_item=1), half).settled == "inconclusive"
    assert "1 of 2" in cost(Cost(per_item=1), half).says["inconclusive"]


def timed(folder, seconds, cached=0) -> Candidate:
    answers = [Answer(f"q{i:04}", latency=time) for i, time in enumerate(seconds)]
    return folder_candidate(folder, answers + [Answer(f"c{i}", cached=True) for i in range(cached)])


def test_latency_passes_by_its_upper_bound_and_fails_by_its_lower(tmp_path):
    one = timed(tmp_path / "r", [float(second) for second in range(1, 101)], cached=3)
    # Of 100 values the 91st and the 99th are the one-sided 95 % bounds of the 95th percentile.
    for ceiling, shown, alarms in (
        (99, True, False),
        (98, False, False),
        (91, False, False),
        (90, False, True),
    ):
        (found,) = latency(Latency(p95=ceiling), one, 0.05)
        assert found.shown == shown
        assert (found.alarm <= 0.05) == alarms
        assert found.alarm == pytest.approx(binom.cdf(ceiling, 100, 0.95), rel=1e-9)
    assert "n = 100: the other 3 answers were not timed" in found.says["fail"]


def test_latency_of_too_few_answers_has_no_upper_bound_and_is_not_shown(tmp_path):
    (found,) = latency(Latency(p95=10), timed(tmp_path / "r", [1.0] * 58), 0.05)
    assert not found.shown
    assert found.high == float("inf")
    (enough,) = latency(Latency(p95=10), timed(tmp_path / "s", [1.0] * 59), 0.05)
    assert enough.shown


def test_latency_from_the_cache_is_inconclusive_for_each_quantile(tmp_path):
    found = latency(Latency(p50=1, p95=2), timed(tmp_path / "r", [], cached=5), 0.05)
    assert [each.rule for each in found] == ["latency p50", "latency p95"]
    assert {each.settled for each in found} == {"inconclusive"}


# Each way to lack something; the sentence says what.
@pytest.mark.parametrize(
    ("run", "baseline", "rule", "says"),
    [
        ([1] * 29, None, {}, "29 scored items, 30 are asked for"),
        ([1] * 40 + [None], None, {}, "1 of 41 samples have no score"),
        ([1] * 40 + [None] * 10, [1] * 50, {"unscored": 0.2}, "10 of the baseline's 50 scored items"),
        ([1] * 40, [1] * 20 + [None] * 20, {}, "20 items scored in the run and in the baseline, 30"),
    ],
)
def test_coverage_is_broken_by_whatever_is_missing(run, baseline, rule, says):
    found = coverage(Coverage(**rule), candidate(run, baseline))
    assert found.settled == "inconclusive"
    assert says in found.says["inconclusive"]
    assert found.help["inconclusive"]
    strict = coverage(Coverage(broken="fail", **rule), candidate(run, baseline))
    assert strict.settled == "fail"


@pytest.mark.parametrize(
    ("run", "baseline", "rule"),
    [
        ([1] * 30, None, {}),
        ([1] * 40 + [None], None, {"unscored": 0.03}),
        ([1] * 40 + [None] * 10, [1] * 50, {"unscored": 0.2, "missing": 0.2}),
        ([1] * 50, [1] * 40, {}),
    ],
)
def test_coverage_within_what_the_policy_allows_passes(run, baseline, rule):
    assert coverage(Coverage(**rule), candidate(run, baseline)).settled == "pass"


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        ({"status": "running"}, "the run is running"),
        ({"status": "failed"}, "the run is failed"),
        ({"n_items": 50}, "40 of 50 samples"),
        ({"n_items": 50, "until": Until(baseline="x")}, "because it was stopped early"),
        ({"repeats": 2}, "40 of 80 samples"),
    ],
)
def test_a_run_that_is_not_all_there_breaks_coverage(tmp_path, facts, says):
    one = folder_candidate(tmp_path / "r", scores([1] * 40), **facts)
    found = coverage(Coverage(), one)
    assert found.settled == "inconclusive"
    assert says in found.says["inconclusive"]


def test_a_baseline_run_that_is_not_all_there_breaks_coverage():
    one = candidate([1] * 40, [1] * 40)
    half = Candidate(one.side, side([1] * 40, status="running"), one.paired)
    assert "the baseline is running" in coverage(Coverage(), half).says["inconclusive"]


def test_coverage_counts_answers_found(tmp_path):
    one = candidate([1] * 40, counts={"total": 40, "scored": 30, "truncated": 10})
    assert coverage(Coverage(answered=0.75), one).settled == "pass"
    assert "30 of 40" in coverage(Coverage(answered=0.76), one).says["inconclusive"]


def test_needed_items_are_those_of_the_closed_form():
    # Miller 2024, eq. 9, one-sided 5 %, power 80 %: (1.645 + 0.842)² variance / gap².
    found = non_inferiority(NonInferiority(margin=0.05), counted(40, 44, 200), 0.05)
    differences = [1.0] * 41 + [-1.0] * 45 + [0.0] * 116
    variance = sum(d * d for d in differences) / 202 - (sum(differences) / 202) ** 2
    total = (1.6448536 + 0.8416212) ** 2 * variance / (0.05 - 4 / 200) ** 2
    words = found.help["inconclusive"]
    assert float(words.split()[1].replace(",", "")) == pytest.approx(total - 200, rel=0.06)
