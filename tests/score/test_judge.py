"""The common order of outcomes."""

from dataclasses import dataclass

import pytest

from bakeoff.errors import TaskError
from bakeoff.nouns import Failure, FailureKind, FinishReason, Item, Outcome, Response, Score
from bakeoff.score import build_scorer, judge
from tests.score.making import choice_item, lls, said, text_item

LENGTH, STOP = FinishReason.LENGTH, FinishReason.STOP


def outcome(
    response: Response, scorer: str = "choice", item: Item | None = None
) -> tuple[Outcome, float | None]:
    score = judge(build_scorer(scorer), item or choice_item(), response)
    return score.outcome, score.value


@pytest.mark.parametrize("kind", FailureKind)
@pytest.mark.parametrize("scorer", ["choice", "loglikelihood"])
def test_no_failure_is_ever_a_wrong_answer(kind, scorer):
    # The text is there to tempt: a failure wins over whatever came before it.
    response = Response(text="The answer is B.", failure=Failure(kind, "said the server"))
    score = judge(build_scorer(scorer), choice_item(), response)
    too_long = kind is FailureKind.CONTEXT_LENGTH
    assert score.outcome is (Outcome.TOO_LONG if too_long else Outcome.MODEL_ERROR)
    assert score.value is None
    assert score.extracted is None
    assert "said the server" in score.reason


def test_a_right_and_a_wrong_answer_are_both_scored():
    assert outcome(said("The answer is B.")) == (Outcome.SCORED, 1.0)
    assert outcome(said("The answer is C.")) == (Outcome.SCORED, 0.0)


def test_an_answer_that_cannot_be_found_is_no_answer():
    assert outcome(said("It is a city on the Thames.")) == (Outcome.NO_ANSWER, 0.0)
    assert outcome(said("The answer is B or C.")) == (Outcome.NO_ANSWER, 0.0)


@pytest.mark.parametrize(
    "response",
    [
        said("Paris is in France. Rome is in", LENGTH),
        said("", LENGTH),
        said("", LENGTH, reasoning="Paris is in"),
        said("<think>The answer is B", LENGTH),
        said("<think>The answer is B.</think>", LENGTH),
        said("It should be B, I guess, since", LENGTH),  # only a guess of ours
        said("The answer is B", LENGTH),  # the cut touches it: it may have been "Because"
    ],
)
def test_a_text_cut_before_its_answer_is_truncated(response):
    assert outcome(response) == (Outcome.TRUNCATED, 0.0)


def test_an_explicit_answer_before_the_cut_counts():
    assert outcome(said("The answer is B. London lies on", LENGTH)) == (Outcome.SCORED, 1.0)
    assert outcome(said("\\boxed{B}", LENGTH)) == (Outcome.SCORED, 1.0)


def test_a_number_that_the_cut_touches_is_not_taken_for_whole():
    for text in ("The answer is 1", "The answer is 1.", "#### 1", "#### 1,"):
        assert outcome(said(text, LENGTH), "number", text_item("1")) == (Outcome.TRUNCATED, 0.0)
    assert outcome(said("#### 1\n", LENGTH), "number", text_item("1")) == (Outcome.SCORED, 1.0)


def test_no_text_is_empty():
    assert outcome(said("")) == (Outcome.EMPTY, 0.0)
    assert outcome(said(" \n")) == (Outcome.EMPTY, 0.0)
    assert outcome(said("", reasoning="The answer is B.")) == (Outcome.EMPTY, 0.0)
    assert outcome(said("<think>The answer is B.</think>\n")) == (Outcome.EMPTY, 0.0)


def test_a_thought_is_never_the_answer():
    assert outcome(said("<think>The answer is B.</think> The answer is C.")) == (Outcome.SCORED, 0.0)
    assert outcome(said("The answer is B.\n</think>\nC")) == (Outcome.SCORED, 0.0)
    assert outcome(said("<think>The answer is B.")) == (Outcome.NO_ANSWER, 0.0)


