"""Human-labelled sets with few positives, answered by keywords: the numbers add up and carry over."""

import math
import re

import numpy as np
import pytest

from bakeoff.classification import Costs, classify
from bakeoff.classification.cases import read_cases
from bakeoff.classification.decisions import decisions
from bakeoff.classification.ranking import ranking
from bakeoff.stats.classes.rare import detection
from bakeoff.store import query
from tests.classification.runs import LABELS, asked

pytestmark = pytest.mark.data

SPAM = {
    "free": 2,
    "txt": 2,
    "call": 1,
    "win": 2,
    "prize": 3,
    "claim": 3,
    "urgent": 2,
    "cash": 2,
    "www": 2.5,
    "£": 2.5,
}
HATE = re.compile(r"\b(hate|race|white|black|gay|jew|kill)", re.IGNORECASE)
VIOLENCE = re.compile(r"\b(kill|shoot|shot|stab|murder|bomb|blood|die|attack|gun)", re.IGNORECASE)


def table(data_dir, name, columns):
    import duckdb

    path = data_dir / name / "data.parquet"
    return duckdb.sql(f"SELECT id, input, {columns} FROM '{path}' ORDER BY try_cast(id AS INT)").fetchall()


@pytest.fixture(scope="module")
def sms(data_dir, tmp_path_factory):
    """Every second message, by log-likelihood: a logistic score of keywords and long numbers."""
    rows = table(data_dir, "sms_spam", "json_extract_string(label, '$')")[::2]
    items, said = [], []
    for name, text, label in rows:
        words = sum(weight for word, weight in SPAM.items() if word in text.lower())
        score = words + 0.5 * len(re.findall(r"\d{4,}", text)) - 3 + len(text) / 2000
        items.append(
            {
                "id": name,
                "input": text,
                "choices": list(LABELS),
                "target": LABELS.index(label),
                "length": len(text),
            }
        )
        said.append([-math.log1p(math.exp(score)), -math.log1p(math.exp(-score))])
    return asked(
        tmp_path_factory.mktemp("sms"),
        items,
        said,
        ask="loglikelihood",
        scorer="loglikelihood",
        fields={"metadata": {"length": "length"}},
    )


def test_spam_agrees_with_a_count_over_the_samples(sms):
    report = classify(sms, costs=Costs(1, 20), by="meta.length")
    ((tp, fn, fp, tn),) = query(
        sms,
        """SELECT count(*) FILTER (g AND r), count(*) FILTER (g AND NOT r),
                  count(*) FILTER (NOT g AND NOT r), count(*) FILTER (NOT g AND r)
           FROM (SELECT target::VARCHAR = '1' AS g, value = 1 AS r FROM samples)""",
    )
    found = report.rates[0].detection
    assert (found.recall.count, found.recall.of) == (tp, tp + fn)
    assert (found.specificity.count, found.specificity.of) == (tn, fp + tn)
    assert (report.positives, report.items) == (tp + fn, 2787)
    assert {(cell.gold, cell.said): cell.count for cell in report.confusion} == {
        ("spam", "spam"): tp,
        ("spam", "ham"): fn,
        ("ham", "spam"): fp,
        ("ham", "ham"): tn,
    }
    assert sum(each.items for each in report.slices) == 2787
    assert sum(each.positives for each in report.slices) == tp + fn
    cost = {row.decision: row.cost.value for row in report.cost}
    # A threshold for costs of 1 to 20 is worth more than the labels, and than no model.
    assert cost["nested"] < min(cost["labels"], cost["flag nothing"], cost["flag everything"])


def test_one_per_cent_of_spam_by_weights_is_one_per_cent_by_drawing(sms):
    """Forty sets of 40 spam messages and 3,960 others, drawn, against the weighted figures."""
    data = decisions(read_cases(sms).cases, "spam", "wrong")
    report = classify(sms, prevalence=0.01, costs=Costs(1, 20))
    spam, others = np.flatnonzero(data.positive), np.flatnonzero(1 - data.positive)
    random = np.random.default_rng(0)
    hits, flagged, areas, costs = [], [], [], []
    for _ in range(40):
        drawn = np.concatenate([random.choice(spam, 40), random.choice(others, 3960)])
        found = detection(data.flagged[drawn], data.positive[drawn], draws=1)
        hits.append(found.recall.count)
        flagged.append(found.precision.of)
        missed, alarms = 40 - hits[-1], flagged[-1] - hits[-1]
        costs.append(1000 * (20 * missed + alarms) / 4000)
        areas.append(_average_precision(data.scores[drawn], data.positive[drawn]))
    weighted = report.rates[1].detection
    pooled = sum(hits) / sum(flagged)
    error = (pooled * (1 - pooled) / sum(flagged)) ** 0.5
    assert abs(pooled - weighted.precision.value) < 4 * error
    labels = next(row.cost for row in report.cost if row.decision == "labels" and row.prevalence == 0.01)
    assert abs(np.mean(costs) - labels.value) < 4 * np.std(costs) / 40**0.5
    # Average precision of 40 positives is biased upwards, by a little.
    assert abs(np.mean(areas) - report.rankings[1].average_precision.value) < 0.03
    # The unweighted figures are far off: that is what the weights are for.
    assert report.rates[0].detection.precision.value - pooled > 0.1


