"""Very long answers are read at one end, and the commonest short ones by a shorter way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.score.extract import number
from bakeoff.score.extract.letter import extract_label
from bakeoff.score.extract.number import extract_number
from bakeoff.score.extract.window import LONGEST, window
from bakeoff.score.math.final_answer import final_answer
from tests.score.making import CAPITALS

LONG = "so it goes on and on\n" * (LONGEST // 10)


def label(text, take):
    return extract_label(text, CAPITALS, take=take)


def stated(text, take):
    return extract_number(text, take=take).extraction


def formula(text, take):
    return final_answer(text, take=take)


@pytest.mark.parametrize(
    ("read", "first", "last"),
    [
        (label, "The answer is B.\n", "The answer is C.\n"),
        (stated, "The answer is 17.\n", "The answer is 18.\n"),
        (formula, "So \\boxed{x+1}.\n", "So \\boxed{x-1}.\n"),
    ],
)
def test_a_long_text_is_read_at_the_end_that_is_asked_for_and_offsets_stay_true(read, first, last):
    text = first + LONG + last
    for take, answer in (("first", first), ("last", last)):
        found = read(text, take)
        assert found.text in answer
        assert text[found.start : found.end] == found.text
        assert (found.start < len(first)) == (take == "first")


@given(st.text(max_size=50), st.sampled_from(["first", "last"]))
def test_a_short_text_is_read_whole(text, take):
    assert window(text, take) == (text, 0)


@given(st.from_regex(r"[ \n\t]{0,3}-?[0-9]{1,20}(\.[0-9]{1,20})?[ \n\t]{0,3}", fullmatch=True))
def test_the_short_way_to_a_lone_number_leads_where_the_long_one_does(text):
    for take in ("first", "last"):
        assert extract_number(text, take=take) == number._found_in(text, take, fallback=True)
