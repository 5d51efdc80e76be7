import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.model.pair import Pair, common_start, corrected_pairs, encode_pairs, rolling_windows

ids = st.lists(st.integers(0, 3), max_size=12).map(tuple)


@given(ids, ids)
def test_the_common_start_is_what_a_loop_finds(first, second):
    length = common_start(first, second)
    assert first[:length] == second[:length]
    assert first[length : length + 1] != second[length : length + 1] or length == len(first) == len(second)


@pytest.mark.parametrize(
    ("tokens", "length", "windows"),
    [
        # Window by window as lm-eval cuts: the first follows the prefix, each later one begins with the token
        # before it, and the last looks back as far as its length allows.
        ((1, 2, 3), 4, [((0,), (1, 2, 3))]),
        ((1, 2, 3, 4), 4, [((0,), (1, 2, 3, 4))]),
        ((1, 2, 3, 4, 5), 4, [((0,), (1, 2, 3, 4)), ((1, 2, 3, 4), (5,))]),
        ((1, 2, 3, 4, 5, 6, 7, 8), 4, [((0,), (1, 2, 3, 4)), ((4,), (5, 6, 7, 8))]),
        (tuple(range(1, 11)), 4, [((0,), (1, 2, 3, 4)), ((4,), (5, 6, 7, 8)), ((6, 7, 8), (9, 10))]),
        ((1, 2), 1, [((0,), (1,)), ((1,), (2,))]),
        ((), 4, []),
    ],
)
def test_a_document_is_cut_into_windows(tokens, length, windows):
    found = list(rolling_windows(tokens, 0, length))
    assert [(pair.context, pair.continuation) for pair in found] == windows


@given(st.lists(st.integers(1, 9)).map(tuple), st.integers(1, 7))
def test_windows_score_every_token_once_and_fit(tokens, length):
    found = list(rolling_windows(tokens, 0, length))
    assert sum((pair.continuation for pair in found), ()) == tokens
    assert all(pair.length - 1 <= length for pair in found)


def by_twos(text):
    """A tokenizer that reads two characters at a time where it can: merges move with the text's length."""
    return tuple(text[i : i + 2] for i in range(0, len(text), 2))


def built(context, *continuations):
    pairs = encode_pairs(by_twos, by_twos, "^", context, continuations)
    texts = [context + text for text in continuations]
    return pairs, corrected_pairs(by_twos, "^", pairs, texts)


def test_a_clean_boundary_is_left_where_it_is():
    plain, corrected = built("abcd", "ef", "g")
    assert corrected == plain == [Pair(("ab", "cd"), ("ef",)), Pair(("ab", "cd"), ("g",))]


def test_a_boundary_inside_a_token_moves_left_for_every_option():
    # "abc" alone is ab|c, with an option behind it ab|cX: the c belongs to the option's first token.
    plain, corrected = built("abc", "X", "YZ")
    assert plain == [Pair(("ab", "c"), (), False), Pair(("ab", "c"), ("Z",), False)]
    assert corrected == [Pair(("ab",), ("cX",)), Pair(("ab",), ("cY", "Z"))]


def test_a_context_that_is_all_inside_a_token_is_replaced_by_the_prefix():
    _, corrected = built("a", "X", "YZ")
    assert corrected == [Pair(("^",), ("aX",)), Pair(("^",), ("aY", "Z"))]


@given(st.text("ab", min_size=1, max_size=5), st.lists(st.text("XY", min_size=1, max_size=4), min_size=1))
def test_corrected_pairs_are_the_joint_encodings_and_share_their_context(context, continuations):
    _, corrected = built(context, *continuations)
    assert len({pair.context for pair in corrected}) == 1
    for pair, text in zip(corrected, continuations, strict=True):
        assert pair.continuation
        assert (pair.context + pair.continuation)[-len(by_twos(context + text)) :] == by_twos(context + text)
