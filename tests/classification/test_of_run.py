"""The whole report of a run, against worked examples."""

import pytest

from bakeoff.classification import Costs, classify
from bakeoff.errors import BakeoffError
from bakeoff.stats import clopper_pearson
from tests.classification.runs import generated, likely

COSTS = Costs(1.0, 20.0)


def answers(tp, fn, fp, tn):
    """Rows of an exact run with these counts, spam positive."""
    return [("spam", "spam")] * tp + [("spam", "ham")] * fn + [("ham", "spam")] * fp + [("ham", "ham")] * tn


def test_rates_and_their_exact_intervals(tmp_path):
    report = classify(generated(tmp_path, answers(9, 3, 4, 84)), beta=2)
    (found,) = report.rates
    assert (report.positive, report.positives, report.negatives) == ("spam", 12, 88)
    rates = found.detection
    assert rates.recall.interval == clopper_pearson(9, 12)
    assert rates.specificity.interval == clopper_pearson(84, 88)
    assert rates.precision.interval == clopper_pearson(9, 13)
    assert rates.f_beta.value == pytest.approx(5 * 9 / (5 * 9 + 4 * 3 + 4))
    assert found.balanced_accuracy.value == pytest.approx((9 / 12 + 84 / 88) / 2)
    assert found.flagged == pytest.approx(13 / 100)
    assert report.rankings == ()


# Recall .9 and false alarms .05, by Bayes' theorem.
@pytest.mark.parametrize(
    ("prevalence", "precision"), [(0.5, 0.947), (0.1, 0.667), (0.01, 0.154), (0.001, 0.0177)]
)
def test_precision_falls_with_the_share_of_positives(tmp_path, prevalence, precision):
    run = generated(tmp_path, answers(18, 2, 1, 19))
    rates = classify(run, positive="spam", prevalence=prevalence).rates[-1]
    assert rates.prevalence == prevalence
    assert rates.detection.precision.value == pytest.approx(precision, abs=5e-4)
    assert rates.detection.recall.value == 0.9


def test_the_predictive_value_and_interval_of_mercaldo(tmp_path):
    """ApoE4 of Mercaldo, Lau & Zhou 2007 at 3 %: .0711 [.0589, .0856]."""
    run = generated(tmp_path, answers(240, 178, 87, 288))
    precision = classify(run, positive="spam", prevalence=0.03).rates[1].detection.precision
    assert precision.value == pytest.approx(0.07110, abs=5e-6)
    assert precision.interval.low == pytest.approx(0.05887, abs=5e-6)
    assert precision.interval.high == pytest.approx(0.08564, abs=5e-6)


def test_the_ranking_of_the_textbook_example(tmp_path):
    """Labels 0 0 1 1 with scores .1 .4 .35 .8: average precision .8333, ROC area .75."""
    rows = [("ham", 0.1), ("ham", 0.4), ("spam", 0.35), ("spam", 0.8)]
    (found,) = classify(likely(tmp_path, rows), positive="spam").rankings
    assert found.average_precision.value == pytest.approx(0.8333, abs=5e-5)
    assert found.average_precision.status == "too few positives"
    assert found.auroc.value == pytest.approx(0.75)
    points = [(point.recall, point.precision, point.false_positive_rate) for point in found.curve]
    assert points == [(0.5, 1, 0), (0.5, 0.5, 0.5), (1, pytest.approx(2 / 3), 0.5), (1, 0.5, 1)]


@pytest.mark.parametrize(
    ("policy", "recall", "specificity"),
    [("wrong", (1, 4), (3, 6)), ("negative", (1, 4), (5, 6)), ("positive", (3, 4), (3, 6))],
)
def test_an_item_without_a_label_counts_as_the_policy_says(tmp_path, policy, recall, specificity):
    rows = [("spam", "spam"), ("spam", "ham"), ("spam", ""), ("spam", "eggs")]
    rows += [("ham", "ham")] * 3 + [
        ("ham", "spam"),
        ("ham", ""),
        ("ham", "I can't help with that."),
        ("ham", None),
    ]
    report = classify(generated(tmp_path, rows), positive="spam", no_answer=policy)
    found = report.rates[0].detection
    assert (found.recall.count, found.recall.of) == recall
    assert (found.specificity.count, found.specificity.of) == specificity
    assert (report.items, report.counted) == (11, 10)
    assert sum(report.unlabelled.values()) == 5
    assert report.unlabelled["empty"] == 2
    assert report.unlabelled["model_error"] == 1
    assert sum(cell.count for cell in report.confusion) == 11
    assert any("of 11 items 1 without a score" in note for note in report.notes)


def test_costs_at_the_share_of_the_items_and_at_that_of_the_user(tmp_path):
    run = generated(tmp_path, answers(9, 3, 4, 84))
    report = classify(run, costs=COSTS, prevalence=0.01)
    at = {(row.decision, row.prevalence): row.cost for row in report.cost}
    assert at["labels", 0.12].value == pytest.approx(1000 * (3 * 20 + 4) / 100)
    assert at["labels", 0.01].value == pytest.approx(1000 * (0.01 * 20 / 4 + 0.99 * 4 / 88))
    assert at["flag nothing", 0.12].value == pytest.approx(2400)
    assert at["flag nothing", 0.01].value == pytest.approx(200)
    assert at["flag everything", 0.01].value == pytest.approx(990)
    assert {decision for decision, _ in at} == {"labels", "flag nothing", "flag everything"}


