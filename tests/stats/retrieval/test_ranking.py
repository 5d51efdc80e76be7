import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats.retrieval.ranking import ranked, without_repeats


def test_of_equal_scores_the_greater_id_stands_first_whatever_the_input_order():
    assert ranked({"d1": 0.5, "d3": 0.5, "d2": 0.9, "d10": 0.5}) == ("d2", "d3", "d10", "d1")
    assert ranked({"d10": 0.5, "d2": 0.9, "d1": 0.5, "d3": 0.5}) == ("d2", "d3", "d10", "d1")


def test_ids_are_compared_as_bytes_and_not_as_utf_16():
    # U+10000 is after U+FFFD by code point and by UTF-8, but before it by UTF-16 units.
    assert ranked({"\ufffd": 1, "\U00010000": 1}) == ("\U00010000", "\ufffd")


@given(st.dictionaries(st.text(max_size=3), st.sampled_from([-1.0, 0.0, 0.5]), max_size=8))
def test_scores_never_rise_and_every_document_is_there_once(scores):
    found = ranked(scores)
    assert sorted(found) == sorted(scores)
    values = [scores[document] for document in found]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("score", [float("nan"), float("inf"), float("-inf")])
def test_a_score_that_cannot_be_ordered_is_refused_with_its_document(score):
    with pytest.raises(ValueError, match="document d7"):
        ranked({"d1": 1, "d7": score})


def test_of_repeats_the_first_stays_and_the_rest_moves_up():
    assert without_repeats(["b", "a", "b", "c", "a"]) == ("b", "a", "c")
