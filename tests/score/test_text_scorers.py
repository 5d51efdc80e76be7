"""What each text scorer counts as right. What the extractors find is in test_cases."""

import pytest

from bakeoff.nouns import FinishReason, Outcome
from bakeoff.score import build_scorer, judge
from tests.score.making import choice_item, said, text_item


def value(spec, item, text):
    return judge(build_scorer(spec), item, said(text)).value


@pytest.mark.parametrize(
    ("options", "targets", "text", "right"),
    [
        ({}, ["Paris"], "Paris", True),
        ({}, ["Paris"], "  Paris\n", True),
        ({}, ["Paris"], "paris", False),
        ({}, ["Paris"], "Paris.", False),
        ({}, ["Paris"], "It is Paris", False),
        ({}, ["Paris", "Lutetia"], "Lutetia", True),
        ({}, ["New York"], "New \n York", True),
        ({}, ["Zoe\u0308"], "Zo\u00eb", True),  # decomposed and composed
        ({"ignore_case": True}, ["Paris"], "PARIS", True),
        ({"ignore_case": True}, ["Straße"], "STRASSE", True),
        ({"ignore_punctuation": True}, ["Paris"], "“Paris.”", True),
        ({"ignore_punctuation": True}, ["U.S."], "U S", True),
        ({"ignore_punctuation": True}, ["हिन्दी"], "हिन्दी।", True),  # marks are no punctuation
    ],
)
def test_exact_compares_the_whole_answer(options, targets, text, right):
    assert value({"name": "exact", **options}, text_item(*targets), text) == float(right)


def test_exact_accepts_the_text_of_the_right_choice():
    assert value("exact", choice_item(1), "London") == 1.0


def test_exact_finds_no_answer_in_punctuation_alone():
    score = judge(build_scorer({"name": "exact", "ignore_punctuation": True}), text_item("x"), said("…!"))
    assert score.outcome is Outcome.NO_ANSWER


@pytest.mark.parametrize(
    ("options", "targets", "text", "right"),
    [
        ({}, ["Paris"], "The capital is paris.", True),
        ({"ignore_case": False}, ["Paris"], "The capital is paris.", False),
        ({}, ["cat"], "concatenate", True),
        ({"whole_words": True}, ["cat"], "concatenate", False),
        ({"whole_words": True}, ["C++"], "I like C++.", True),
        ({}, ["Paris", "Rome"], "Rome", True),
        ({"require": "all"}, ["Paris", "Rome"], "Rome", False),
        ({"require": "all"}, ["Paris", "Rome"], "Rome and Paris", True),
        ({}, ["a.c"], "abc", False),  # texts, not patterns
    ],
)
def test_contains_looks_for_texts(options, targets, text, right):
    assert value({"name": "contains", **options}, text_item(*targets), text) == float(right)


def test_contains_counts_what_came_before_the_cut_and_no_more():
    scorer = build_scorer("contains")
    found = judge(scorer, text_item("Paris"), said("Paris, and", FinishReason.LENGTH))
    missed = judge(scorer, text_item("Paris"), said("Well, and", FinishReason.LENGTH))
    assert (found.outcome, found.value) == (Outcome.SCORED, 1.0)
    assert missed.outcome is Outcome.TRUNCATED


def test_exact_is_truncated_by_the_token_limit():
    score = judge(build_scorer("exact"), text_item("Paris"), said("Paris", FinishReason.LENGTH))
    assert score.outcome is Outcome.TRUNCATED


@pytest.mark.parametrize(
    ("options", "targets", "text", "right"),
    [
        ({"pattern": "is (\\w+)"}, ["Paris"], "It is Paris", True),
        ({"pattern": "is (\\w+)"}, ["Paris"], "It is Rome. No, it is Paris", True),
        ({"pattern": "is (\\w+)", "take": "first"}, ["Rome"], "It is Rome. No, it is Paris", True),
        ({"pattern": "is (\\w+)"}, ["paris"], "It is Paris", False),
        ({"pattern": "IS (\\w+)", "ignore_case": True}, ["paris"], "It is Paris", True),
        ({"pattern": "total: (.+)", "compare": "number"}, ["1234.5"], "total: $1,234.50", True),
        ({"pattern": "^(\\d+)$", "compare": "number"}, ["18"], "so\n18\nit is", True),
    ],
)
def test_regex_compares_what_its_group_captures(options, targets, text, right):
    assert value({"name": "regex", **options}, text_item(*targets), text) == float(right)


def test_regex_without_a_match_is_no_answer():
    score = judge(build_scorer({"name": "regex", "pattern": "is (x)"}), text_item("x"), said("nothing"))
    assert score.outcome is Outcome.NO_ANSWER


@pytest.mark.parametrize(
    ("options", "target", "text", "right"),
    [
        ({}, "18", "The answer is 18.0", True),
        ({}, "18", "The answer is $18.00", True),
        ({}, "1,234", "The answer is 1234", True),  # gold and prediction through one reading
        ({}, "#### 18", "18", True),  # the gold of a worked solution
        ({}, "3/4", "0.75", True),
        ({}, "0.3", "The answer is 0.1 + 0.2 = 0.3", True),
        ({}, "18", "17.9999999", True),
        ({}, "18", "17.99", False),
        ({"tolerance": 0}, "18", "17.9999999", False),
        ({"tolerance": 0.5}, "18", "18.5", True),  # the bound is inside
        ({"tolerance": 0.5}, "18", "18.51", False),
        ({"tolerance": 0}, "1/3", "1/3", True),
        ({"tolerance": 0}, "100000000000000000001", "100000000000000000000", False),  # beyond a float
        ({}, "50", "50%", True),
        ({}, "0.5", "50%", False),
    ],
)
def test_number_compares_values_not_spellings(options, target, text, right):
    assert value({"name": "number", **options}, text_item(target), text) == float(right)


def test_number_accepts_any_of_several_targets():
    assert value("number", text_item("17", "18"), "18") == 1.0


def test_choice_judges_by_the_item_s_own_labels():
    assert value("choice", choice_item(1), "B") == 1.0
    assert value({"name": "choice", "labels": "numbers"}, choice_item(1), "2") == 1.0
    five = ("a", "b", "c", "d", "e")
    assert value("choice", choice_item(4, five), "The answer is E") == 1.0


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"((?:a|aa)+)$", "a" * 200 + "b"),
        (r"((?:\w+\s?)*)!$", "word " * 4000),
        (r"(a*a*a*a*a*a*)c", "a" * 20_000),
    ],
    ids=["nested", "nested words", "polynomial"],
)
def test_a_pattern_without_end_is_ended_and_the_next_one_is_searched(pattern, text):
    scorer = build_scorer({"name": "regex", "pattern": pattern})
    score = judge(scorer, text_item("x"), said(text))
    assert (score.outcome, score.value) == (Outcome.SCORER_ERROR, None)
    assert "processor time" in score.reason
    assert value({"name": "regex", "pattern": "is (x)"}, text_item("x"), "it is x") == 1.0
