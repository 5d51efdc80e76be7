"""Every label in turn, and their means, against scikit-learn and by hand."""

import numpy as np
import pytest

from bakeoff.classification.each import each_label
from bakeoff.errors import BakeoffError
from bakeoff.stats import clopper_pearson
from tests.classification.runs import asked, generated
from tests.cli.command import bakeoff

LABELS = ["hate", "hate/threat", "violence"]


def several(folder, rows, repeats=1):
    """A run of (right labels, answer) with the scorer labels."""
    items = [
        {"id": f"q{i:03}", "input": f"Text {i}.", "target": list(gold), "labels": LABELS}
        for i, (gold, _) in enumerate(rows)
    ]
    answers = [answer for _, answer in rows]
    return asked(folder, items, answers, scorer="labels", fields={"metadata": {"labels": "labels"}})


ROWS = [
    (["hate"], "hate"),
    (["hate", "violence"], "hate, violence"),
    (["violence"], "hate and violence"),
    (["hate/threat"], "hate/threat"),
    (["hate/threat"], "hate"),
    (["violence"], "violence"),
]


def sets(rows):
    gold = np.array([[label in each for label in LABELS] for each, _ in rows])
    said = np.array([[True, False, False], [True, False, True], [True, False, True]])
    return gold, np.concatenate([said, [[False, True, False], [True, False, False], [False, False, True]]])


def test_the_rates_of_a_label_are_those_of_a_yes_or_no(tmp_path):
    report = each_label(several(tmp_path, ROWS))
    found = {row.label: row.detection for row in report.labels}
    assert set(found) == set(LABELS)
    assert (found["hate"].recall.count, found["hate"].recall.of) == (2, 2)
    assert found["hate"].precision.interval == clopper_pearson(2, 4)
    assert (found["hate/threat"].recall.count, found["hate/threat"].recall.of) == (1, 2)
    assert found["violence"].specificity.value == 1
    assert report.exact.interval == clopper_pearson(4, 6)


@pytest.mark.parametrize("beta", [1.0, 2.0])
def test_the_means_are_scikit_learns(tmp_path, beta):
    metrics = pytest.importorskip("sklearn.metrics")
    report = each_label(several(tmp_path, ROWS), beta=beta)
    gold, said = sets(ROWS)
    for mean, average in ((report.micro, "micro"), (report.macro, "macro")):
        assert mean.value == pytest.approx(metrics.fbeta_score(gold, said, beta=beta, average=average))
        assert mean.interval.low <= mean.value <= mean.interval.high


@pytest.mark.parametrize(("policy", "named"), [("wrong", 1), ("negative", 0), ("positive", 1)])
def test_an_answer_without_labels_counts_as_the_policy_says(tmp_path, policy, named):
    report = each_label(several(tmp_path, [*ROWS, (["violence"], "no idea")]), no_answer=policy)
    found = {row.label: row.detection for row in report.labels}
    assert found["hate"].specificity.of - found["hate"].specificity.count == 2 + named
    assert found["violence"].recall.count == 3 + (policy == "positive")
    assert report.unlabelled == {"no_answer": 1}
    assert (report.answers, report.counted) == (7, 7)


def test_labels_that_know_nothing_are_told_from_those_that_do(tmp_path):
    random = np.random.default_rng(0)
    rows = []
    for i in range(120):
        gold = ["hate"] * (i % 4 == 0) + ["violence"] * (i % 3 == 0) or ["hate/threat"]
        named = [label for label in gold if label == "hate"] + ["violence"] * (random.random() < 0.4)
        rows.append((gold, ", ".join(named) or "hate/threat"))
    p = {row.label: row.p for row in each_label(several(tmp_path, rows)).labels}
    assert p["hate"] < 1e-6
    assert p["violence"] > 0.05


def test_one_label_of_many_is_seen_from_each_side(tmp_path):
    run = generated(tmp_path, [("a", "a"), ("a", "b"), ("b", "b"), ("c", "a"), ("c", "")])
    report = each_label(run)
    assert [(row.label, row.detection.positives) for row in report.labels] == [("a", 2), ("b", 1), ("c", 2)]
    assert report.exact.count == 2
    assert report.micro.value == pytest.approx(2 * 2 / (5 + 6))  # the empty one: two wrong names, one miss


def test_people_and_programs_read_it(tmp_path):
    several(tmp_path, ROWS)
    done = bakeoff(tmp_path, "classify", "last", "--each")
    assert done.returncode == 0, done.stderr
    for words in ("each label in turn", "hate/threat", "(micro)", "(macro)", "all labels right", "Holm"):
        assert words in done.stdout
    done = bakeoff(tmp_path, "classify", "last", "--each", "--json")
    assert '"micro"' in done.stdout


def test_what_is_no_set_of_labels_is_refused(tmp_path):
    run = asked(tmp_path, [{"id": "a", "input": "1", "target": "7"}], ["7"], scorer="number")
    with pytest.raises(BakeoffError, match="does not tell which label"):
        each_label(run)
    with pytest.raises(BakeoffError, match="--beta must be above 0"):
        each_label(run, beta=0)
