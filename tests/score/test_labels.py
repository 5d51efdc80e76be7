"""Which of a set of labels an answer names, and when that is right."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Item, Outcome
from bakeoff.score import build_scorer, judge
from tests.score.making import said

PLACES = ["attic", "cellar", "garden", "garden shed", "hall"]


def item(*targets: str, labels: Any = PLACES, **metadata: Any) -> Item:
    return Item("where", "", (), targets, metadata={"labels": labels} | metadata)


@pytest.mark.parametrize(
    ("targets", "answer", "value"),
    [
        (["garden"], "She is in the garden.", 1),
        (["garden"], "GARDEN", 1),
        (["garden"], "the\ngarden", 1),
        (["garden"], "In the garden or the hall.", 0),
        (["garden"], "In the hall.", 0),
        # Of two labels that begin alike the longer is named.
        (["garden shed"], "It is in the garden shed.", 1),
        (["garden"], "It is in the garden  shed.", 0),
        (["garden"], "gardens and gardeners are not it; garden is", 1),
        (["attic", "hall"], "hall, attic", 1),
        (["attic", "hall"], "hall and hall", 0),
        (["attic", "hall"], "hall, attic, cellar", 0),
    ],
)
def test_all_labels_of_the_target_and_no_other_must_be_named(targets, answer, value):
    score = judge(build_scorer("labels"), item(*targets), said(answer))
    assert (score.outcome, score.value) == (Outcome.SCORED, value), score.reason


def test_labels_in_the_question_do_not_count():
    asked = item("hall", question="Where was it before the Attic?")
    scorer = build_scorer("labels")
    assert judge(scorer, asked, said("Before the attic it was in the hall.")).value == 1
    assert judge(scorer, asked, said("In the attic.")).outcome is Outcome.NO_ANSWER


def test_the_first_sentence_alone_counts_where_the_task_says_so():
    scorer = build_scorer({"name": "labels", "first_sentence": True})
    answer = "In the hall. Not in the attic, nor in the cellar."
    assert judge(scorer, item("hall"), said(answer)).value == 1
    assert judge(build_scorer("labels"), item("hall"), said(answer)).value == 0
    assert judge(scorer, item("hall"), said(answer, FinishReason.LENGTH)).value == 1


@pytest.mark.parametrize("answer", ["In the hall", "In the attic or", "nowhere that"])
def test_a_cut_answer_is_truncated_because_it_could_name_more(answer):
    score = judge(build_scorer("labels"), item("hall"), said(answer, FinishReason.LENGTH))
    assert (score.outcome, score.value) == (Outcome.TRUNCATED, 0)


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (item("shed"), "cannot accept 'shed', which is none of its labels"),
        (item("hall", question="Is it in the hall?"), "cannot accept 'hall', which is in its question"),
        (item("hall", labels="hall"), "needs a list of texts in metadata.labels, got 'hall'"),
        (item("hall", labels=[]), r"needs a list of texts in metadata.labels, got \[\]"),
        (item("hall", labels=["hall", " "]), "needs a list of texts"),
        (item("hall", labels=["hall", 3]), "needs a list of texts"),
        (item("hall", question=3), "metadata.question must be a text, got 3"),
        (Item("where", "", (), ("hall",)), "needs a list of texts in metadata.labels, got None"),
    ],
)
def test_a_task_without_labels_that_fit_is_an_error(wrong, problem):
    with pytest.raises(TaskError, match=problem):
        judge(build_scorer("labels"), wrong, said("hall"))


@given(st.lists(st.sampled_from(PLACES), max_size=6), st.sets(st.sampled_from(PLACES), min_size=1))
def test_exactly_the_answers_that_name_the_target_as_a_set_are_right(named, targets):
    score = judge(build_scorer("labels"), item(*sorted(targets)), said(f"I say: {', '.join(named)}!"))
    assert score.value == float(set(named) == targets)
    assert score.outcome is (Outcome.SCORED if named else Outcome.NO_ANSWER)
