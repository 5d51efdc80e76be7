"""The number scorer where a question may have no answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Item, Outcome, Response
from bakeoff.score import build_scorer

SCORER = build_scorer({"name": "number", "unanswerable": "None"})
PLAIN = build_scorer("number")


def judged(target, text, scorer=SCORER, finish=FinishReason.STOP):
    return scorer(Item("i", "", target=(target,)), Response(text=text, finish=finish))


def test_the_option_is_part_of_the_id():
    assert SCORER.id == "number@1(unanswerable=None)"


@given(st.text(max_size=40), st.sampled_from(["None", "12", "-0.5"]))
def test_the_word_is_right_for_itself_alone_and_never_for_a_number(before, target):
    score = judged(target, f"{before}\nAnswer: None")
    assert score.value == float(target == "None")


@given(st.integers(-(10**6), 10**6), st.sampled_from(["It is {}.", "Answer: {}", "\\boxed{{{}}}", "#### {}"]))
def test_numbers_are_judged_as_without_the_option(number, form):
    for target in (str(number), "7"):
        text = form.format(number)
        assert judged(target, text).value == judged(target, text, PLAIN).value
        assert judged("None", text).value == 0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("\\boxed{\\text{None}}", 1),
        ("**Answer:** None", 1),
        ("Answer: None. The price is missing.", 1),
        ("The answer is 12. No, it cannot be told. Answer: None", 1),
        ("Answer: None. Taking 3 as the price, the answer is 12.", 0),
        ("Answer: Nonetheless 12", 0),
        ("nonexistent", 0),
    ],
)
def test_what_is_said_last_as_the_answer_counts(text, value):
    assert judged("None", text).value == value


def test_a_word_at_the_token_limit_may_have_gone_on():
    assert judged("None", "Answer: None", finish=FinishReason.LENGTH).outcome is Outcome.TRUNCATED


def test_without_the_option_a_target_without_a_number_is_a_mistake():
    with pytest.raises(TaskError, match="cannot read one number from the target 'None'"):
        judged("None", "12", PLAIN)
    with pytest.raises(TaskError, match="cannot read one number from the target 'Nothing'"):
        judged("Nothing", "12")
