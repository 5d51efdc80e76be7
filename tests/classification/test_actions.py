"""Prices of any number of labels and actions."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.classification import Matrix, classify, read_costs
from bakeoff.errors import BakeoffError
from tests.classification.runs import asked

LABELS = ["ok", "spam", "abuse"]
PRICES = {
    "ok": {"spam": 2.0, "abuse": 4.0, "review": 1.0},
    "spam": {"ok": 5.0, "abuse": 1.0, "review": 1.0},
    "abuse": {"ok": 30.0, "spam": 20.0, "review": 1.0, "no_answer": 3.0},
}


def run(folder, rows, **task):
    """Rows of (gold, probabilities) by log-likelihood, or (gold, answer)."""
    items = [
        {"id": f"q{i:03}", "input": f"Text {i}.", "choices": LABELS, "target": LABELS.index(gold)}
        for i, (gold, _) in enumerate(rows)
    ]
    said = [answer if isinstance(answer, str) else [math.log(p) - 2 for p in answer] for _, answer in rows]
    if all(isinstance(each, str) for each in said):
        return asked(folder, items, said, scorer="choice", **task)
    return asked(folder, items, said, scorer="loglikelihood", ask="loglikelihood", **task)


def rows_of(report):
    return {
        row.action or row.decision: row for row in report.actions if row.shares == report.actions[0].shares
    }


def test_the_price_of_answers_is_that_of_the_table(tmp_path):
    said = [
        ("ok", "A"),
        ("ok", "B"),
        ("ok", "no idea"),
        ("spam", "C"),
        ("spam", "hm"),
        ("abuse", "A"),
        ("abuse", "?"),
    ]
    report = classify(run(tmp_path, said), positive="abuse", costs=Matrix(PRICES))
    found = rows_of(report)
    # An item without a label costs the dearest action of its label, or what the file says.
    paid = [0, 2, 4, 1, 5, 30, 3]
    assert found["labels"].cost.value == pytest.approx(1000 * np.mean(paid))
    assert found["labels"].taken == {"ok": 2, "spam": 1, "abuse": 1, "no_answer": 3}
    assert found["review"].cost.value == pytest.approx(1000)
    assert found["ok"].cost.value == pytest.approx(1000 * (2 * 5 + 2 * 30) / 7)
    assert report.cost == ()
    assert set(found) == {"labels", "ok", "spam", "abuse", "review"}


def test_the_cheapest_action_is_that_of_the_expected_prices(tmp_path):
    rows = [("ok", (0.9, 0.05, 0.05)), ("spam", (0.2, 0.75, 0.05)), ("abuse", (0.05, 0.05, 0.9))] * 4
    found = rows_of(classify(run(tmp_path, rows), positive="abuse", costs=Matrix(PRICES)))
    # By hand: "ok" would cost 1.75 for the first, "spam" 1.4 for the second, "abuse" .25 for the third.
    assert found["probabilities"].taken == {"review": 8, "abuse": 4}
    assert found["probabilities"].cost.value == pytest.approx(1000 * 8 / 12)


def test_at_another_share_of_positives_beliefs_and_costs_move(tmp_path):
    rows = [("ok", (0.8, 0.15, 0.05)), ("spam", (0.2, 0.75, 0.05)), ("abuse", (0.3, 0.1, 0.6))] * 4
    report = classify(run(tmp_path, rows), positive="abuse", costs=Matrix(PRICES), prevalence=0.01)
    rare = {row.action or row.decision: row for row in report.actions if row.shares["abuse"] == 0.01}
    assert rare["labels"].shares == pytest.approx({"ok": 0.495, "spam": 0.495, "abuse": 0.01})
    assert rare["ok"].cost.value == pytest.approx(1000 * (0.495 * 5 + 0.01 * 30))
    moved = np.array([0.8, 0.15, 0.05]) * np.array([0.495, 0.495, 0.01])
    moved /= moved.sum()
    prices = {
        a: sum(p * {y: 0, **PRICES[y]}[a] for p, y in zip(moved, LABELS, strict=True)) for a in PRICES["spam"]
    }
    assert min(prices, key=prices.get) == "ok"
    assert rare["probabilities"].taken["ok"] == 4


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from("ABC?")), max_size=20))
def test_intervals_hold_the_value_and_have_a_width(tmp_path_factory, rows):
    rows = [("ok", "A"), ("spam", "B"), ("abuse", "C"), *rows]
    report = classify(run(tmp_path_factory.mktemp("r"), rows), positive="abuse", costs=Matrix(PRICES))
    cost = rows_of(report)["labels"].cost
    assert cost.interval.low <= cost.value + 1e-9
    assert cost.interval.high > cost.value
    assert sum(rows_of(report)["labels"].taken.values()) == len(rows)


def test_two_labels_priced_by_a_matrix_cost_what_two_errors_do(tmp_path):
    rows = [("ok", "A"), ("ok", "B"), ("abuse", "A"), ("abuse", "C"), ("spam", "B")]
    plain = Matrix(
        {"ok": {"spam": 1, "abuse": 1}, "spam": {"ok": 0, "abuse": 1}, "abuse": {"ok": 20, "spam": 20}}
    )
    folder = run(tmp_path, rows)
    found = rows_of(classify(folder, positive="abuse", costs=plain))["labels"].cost.value
    assert found == pytest.approx(1000 * (1 + 20) / 5)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("matrix: {ok: {spam: 1}}", "needs a mapping of action to price for each of two labels"),
        ("matrix: {ok: {spam: 1}, spam: 3}", "needs a mapping"),
        ("matrix: {ok: {spam: -1}, spam: {ok: 3}}", "matrix.ok.spam must be finite and at least 0"),
        ("matrix: {ok: {spam: x}, spam: {ok: 3}}", "matrix.ok.spam must be a number"),
        ("matrix: {ok: {spam: 0}, spam: {ok: 0}}", "must cost something"),
    ],
)
def test_a_wrong_file_is_told(tmp_path, text, problem):
    (tmp_path / "costs.yaml").write_text(text)
    with pytest.raises(BakeoffError, match=problem):
        read_costs(str(tmp_path / "costs.yaml"))


def test_a_matrix_that_does_not_fit_the_run_is_told(tmp_path):
    folder = run(tmp_path, [("ok", "A"), ("spam", "B"), ("abuse", "C")])
    for prices, problem in (
        ({"ok": {"spam": 1}, "spam": {"ok": 1}}, "lacks 'abuse'"),
        (PRICES | {"ok": {"spam": 2.0, "abuse": 1.0}}, "'review' has no price for the label 'ok'"),
    ):
        with pytest.raises(BakeoffError, match=problem):
            classify(folder, positive="abuse", costs=Matrix(prices))
    (tmp_path / "costs.yaml").write_text("matrix: {ok: {spam: 1, review: 2}, spam: {ok: 3, review: 1}}")
    assert read_costs(str(tmp_path / "costs.yaml")).actions == ("ok", "spam", "review")
