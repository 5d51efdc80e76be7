"""A label with a stated confidence: read strictly, or no answer that says why."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Item, Outcome
from bakeoff.score import build_scorer, judge
from bakeoff.score.label_confidence import read_back, written
from tests.score.making import said

MAIL = Item("m", "", ("ham", "spam"), 1)


@pytest.mark.parametrize(
    ("answer", "extracted"),
    [
        ("spam, 80 %", "spam, 80 %"),
        ("Spam (80%).", "spam, 80 %"),
        ("spam 80", "spam, 80 %"),
        ("It is spam.\nConfidence: 80/100", "spam, 80 %"),
        ("spam: 99.5 percent", "spam, 99.5 %"),
        ("spam, 99,5 %", "spam, 99.5 %"),
        ("spam-80%", "spam, 80 %"),
        ("spam, 0.8 %", "spam, 0.8 %"),
        ("spam, 0", "spam, 0 %"),
        ("spam. I am 80 % sure that it is spam: 80 %", "spam, 80 %"),
        ("ham, 100 PER CENT", "ham, 100 %"),
        ("spam, 0000000080 %", "spam, 80 %"),
    ],
)
def test_one_label_with_one_confidence_is_an_answer(answer, extracted):
    score = judge(build_scorer("label_confidence"), MAIL, said(answer))
    assert (score.outcome, score.extracted) == (Outcome.SCORED, extracted), score.reason
    assert score.value == float(extracted.startswith("spam"))


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("spam", "names spam and no confidence"),
        ("80 %", "names none of the labels"),
        ("spam or ham, 80 %", "names 2 labels"),
        ("spam 80 %, or rather 20 %", "2 confidences: 20 %, 80 %"),
        ("spam, 70-80 %", "confidences"),
        ("spam, 180 %", "180 %, which is outside"),
        ("spam, 1,000 %", "1000 %, which is outside"),
        ("spam, -80 %", "-80 %, which is outside"),
        ("spam, −80 %", "-80 %, which is outside"),
        ("spam, 1.2.3", "outside its scale"),
        ("spam, 0.8", "may be 0.8 % or 80 %"),
        ("spam, 1", "may be 1 % or 100 %"),
        ("1. spam, 80 %", "names spam and the confidence 1, which may be"),
        ("spam, eighty per cent", "no confidence"),
        ("spam, 8O %", "no confidence"),
        ("spammy, 80 %", "names none of the labels"),
    ],
)
def test_anything_else_is_no_answer_and_says_why(answer, why):
    score = judge(build_scorer("label_confidence"), MAIL, said(answer))
    assert (score.outcome, score.value) == (Outcome.NO_ANSWER, 0)
    assert why in score.reason


@pytest.mark.parametrize(
    ("answer", "extracted"),
    [("spam, 0.8", "spam, 80 %"), ("spam 1", "spam, 100 %"), ("spam, 80 %", "spam, 80 %")],
)
def test_a_bare_number_is_a_share_where_the_task_says_so(answer, extracted):
    scorer = build_scorer({"name": "label_confidence", "scale": "share"})
    assert judge(scorer, MAIL, said(answer)).extracted == extracted
    assert judge(scorer, MAIL, said("spam, 80")).outcome is Outcome.NO_ANSWER


def test_a_cut_answer_is_truncated_because_eight_may_become_eighty():
    score = judge(build_scorer("label_confidence"), MAIL, said("spam, 8", FinishReason.LENGTH))
    assert score.outcome is Outcome.TRUNCATED


def test_a_number_in_a_label_is_no_confidence():
    item = Item("m", "", (), ("class 1",), metadata={"labels": ["class 1", "class 2"]})
    scorer = build_scorer("label_confidence")
    assert judge(scorer, item, said("Class  1, 80 %")).extracted == "class 1, 80 %"
    assert judge(scorer, item, said("class 1")).reason.endswith("no confidence")


@pytest.mark.parametrize(
    "wrong",
    [
        Item("m", "", (), ("spam",)),
        Item("m", "", (), ("spam", "ham"), metadata={"labels": ["spam", "ham"]}),
        Item("m", "", (), ("eggs",), metadata={"labels": ["spam", "ham"]}),
        Item("m", "", (), ("spam",), metadata={"labels": "spam"}),
        Item("m", "", ("ham", "spam"), ("spam",)),
    ],
)
def test_an_item_without_one_right_label_is_a_mistake_of_the_task(wrong):
    with pytest.raises(TaskError, match="one right label among its labels"):
        judge(build_scorer("label_confidence"), wrong, said("spam, 80 %"))


@given(st.text(min_size=1), st.integers(0, 1000))
def test_what_was_written_is_read_back(label, thousandths):
    text = written(label, thousandths / 1000)
    found = read_back(text)
    assert found is not None
    assert found[0] == label
    assert found[1] == pytest.approx(thousandths / 1000)
