"""The probability on the true choices: TruthfulQA's MC2."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.errors import TaskError
from bakeoff.nouns import Item, Outcome, Response
from bakeoff.score import build_scorer, judge
from tests.score.making import lls

SCORER = build_scorer({"name": "loglikelihood_mass", "labels": "true"})


def item(*labels, target=0):
    return Item(
        "q", "?", tuple(f"choice {n}" for n in range(len(labels))), target, metadata={"true": list(labels)}
    )


@pytest.mark.parametrize(
    ("labels", "probabilities", "share"),
    [
        ((1, 0), (0.5, 0.5), 0.5),
        ((1, 1, 0), (0.1, 0.2, 0.1), 0.75),
        ((1, 0, 0), (0.0, 0.5, 0.25), 0.0),
        ((1, 0, 1), (0.3, 0.0, 0.1), 1.0),
    ],
)
def test_the_share_of_the_probability_that_is_on_true_choices(labels, probabilities, share):
    response = lls(*(math.log(p) if p else -math.inf for p in probabilities))
    score = judge(SCORER, item(*labels), response)
    assert score.value == pytest.approx(share)
    assert score.outcome is Outcome.SCORED


def test_texts_too_unlikely_for_a_float_are_still_compared():
    score = judge(SCORER, item(1, 0), lls(-2000.0, -2000.0 + math.log(3)))
    assert score.value == pytest.approx(0.25)
    assert score.extracted == "choice 1"
    assert "1 of 2 choices are true; the most likely, choice 2, is false" in score.reason


@given(st.lists(st.tuples(st.floats(-800, 0), st.integers(0, 1)), min_size=2, max_size=20))
def test_it_is_the_sum_of_a_softmax(pairs):
    np = pytest.importorskip("numpy")
    logprobs, labels = (list(each) for each in zip(*pairs, strict=True))
    labels[0], labels[-1] = 1, 0
    weights = np.exp(np.array(logprobs) - max(logprobs))
    expected = (weights / weights.sum())[np.array(labels) == 1].sum()
    assert judge(SCORER, item(*labels), lls(*logprobs)).value == pytest.approx(expected, abs=1e-12)


def test_choices_in_another_order_than_their_labels_are_a_mistake_of_the_task():
    with pytest.raises(
        TaskError, match=r"target 1 is not a choice that 'true' marks as true\n.*shuffle_choices"
    ):
        judge(SCORER, item(1, 0, 0, target=1), lls(-1, -2, -3))


@pytest.mark.parametrize("labels", [None, "110", [1, 0], [1, 0, 2], [1, 1, 1], [0, 0, 0], [1, 0, None]])
def test_labels_that_do_not_fit_are_a_mistake_of_the_task(labels):
    broken = Item("q", "?", ("a", "b", "c"), 0, metadata={"true": labels})
    with pytest.raises(TaskError, match="a list with 0 or 1 for each of the 3 choices"):
        judge(SCORER, broken, lls(-1, -2, -3))


@pytest.mark.parametrize(
    "response", [Response(), lls(-1), lls(-1, math.nan), lls(-math.inf, -math.inf), lls(-1, math.inf)]
)
def test_an_engine_that_gave_no_usable_numbers_has_failed(response):
    assert judge(SCORER, item(1, 0), response).outcome is Outcome.MODEL_ERROR


def test_the_id_says_which_column_has_the_labels():
    assert build_scorer("loglikelihood_mass").id == "loglikelihood_mass@1"
    assert SCORER.id == "loglikelihood_mass@1(labels=true)"