def _average_precision(scores, positive):
    """Precision at each positive's score, averaged: the sum over thresholds written another way."""
    return np.mean([positive[scores >= score].mean() for score in scores[positive == 1]])


def test_intervals_from_a_part_hold_what_the_rest_shows(sms):
    """Of 200 small parts at 1 % the intervals of recall and precision hold the figures of the whole."""
    data = decisions(read_cases(sms).cases, "spam", "wrong")
    truth = detection(data.flagged, data.positive, prevalence=0.01, draws=1)
    spam, others = np.flatnonzero(data.positive), np.flatnonzero(1 - data.positive)
    random, recall, precision = np.random.default_rng(1), 0, 0
    for _ in range(200):
        drawn = np.concatenate([random.choice(spam, 20), random.choice(others, 200)])
        found = detection(data.flagged[drawn], data.positive[drawn], prevalence=0.01, draws=1)
        recall += found.recall.interval.low <= truth.recall.value <= found.recall.interval.high
        # Where nothing is flagged there is no precision to be wrong about.
        interval = found.precision and found.precision.interval
        precision += interval is None or interval.low <= truth.precision.value <= interval.high
    assert recall >= 182
    assert precision >= 182  # 190 are expected; fewer than 182 one time in two hundred


def test_three_classes_of_tweets_by_letters(data_dir, tmp_path):
    rows = table(data_dir, "hate_speech_davidson", "json_extract_string(label, '$')")[::12]
    labels = ["hate_speech", "offensive_language", "neither"]
    items = [
        {"id": name, "input": text, "choices": labels, "target": labels.index(label)}
        for name, text, label in rows
    ]
    said = [
        "The answer is (A)." if HATE.search(text) else "B" if "!" in text else "" if "?" in text else "C"
        for _, text, _ in rows
    ]
    run = asked(tmp_path, items, said, scorer="choice")
    report = classify(run, positive="hate_speech", prevalence=0.01)
    gold = [label == "hate_speech" for *_, label in rows]
    flags = [
        (not is_hate) if answer == "" else "(A)" in answer for is_hate, answer in zip(gold, said, strict=True)
    ]
    tp = sum(a and b for a, b in zip(gold, flags, strict=True))
    found = report.rates[0].detection
    assert 0.03 < report.positives / report.items < 0.09
    assert (found.recall.count, found.recall.of) == (tp, sum(gold))
    assert (found.precision.count, found.precision.of) == (tp, sum(flags))
    assert report.unlabelled == {"empty": said.count("")}
    assert {cell.gold for cell in report.confusion} == set(labels)
    assert report.rates[1].detection.precision.value < found.precision.value


def test_a_category_of_moderation_is_asked_only_where_it_is_known(data_dir, tmp_path):
    rows = table(data_dir, "openai_moderation", "json_extract(label, '$.violence')::INT")
    rows = [(name, text, label) for name, text, label in rows if label is not None]
    items = [{"id": name, "input": text, "target": ["no", "yes"][label]} for name, text, label in rows]
    said = ["Yes." if VIOLENCE.search(text) else "no" for _, text, _ in rows]
    scorer = {"name": "exact", "ignore_case": True, "ignore_punctuation": True}
    report = classify(asked(tmp_path, items, said, scorer=scorer), costs=Costs(1, 5), sweep=True)
    assert (report.positive, report.items, report.positives) == ("yes", 1405, 92)  # as published
    found = report.rates[0].detection
    assert found.recall.count == sum(
        label and answer == "Yes." for (*_, label), answer in zip(rows, said, strict=True)
    )
    assert report.unlabelled == {}
    own = next(row for row in report.sweep if row.prevalence == report.rates[0].prevalence)
    assert own.precision.value == pytest.approx(found.precision.value)


def test_the_curve_of_spam_is_that_of_its_thresholds(sms):
    data = decisions(read_cases(sms).cases, "spam", "wrong")
    found = ranking(data.scores, data.positive)
    for point in found.curve[:: len(found.curve) // 20]:
        flagged = data.scores >= point.threshold
        assert point.recall == pytest.approx(flagged[data.positive == 1].mean())
        assert point.false_positive_rate == pytest.approx(flagged[data.positive == 0].mean())
        assert point.precision == pytest.approx(data.positive[flagged].mean())
    assert found.average_precision.value == pytest.approx(_average_precision(data.scores, data.positive))
    pairs = data.scores[data.positive == 1][:, None] - data.scores[data.positive == 0][None]
    assert found.auroc.value == pytest.approx(np.mean((pairs > 0) + (pairs == 0) / 2))
