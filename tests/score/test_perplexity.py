"""The probability a document has per byte."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.errors import TaskError
from bakeoff.nouns import Item, Outcome
from bakeoff.score import build_scorer, judge
from bakeoff.score.perplexity import bytes_in, words_in
from tests.score.making import lls


def score(text, response):
    return judge(build_scorer("perplexity"), Item("d", text), response)


def test_the_value_is_the_inverse_of_the_byte_perplexity_and_the_reason_the_bits():
    # 4 bytes in Zoë: 8 bits in all are 2 a byte, a perplexity of 4.
    found = score("Zoë", lls(-8 * math.log(2)))
    assert found.value == pytest.approx(1 / 4)
    assert "2.0000 bits per byte" in found.reason
    assert found.outcome is Outcome.SCORED


@pytest.mark.parametrize(
    "response", [lls(-math.inf), lls(math.nan), lls(math.inf), lls(1.0), lls(), lls(-1, -2)]
)
def test_a_log_likelihood_that_is_none_is_the_engine_s_failure(response):
    found = score("text", response)
    assert (found.outcome, found.value) == (Outcome.MODEL_ERROR, None)


def test_rounding_above_certainty_is_certainty():
    assert score("text", lls(1e-9)).value == 1.0


def test_no_document_is_a_mistake_of_the_task():
    with pytest.raises(TaskError, match="no document"):
        score("", lls(-1))


@given(st.floats(-1e9, 0), st.text(min_size=1))
def test_any_log_likelihood_gives_a_value_between_0_and_1(logprob, text):
    assert 0 <= score(text, lls(logprob)).value <= 1


@pytest.mark.parametrize(
    ("text", "words"), [("a b", 2), ("a  b\n\nc", 3), (" a ", 3), ("", 1), ("one", 1), ("a\u00a0b", 2)]
)
def test_words_are_counted_as_lm_eval_counts_them(text, words):
    assert words_in(text) == words


def test_bytes_are_those_of_utf_8_also_of_half_a_pair():
    assert [bytes_in(text) for text in ("a", "é", "東", "😀", "\ud800")] == [1, 2, 3, 4, 3]
