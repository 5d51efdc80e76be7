"""Measures of overlap: worked examples from their papers, and the properties that define them."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Outcome
from bakeoff.score import build_scorer, judge
from tests.score.making import said, text_item

MEASURES: list[dict[str, Any]] = [
    {"name": "token_f1"},
    {"name": "rouge", "variant": "rouge1"},
    {"name": "rouge", "variant": "rouge2"},
    {"name": "rouge", "variant": "rougeL"},
    {"name": "rouge", "variant": "rougeLsum", "stemmer": True},
    {"name": "bleu"},
    {"name": "bleu", "tokens": "char"},
    {"name": "chrf"},
    {"name": "chrf", "word_order": 2},
    *(
        {"name": "fuzzy", "measure": measure}
        for measure in ("levenshtein", "indel", "jaro_winkler", "partial", "token_sort", "token_set")
    ),
]
WORDS = st.lists(
    st.sampled_from(["red", "green", "blue", "one", "two", "three", "kites", "cats", "rain", "fell"]),
    min_size=2,
    max_size=9,
)


def value(spec: dict[str, Any], text: str, *references: str) -> float:
    judged = judge(build_scorer(spec), text_item(*references), said(text))
    assert judged.value is not None
    return judged.value


@pytest.mark.parametrize("spec", MEASURES, ids=str)
@given(words=WORDS)
def test_a_text_equals_itself(spec, words):
    text = " ".join(words)
    assert value(spec, text, text) == pytest.approx(1)
    assert value(spec, text, "zzz qqq", text) == pytest.approx(1)  # the best reference, or all together


@pytest.mark.parametrize("spec", MEASURES, ids=str)
@given(words=WORDS, others=WORDS)
def test_a_value_lies_between_0_and_1_and_one_more_reference_never_lowers_a_best(spec, words, others):
    text, other = " ".join(words), " ".join(others)
    alone = value(spec, text, other)
    assert 0 <= alone <= 1
    if spec["name"] != "bleu":
        assert value(spec, text, other, "unrelated") >= alone - 1e-12


@pytest.mark.parametrize("spec", [each for each in MEASURES if each["name"] != "fuzzy"], ids=str)
def test_texts_that_share_nothing_have_no_overlap(spec):
    assert value(spec, "kkk www", "zzz qqq") == pytest.approx(0, abs=0.2 if spec["name"] == "bleu" else 1e-12)


# Lin 2004, section 3: "police killed the gunman" against two sentences with the same word pairs.
@pytest.mark.parametrize(
    ("variant", "text", "expected"),
    [
        ("rougeL", "police kill the gunman", 3 / 4),
        ("rougeL", "the gunman kill police", 2 / 4),
        ("rouge2", "police kill the gunman", 1 / 3),
        ("rouge2", "the gunman kill police", 1 / 3),
        ("rouge1", "police kill the gunman", 3 / 4),
    ],
)
def test_rouge_gives_the_examples_of_its_paper(variant, text, expected):
    for measure in ("f1", "precision", "recall"):
        spec = {"name": "rouge", "variant": variant, "measure": measure}
        assert value(spec, text, "police killed the gunman") == pytest.approx(expected)


def test_rouge_with_a_stemmer_takes_kill_for_killed():
    spec = {"name": "rouge", "variant": "rouge1", "stemmer": True}
    assert value(spec, "police kill the gunman", "police killed the gunmen") == pytest.approx(3 / 4)


def test_rouge_precision_and_recall_are_of_the_answer_and_of_the_reference():
    precision, recall = (
        {"name": "rouge", "variant": "rouge1", "measure": each} for each in ("precision", "recall")
    )
    assert value(precision, "a b", "a b c d") == 1
    assert value(recall, "a b", "a b c d") == 0.5


def test_bleu_clips_counts_as_in_its_paper():
    """Papineni et al. 2002, section 2.1: the modified unigram precision of seven times "the" is 2/7."""
    references = ("The cat is on the mat", "There is a cat on the mat")
    spec = {"name": "bleu", "ignore_case": True}
    judged = judge(build_scorer(spec), text_item(*references), said("the the the the the the the"))
    assert "matches 2/0/0/0 of 7/6/5/4" in judged.reason


def test_corpus_bleu_can_be_summed_from_the_reasons():
    import sacrebleu

    answers = [
        "the cat sat on the mat today",
        "a dog ran far away from here",
        "it rained all day in the town",
    ]
    references = [
        "the cat sat on a mat today",
        "the dog ran away from here fast",
        "it rained all day in town",
    ]
    matches, totals, said_length, reference_length = [0] * 4, [0] * 4, 0, 0
    for answer, reference in zip(answers, references, strict=True):
        reason = judge(build_scorer("bleu"), text_item(reference), said(answer)).reason
        found = re.fullmatch(r"matches ([\d/]+) of ([\d/]+), length (\d+) to (\d+)", reason)
        matches = [a + int(b) for a, b in zip(matches, found[1].split("/"), strict=True)]
        totals = [a + int(b) for a, b in zip(totals, found[2].split("/"), strict=True)]
        said_length, reference_length = said_length + int(found[3]), reference_length + int(found[4])
    summed = sacrebleu.BLEU.compute_bleu(matches, totals, said_length, reference_length)
    assert summed.score == pytest.approx(sacrebleu.corpus_bleu(answers, [references]).score)


def test_chrf_is_the_f2_of_mean_character_precision_and_recall():
    # abc against abd: 2 of 3 characters, 1 of 2 pairs, 0 of 1 triples, either way.
    assert value({"name": "chrf"}, "abc", "abd") == pytest.approx((2 / 3 + 1 / 2) / 3)
    # Recall counts twice: ab against abcd has precision 1 for the orders it has.
    precision, recall = (1 + 1) / 2, (2 / 4 + 1 / 3) / 2
    assert value({"name": "chrf"}, "ab", "abcd") == pytest.approx(
        5 * precision * recall / (4 * precision + recall)
    )


@pytest.mark.parametrize(
    ("measure", "text", "reference", "expected"),
    [
        ("levenshtein", "kitten", "sitting", 1 - 3 / 7),
        ("indel", "kitten", "sitting", 2 * 4 / 13),  # ittn is common
        ("jaro_winkler", "MARTHA", "MARHTA", 0.9611),  # Winkler 1990
        ("jaro_winkler", "DIXON", "DICKSONX", 0.8133),
        ("partial", "cat", "a cat sat", 1),
        ("token_sort", "sat cat a", "a cat sat", 1),
        ("token_set", "a cat sat sat", "a cat sat", 1),
    ],
)
def test_fuzzy_similarities_are_the_textbooks(measure, text, reference, expected):
    spec = {"name": "fuzzy", "measure": measure, "ignore_case": False}
    assert value(spec, text, reference) == pytest.approx(expected, abs=1e-4)


def test_a_threshold_makes_fuzzy_right_or_wrong():
    assert value({"name": "fuzzy", "threshold": 0.57}, "kitten", "sitting") == 1
    assert value({"name": "fuzzy", "threshold": 0.58}, "kitten", "sitting") == 0
    assert value({"name": "fuzzy", "threshold": 0.9}, "KITTEN", "kitten") == 1


@pytest.mark.parametrize(
    ("spec", "option"),
    [({"name": "fuzzy", "threshold": 1.5}, "threshold"), ({"name": "chrf", "word_order": 9}, "word_order")],
)
def test_an_option_out_of_range_is_the_tasks_mistake(spec, option):
    with pytest.raises(TaskError, match=option):
        build_scorer(spec)


# Worked by hand with the normalisation of Rajpurkar et al. 2016.
@pytest.mark.parametrize(
    ("text", "references", "f1", "exact"),
    [
        ("The Cat!", ["cat"], 1, 1),
        ("a cat sat", ["the cat"], 2 / 3, 0),
        ("cat cat sat", ["cat cat"], 4 / 5, 0),  # with multiplicity
        ("dog", ["cat"], 0, 0),
        ("dog", ["cat", "a dog."], 1, 1),
        ("The answer is: the Eiffel Tower.", ["Eiffel Tower"], 1, 1),
        ("It is in Paris.\nAnswer: **Eiffel Tower**\n", ["Eiffel Tower"], 1, 1),
        ("<answer>Eiffel Tower</answer>", ["eiffel tower"], 1, 1),
        # Announcements begin their sentence; these words are part of the answer.
        ("As a result, it is closed", ["as a result it is closed"], 1, 1),
        ("As a result of rain all is wet", ["as a result of rain all is wet"], 1, 1),
        ("they think that the solution is near", ["they think that the solution is near"], 1, 1),
        ("U.S.", ["US"], 1, 1),
        ("theatre", ["atre"], 0, 0),  # "the" only as a word
        ("the", ["an"], 1, 1),  # nothing is left of either
        ("the", ["cat"], 0, 0),
    ],
)
def test_token_f1_and_exact_match(text, references, f1, exact):
    assert value({"name": "token_f1"}, text, *references) == pytest.approx(f1)
    assert value({"name": "token_f1", "measure": "exact"}, text, *references) == exact


def test_token_f1_of_the_whole_text_is_the_original_scripts():
    assert value({"name": "token_f1", "announced": False}, "The answer is Paris.", "Paris") == pytest.approx(
        0.5
    )


@pytest.mark.parametrize(
    ("text", "closed", "expected"), [("yes", True, 1), ("yes it is", True, 0), ("yes it is", False, 0.5)]
)
def test_hotpotqa_gives_nothing_for_yes_within_a_longer_text(text, closed, expected):
    assert value({"name": "token_f1", "closed": closed}, text, "yes") == pytest.approx(expected)


@given(WORDS, WORDS)
def test_token_f1_is_symmetric_and_1_only_for_the_same_words(one, other):
    left, right = " ".join(one), " ".join(other)
    assert value({"name": "token_f1"}, left, right) == value({"name": "token_f1"}, right, left)
    assert (value({"name": "token_f1"}, left, right) == 1) == (sorted(one) == sorted(other))


@pytest.mark.parametrize("spec", MEASURES, ids=str)
def test_a_cut_text_is_truncated_and_a_huge_one_is_not_compared(spec):
    cut = judge(build_scorer(spec), text_item("a b"), said("a b", FinishReason.LENGTH))
    huge = judge(build_scorer(spec), text_item("a b"), said("a b " * 20_000))
    assert cut.outcome is Outcome.TRUNCATED
    assert huge.outcome is Outcome.NO_ANSWER


@pytest.mark.parametrize("spec", MEASURES, ids=str)
def test_an_item_without_a_text_is_the_tasks_mistake(spec):
    with pytest.raises(TaskError, match="item free"):
        judge(build_scorer(spec), text_item(), said("a"))


def test_a_missing_package_says_what_to_install(monkeypatch):
    import sys

    from bakeoff.score import rouge

    rouge._package.cache_clear()
    monkeypatch.setitem(sys.modules, "rouge_score.rouge_scorer", None)
    with pytest.raises(TaskError) as error:
        judge(build_scorer("rouge"), text_item("a b"), said("a b"))
    assert "bakeoff[score]" in error.value.hint
    rouge._package.cache_clear()
