"""From samples to labels, under each scorer that gives one."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff import Task
from bakeoff.classification import classify
from bakeoff.classification.cases import read_cases
from bakeoff.classification.confusion import EXAMPLES, confusion
from bakeoff.classification.decisions import decisions
from bakeoff.errors import BakeoffError
from bakeoff.run import evaluate
from tests.classification.runs import asked, generated, likely

CHOICES = ["neither", "offensive", "hate"]


def of(found):
    return [(case.gold, case.said, case.ending) for case in found.cases]


def test_a_generated_letter_is_the_choice_it_stood_for(tmp_path):
    items = [
        {"id": f"q{i}", "input": f"t{i}", "choices": CHOICES[i:] + CHOICES[:i], "target": 0} for i in range(3)
    ]
    run = asked(tmp_path, items, ["A", "The answer is (B)", "A or B, who knows"], scorer="choice")
    found = read_cases(run)
    assert found.labels == ("hate", "neither", "offensive")
    assert of(found) == [
        ("neither", "neither", "scored"),
        ("offensive", "hate", "scored"),
        ("hate", None, "no_answer"),
    ]
    numbered = asked(tmp_path / "n", items, ["1", "2", "3"], scorer={"name": "choice", "labels": "numbers"})
    assert [case.said for case in read_cases(numbered).cases] == ["neither", "hate", "offensive"]


def test_shuffled_choices_keep_their_labels(tmp_path):
    items = [{"id": f"q{i}", "input": f"t{i}", "choices": CHOICES, "target": 1} for i in range(12)]
    run = asked(tmp_path, items, ["B"] * 12, scorer="choice", shuffle_choices=True)
    found = read_cases(run).cases
    assert {case.gold for case in found} == {"offensive"}
    assert {case.said for case in found} == set(CHOICES)


def test_a_label_is_read_as_its_scorer_reads_it(tmp_path):
    rows = [("spam", "Spam."), ("ham", "spam"), ("ham", " ham "), ("ham", "SPAM"), ("spam", "eggs")]
    strict = of(read_cases(generated(tmp_path, rows)))
    assert [said for _, said, _ in strict] == [None, "spam", "ham", None, None]
    assert [ending for *_, ending in strict] == ["no label", "scored", "scored", "no label", "no label"]
    scorer = {"name": "exact", "ignore_case": True, "ignore_punctuation": True}
    folded = of(read_cases(generated(tmp_path / "f", rows, scorer=scorer)))
    assert [said for _, said, _ in folded] == ["spam", "spam", "ham", "spam", None]


def test_further_accepted_texts_are_spellings_of_the_first(tmp_path):
    items = [
        {"id": "a", "input": "1", "target": ["spam", "junk"]},
        {"id": "b", "input": "2", "target": ["ham"]},
        {"id": "c", "input": "3", "target": ["ham"]},
    ]
    found = read_cases(asked(tmp_path, items, ["junk", "ham", "junk"], scorer="exact"))
    assert found.labels == ("ham", "spam")
    assert of(found) == [("spam", "spam", "scored"), ("ham", "ham", "scored"), ("ham", "spam", "scored")]


def test_of_several_labels_named_none_is_taken(tmp_path):
    items = [
        {"id": f"q{i}", "input": f"t{i}", "target": ["spam"], "labels": ["spam", "ham"]} for i in range(3)
    ]
    run = asked(
        tmp_path,
        items,
        ["It is spam", "ham, not spam", "neither"],
        scorer="labels",
        fields={"metadata": {"labels": "labels"}},
    )
    assert of(read_cases(run)) == [
        ("spam", "spam", "scored"),
        ("spam", None, "no label"),
        ("spam", None, "no_answer"),
    ]


def test_every_way_to_end_is_kept_and_only_failures_do_not_count(tmp_path):
    rows = [("spam", "spam"), ("spam", ""), ("ham", "I'm sorry, but I can't help with that."), ("ham", None)]
    found = read_cases(generated(tmp_path, rows)).cases
    assert [(case.ending, case.counted) for case in found] == [
        ("scored", True),
        ("empty", True),
        ("refused", True),
        ("model_error", False),
    ]


def test_probabilities_are_the_softmax_of_the_log_likelihoods(tmp_path):
    found = read_cases(likely(tmp_path, [("spam", 0.9), ("ham", 0.25)])).cases
    assert [case.said for case in found] == ["spam", "ham"]
    assert found[0].probabilities == pytest.approx({"ham": 0.1, "spam": 0.9})
    assert found[1].probabilities == pytest.approx({"ham": 0.75, "spam": 0.25})
    items = [{"id": "a", "input": "t", "choices": CHOICES, "target": 0}]
    run = asked(
        tmp_path / "3",
        items,
        [[-2000.0, -2000.0 + math.log(2), -9e9]],
        scorer="loglikelihood",
        ask="loglikelihood",
    )
    assert read_cases(run).cases[0].probabilities == pytest.approx(
        {"neither": 1 / 3, "offensive": 2 / 3, "hate": 0}
    )


@pytest.mark.parametrize(
    ("items", "said", "scorer", "problem"),
    [
        ([{"id": "a", "input": "1", "target": "7"}], ["7"], "number", "does not tell which label"),
        ([{"id": "a", "input": "1", "target": "spam"}], ["spam"], "exact", "has 1 label,"),
        (
            [{"id": f"a{i}", "input": f"{i}", "target": f"word {i}"} for i in range(60)],
            ["word"] * 60,
            "exact",
            "more than 50 different labels",
        ),
    ],
)
def test_what_is_no_classification_is_refused(tmp_path, items, said, scorer, problem):
    with pytest.raises(BakeoffError, match=problem):
        read_cases(asked(tmp_path, items, said, scorer=scorer))


def test_several_right_labels_are_refused(tmp_path):
    items = [{"id": "a", "input": "1", "target": ["spam", "ham"], "labels": ["spam", "ham"]}]
    run = asked(tmp_path, items, ["spam ham"], scorer="labels", fields={"metadata": {"labels": "labels"}})
    with pytest.raises(BakeoffError, match="item a has 2 right labels"):
        read_cases(run)


_ENDINGS = {"a": "scored", "b": "scored", "c": "scored", "": "empty", "d": "no label", "a b": "no label"}


@settings(max_examples=30)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(list(_ENDINGS))), max_size=40))
def test_the_confusion_matrix_holds_every_case_once_and_agrees_with_the_score(tmp_path_factory, rows):
    rows = [("a", "a"), ("b", "b"), ("c", "c"), *rows]
    found = read_cases(generated(tmp_path_factory.mktemp("run"), rows)).cases
    cells = confusion(found)
    assert sum(cell.count for cell in cells) == len(rows)
    for cell in cells:
        members = {
            f"q{i:04}"
            for i, (gold, said) in enumerate(rows)
            if (gold, _ENDINGS[said]) == (cell.gold, cell.ending) and cell.said in (None, said)
        }
        assert len(members) == cell.count
        assert set(cell.examples) <= members
        assert len(cell.examples) == min(EXAMPLES, cell.count)
    assert confusion(found[::-1]) == cells
    assert sum(case.gold == case.said for case in found) == sum(gold == said for gold, said in rows)


def confident(folder, rows, **task):
    """Rows of (gold, answer) with the scorer label_confidence."""
    items = [
        {"id": f"q{i:03}", "input": f"Text {i}.", "choices": ["ham", "spam"], "target": gold}
        for i, (gold, _) in enumerate(rows)
    ]
    return asked(folder, items, [answer for _, answer in rows], scorer="label_confidence", **task)


def test_a_stated_confidence_is_a_probability_of_the_label_and_the_rest_of_the_others(tmp_path):
    run = confident(
        tmp_path / "2", [("spam", "spam, 80 %"), ("ham", "ham 95"), ("ham", "maybe"), ("spam", "")]
    )
    found = read_cases(run).cases
    assert found[0].probabilities == pytest.approx({"spam": 0.8, "ham": 0.2})
    assert found[1].probabilities == pytest.approx({"spam": 0.05, "ham": 0.95})
    assert [case.probabilities for case in found[2:]] == [None, None]
    assert [case.said for case in found] == ["spam", "ham", None, None]
    assert [case.ending for case in found] == ["scored", "scored", "no_answer", "empty"]
    items = [
        {"id": label, "input": label, "target": label, "labels": ["a", "b", "c"]} for label in ("a", "b", "c")
    ]
    three = asked(
        tmp_path / "3",
        items,
        ["a, 70 %"] * 3,
        scorer="label_confidence",
        fields={"metadata": {"labels": "labels"}},
    )
    assert read_cases(three).cases[0].probabilities == pytest.approx({"a": 0.7, "b": 0.15, "c": 0.15})


@pytest.mark.parametrize(
    ("policy", "flagged"), [("wrong", [0, 1]), ("negative", [0, 0]), ("positive", [1, 1])]
)
def test_without_a_probability_a_case_is_beyond_any_threshold(tmp_path, policy, flagged):
    run = confident(tmp_path, [("spam", "spam, 80 %"), ("ham", "ham 95"), ("spam", "maybe"), ("ham", "")])
    data = decisions(read_cases(run).cases, "spam", policy)
    assert data.known.tolist() == [True, True, False, False]
    assert data.scores[:2].tolist() == pytest.approx([0.8, 0.05])
    assert (data.scores[2:] > 1).astype(int).tolist() == flagged
    assert data.flagged.tolist() == [1, 0, *flagged]


def test_every_answer_to_an_item_is_a_case_of_its_cluster(tmp_path):
    rows = [
        {"item_id": f"q{i}", "repeat": repeat, "output": said}
        for i, answers in enumerate(["spam ham", "ham ham", "spam spam"])
        for repeat, said in enumerate(answers.split())
    ]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    items = [
        {"id": f"q{i}", "input": f"{i}", "target": gold} for i, gold in enumerate(["spam", "ham", "spam"])
    ]
    task = Task(name="mail", data={"items": items}, scorer="exact")
    run = evaluate(task, f"recorded:{tmp_path / 'answers.jsonl'}", repeats=2, out=tmp_path / "runs").folder
    read = read_cases(run)
    assert (len(read.cases), read.repeats) == (6, 2)
    data = decisions(read.cases, "spam", "wrong")
    assert data.clusters.tolist() == [0, 0, 1, 1, 2, 2]
    report = classify(run, positive="spam")
    assert report.rates[0].detection.recall.value == 0.75
    assert (report.items, report.clusters, report.positives) == (6, 3, 4)
    assert any("2 answers to an item are not independent" in note for note in report.notes)
    assert any("with 2 of the positive label" in note for note in report.notes)