def test_a_refusal_is_refused_whether_marked_or_said():
    assert outcome(said("", refusal="I can't help with that.")) == (Outcome.REFUSED, 0.0)
    assert outcome(said("", FinishReason.CONTENT_FILTER)) == (Outcome.REFUSED, 0.0)
    assert outcome(said("I'm sorry, but I can't help with that.")) == (Outcome.REFUSED, 0.0)
    assert outcome(said("抱歉，我无法回答这个问题。")) == (Outcome.REFUSED, 0.0)


@pytest.mark.parametrize("scorer", ["exact", "contains", "number"])
def test_a_refusal_in_words_is_refused_under_every_text_scorer(scorer):
    score = judge(build_scorer(scorer), text_item("18"), said("I'm sorry, but I can't help with that."))
    assert score.outcome is Outcome.REFUSED


def test_a_long_refusal_is_a_refusal_too():
    sermon = "I'm sorry, but I can't help with that. " + "There are better things to do. " * 20
    for finish in (STOP, LENGTH):
        score = judge(build_scorer("exact"), text_item("18"), said(sermon, finish))
        assert score.outcome is Outcome.REFUSED


def test_words_of_refusal_beside_an_answer_are_no_refusal():
    said_both = said("I'm sorry, but I can't help with the first part. The answer is B.")
    assert outcome(said_both) == (Outcome.SCORED, 1.0)


def test_a_task_may_value_a_refusal():
    score = judge(build_scorer("choice"), choice_item(), said("I cannot help with that."), refused=1.0)
    assert (score.outcome, score.value) == (Outcome.REFUSED, 1.0)
    with pytest.raises(ValueError, match="refusal"):
        judge(build_scorer("choice"), choice_item(), said("B"), refused=2)


@dataclass(frozen=True)
class Broken:
    """A scorer with a bug."""

    error: Exception | None = None
    value: float | None = None
    outcome: Outcome = Outcome.SCORED
    id: str = "broken@1"
    asks: str = "generate"

    def __call__(self, item: Item, response: Response) -> Score:
        if self.error is not None:
            raise self.error
        return Score(self.outcome, self.value, None, "", self.id)


def test_a_bug_in_a_scorer_is_our_failure_and_names_itself():
    score = judge(Broken(ZeroDivisionError("by zero")), choice_item(), said("B"))
    assert (score.outcome, score.value) == (Outcome.SCORER_ERROR, None)
    assert "ZeroDivisionError: by zero" in score.reason


@pytest.mark.parametrize(
    ("outcome", "value"),
    [
        (Outcome.SCORED, 1.5),
        (Outcome.SCORED, -0.1),
        (Outcome.SCORED, float("nan")),
        (Outcome.SCORED, None),
        (Outcome.MODEL_ERROR, 0.0),
    ],
)
def test_a_value_that_cannot_be_is_a_scorer_error(outcome, value):
    score = judge(Broken(value=value, outcome=outcome), choice_item(), said("B"))
    assert (score.outcome, score.value) == (Outcome.SCORER_ERROR, None)


def test_a_mistake_in_the_task_stops_the_run():
    with pytest.raises(TaskError, match="free"):
        judge(build_scorer("number"), text_item("eighteen"), said("18"))
    with pytest.raises(TaskError, match="index"):
        judge(build_scorer("choice"), text_item("London"), said("B"))
    with pytest.raises(TaskError, match="index"):
        judge(build_scorer("loglikelihood"), choice_item(7), lls(-1, -2, -3, -4))
    with pytest.raises(TaskError, match="target"):
        judge(build_scorer("exact"), text_item(), said("London"))


def test_every_score_says_which_scorer_and_why():
    for response in (said("B"), said(""), said("hm"), said("B", LENGTH), said("", refusal="no")):
        score = judge(build_scorer("choice"), choice_item(), response)
        assert score.scorer == "choice@1"
        assert score.reason