def spread(n, rare=10, first=0):
    """Rows whose positives mostly have the higher probabilities; nearly all differ."""
    kinds = [("spam" if i % rare == 0 else "ham") for i in range(first, first + n)]
    return [
        (kind, 0.05 + 0.5 * ((i * 37) % 101) / 101 + (0.25 if kind == "spam" else 0))
        for i, kind in enumerate(kinds)
    ]


def test_a_threshold_is_judged_on_other_folds_and_its_own_items_beside_it(tmp_path):
    report = classify(likely(tmp_path, spread(200)), costs=COSTS, prevalence=0.01)
    for share in (0.1, 0.01):
        rows = {row.decision: row for row in report.cost if row.prevalence == pytest.approx(share)}
        kinds = {"labels", "flag nothing", "flag everything", "break-even", "calibrated", "nested"}
        assert set(rows) == kinds
        assert rows["nested"].apparent <= rows["nested"].cost.value + 1e-9
        assert len(rows["nested"].fold_thresholds) == 10
        assert rows["nested"].cost.value < rows["flag nothing"].cost.value
    assert [each.prevalence for each in report.rankings] == [pytest.approx(0.1), 0.01]
    assert report.rankings[0].average_precision.value > report.rankings[1].average_precision.value


def test_the_break_even_threshold_is_that_of_the_costs_and_the_odds(tmp_path):
    """At the items' own share c_FP / (c_FP + c_FN); moved with the odds of the shares elsewhere."""
    report = classify(likely(tmp_path, spread(200)), costs=Costs(1, 10), prevalence=0.01)
    here, there = (row.threshold for row in report.cost if row.decision == "break-even")
    assert here == pytest.approx(1 / 11)
    odds = (0.1 / 0.9) / (0.01 / 0.99) * (1 / 10)
    assert there == pytest.approx(odds / (1 + odds))


def test_another_runs_threshold_leaves_out_what_both_runs_hold(tmp_path):
    test = likely(tmp_path / "test", spread(200))
    tuning = likely(tmp_path / "tuning", spread(300, first=100), first=100)
    report = classify(test, positive="spam", costs=COSTS, threshold_from=tuning)
    (row,) = [row for row in report.cost if row.decision == "other run"]
    assert "nested" not in {row.decision for row in report.cost}
    assert any("chosen on 200 items" in note for note in report.notes)
    assert any("100 items that both runs hold" in note for note in report.notes)
    alone = likely(tmp_path / "alone", spread(300, first=100)[100:], first=200)
    (same,) = [
        each
        for each in classify(test, positive="spam", costs=COSTS, threshold_from=alone).cost
        if each.decision == "other run"
    ]
    assert (same.threshold, same.cost) == (row.threshold, row.cost)
    with pytest.raises(BakeoffError, match="200 of 200 items are in both"):
        classify(test, positive="spam", costs=COSTS, threshold_from=test)


def test_where_no_threshold_can_be_chosen_and_judged_it_is_said(tmp_path):
    report = classify(
        likely(tmp_path, [("spam", 0.9), *[("ham", 0.1 + i / 100) for i in range(30)]]), costs=COSTS
    )
    assert "nested" not in {row.decision for row in report.cost}
    assert any("too few positives" in note for note in report.notes)


def test_a_sweep_has_the_items_own_share_and_its_costs_are_those_of_each_share(tmp_path):
    run = likely(tmp_path, spread(200))
    report = classify(run, costs=COSTS, sweep=True)
    shares = [row.prevalence for row in report.sweep]
    assert shares == sorted(shares)
    assert {0.001, 0.01, 0.1, 0.5} <= set(shares)
    precisions = [row.precision.value for row in report.sweep if row.precision]
    assert precisions == sorted(precisions)
    for row in report.sweep[::4]:
        there = classify(run, costs=COSTS, prevalence=row.prevalence).cost
        costs = {each.decision: each.cost for each in there if each.prevalence == row.prevalence}
        assert (row.cost, row.nested) == (costs["labels"], costs["nested"])


def test_runs_that_cannot_be_measured_say_why(tmp_path):
    three = generated(tmp_path / "3", [("a", "a"), ("b", "b"), ("c", "c")])
    same = generated(tmp_path / "2", answers(1, 0, 0, 1))
    fine = generated(tmp_path / "1", answers(1, 0, 1, 4))
    half = generated(tmp_path / "half", [("spam", None), ("ham", "ham"), ("ham", "ham")])
    for run, options, problem in (
        (three, {}, "which label is the positive one"),
        (same, {}, "which label is the positive one"),
        (fine, {"positive": "Spam"}, "there is no label 'Spam'"),
        (fine, {"prevalence": 1.0}, "--prevalence must lie between 0 and 1"),
        (fine, {"level": 95}, "--level must lie between 0 and 1"),
        (fine, {"beta": 0}, "--beta must be above 0"),
        (fine, {"threshold_from": fine, "costs": COSTS}, "--threshold-from needs --costs and a run with"),
        (half, {}, "has no positives among the 2 items that count"),
    ):
        with pytest.raises(BakeoffError, match=problem):
            classify(run, **options)
    assert classify(three, positive="b").positives == 1


def test_the_items_own_share_asked_for_by_name_is_no_second_one(tmp_path):
    run = likely(tmp_path, spread(200))
    assert classify(run, costs=COSTS, prevalence=0.1) == classify(run, costs=COSTS)
