import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.board.table import View, prepared, seen
from bakeoff.board.table.search import matching
from bakeoff.errors import BakeoffError
from tests.board.table.making import HOSTILE, scored, snapshot

TEXTS = ("meta/llama-3-8b\nmeta\nbfloat16\nllama3", "qwen/qwen2-7b\nqwen\n4bit\napache-2.0", "gpt2\n\n\n")


def found(search, texts=TEXTS):
    return matching(texts, search).tolist()


@pytest.mark.parametrize(
    ("search", "rows"),
    [
        ("llama", [True, False, False]),
        ("LLaMA 8B", [True, False, False]),
        ("8b llama bfloat16", [True, False, False]),
        ("apache 7b", [False, True, False]),
        ("llama qwen", [False, False, False]),
        ("meta/llama", [True, False, False]),
        ("/", [True, True, False]),
        ("/^(meta|gpt)/", [True, False, True]),
        ("/^META$/", [True, False, False]),
        ("/[78]b$/", [True, True, False]),
        ("/llama.*apache/", [False, False, False]),
        (".*", [False, False, False]),
        ("/./", [True, True, True]),
        ("/ä/", [False, False, False]),
    ],
)
def test_words_are_all_contained_and_patterns_match_a_part(search, rows):
    assert found(search) == rows


LETTERS = st.text("abc", min_size=1, max_size=3)
PATTERNS = st.recursive(
    LETTERS | st.sampled_from((".", "a*", "[ab]", "c?", "^", "$")),
    lambda inner: (
        st.tuples(inner, inner).map("".join) | st.tuples(inner, inner).map("(?:{0[0]}|{0[1]})".format)
    ),
    max_leaves=5,
)


@given(PATTERNS, st.lists(st.text("abc", max_size=6), min_size=1, max_size=5))
def test_patterns_mean_what_they_mean_in_python(pattern, texts):
    assert found(f"/{pattern}/", texts) == [re.search(f"(?mi){pattern}", each) is not None for each in texts]


@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "(a|aa)+$", "(.*)*x", "([a-z]+)*!", "(a?){9}a{9}b", ".*.*.*.*=.*"]
)
def test_patterns_that_take_others_for_ever_take_their_length_of_text(pattern):
    assert found(f"/{pattern}/", ["a" * 10_000 + "?"] * 20) == [False] * 20


@pytest.mark.parametrize(
    "pattern", ["(", "a)", "[z-a]", "*", "(?=a)", r"(a)\1", "(a{1000}){1000}", "\\", "a)(b", "(?P<n>", ""]
)
def test_what_is_no_pattern_is_said_to_be_none(pattern):
    with pytest.raises(BakeoffError) as told:
        found(f"/{pattern}/")
    assert told.value.message.startswith("search: ")
    assert "(?mi)" not in told.value.message
    assert "\n" not in told.value.message


@pytest.mark.parametrize(
    "pattern",
    [
        r"(\w*\W*){500}!",
        r"(\pL*\PL*){100}!",
        r"\pL",
        "((.?){30}){30}!",
        ".{1,1000}!",
        ".{900,}!",
        "[^a]{1000}",
        "[Ā-\U0010ffff]{99}",
        "(a?){50}a{50}b",
        ".*" * 100,
        "a" * 999 + "b{2}",
    ],
)
def test_patterns_that_would_take_long_are_refused(pattern):
    with pytest.raises(BakeoffError, match=r"search: .* would take too long"):
        found(f"/{pattern}/")


@given(st.text(max_size=20) | st.sampled_from(HOSTILE))
def test_no_search_is_a_bug(text):
    assert len(found(f"x{text}x")) == len(TEXTS)
    with suppress(BakeoffError):  # it may be no pattern
        assert len(found(f"/{text}/")) == len(TEXTS)


def test_hostile_names_are_found_by_what_they_hold():
    table = prepared(snapshot(*(scored(number, model=name) for number, name in enumerate(HOSTILE, 1))))
    for number, name in enumerate(HOSTILE, 1):
        whole = re.sub(r"\s+", " ", name).strip()
        if len(whole) > 2:
            assert str(number) in [each.key for each in seen(table, View(search=whole)).rows]


def test_organisations_are_searched_where_only_the_name_says_them():
    table = prepared(
        snapshot(
            scored(1, model="meta/one", organisation="meta"), scored(2, model="qwen/two", organisation="")
        )
    )
    assert [each.key for each in seen(table, View(search="/^qwen$/")).rows] == ["2"]
