"""The scorer: its values, what it keeps, and what it refuses."""

import sys

import orjson
import pytest

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Item, Outcome
from bakeoff.score import build_scorer, judge
from bakeoff.score.instructions.scorer import pooled
from tests.score.instructions.making import item_with
from tests.score.making import said

COMMA = "punctuation:no_comma"
TITLE = "detectable_format:title"
WORDS = "length_constraints:number_words"
THREE = item_with((COMMA, {}), (TITLE, {}), (WORDS, {"num_words": 3, "relation": "less than"}))


@pytest.mark.parametrize(
    ("text", "strict", "loose", "share"),
    [
        ("<<tea>> milk", 1, 1, 1),
        ("Sure, here:\n<<tea>> milk", 0, 1, 1 / 3),
        ("<<tea>>, milk", 0, 0, 2 / 3),
        ("tea, milk, rum", 0, 0, 0),
    ],
)
def test_the_value_counts_prompts_or_instructions(text, strict, loose, share):
    value = {
        (mode, level): judge(
            build_scorer({"name": "ifeval", "mode": mode, "level": level}), THREE, said(text)
        ).value
        for mode in ("strict", "loose")
        for level in ("prompt", "instruction")
    }
    assert value["strict", "prompt"] == strict
    assert value["loose", "prompt"] == loose
    assert value["strict", "instruction"] == pytest.approx(share)
    assert value["loose", "instruction"] >= value["strict", "instruction"]


def test_every_verdict_is_kept_and_what_failed_is_named():
    score = judge(build_scorer("ifeval"), THREE, said("Sure: <<tea>>\nmilk, rum"))
    assert orjson.loads(score.extracted) == {COMMA: "loose", TITLE: "strict", WORDS: "loose"}
    assert score.reason == f"1 of 3 followed (strict); not: {COMMA}, {WORDS}"
    loose = judge(build_scorer({"name": "ifeval", "mode": "loose"}), THREE, said("Sure: <<tea>>\nmilk, rum"))
    assert loose.extracted == score.extracted
    assert loose.reason == "3 of 3 followed (loose)"


def test_the_loose_rule_forgives_asterisks_and_the_first_and_last_lines_and_nothing_more():
    item = item_with(("startend:quotation", {}))
    scorer = build_scorer({"name": "ifeval", "mode": "loose"})
    for text in ('*"a"*', 'Sure:\n"a"', '"a"\nBye', 'Sure:\n**"a"**\nBye'):
        assert judge(scorer, item, said(text)).value == 1, text
    for text in ('Sure:\nHere:\n"a"', '_"a"_', "Sure\nBye"):
        assert judge(scorer, item, said(text)).value == 0, text


def test_one_instruction_given_twice_has_two_verdicts():
    words = [(WORDS, {"num_words": count, "relation": "at least"}) for count in (1, 9)]
    score = judge(build_scorer("ifeval"), item_with(*words), said("one two"))
    assert orjson.loads(score.extracted) == {WORDS: "strict", f"{WORDS} (2)": "no"}


def test_instruction_level_accuracy_pools_over_prompts():
    kept = ['{"a":"strict"}', '{"a":"loose","b":"no","c":"strict"}']
    assert pooled(kept) == pytest.approx(2 / 4)
    assert pooled(kept, "loose") == pytest.approx(3 / 4)
    with pytest.raises(ValueError, match="at least one"):
        pooled([])


def test_white_space_around_an_answer_is_no_part_of_it():
    item = item_with(("format:no_whitespace", {}))
    assert judge(build_scorer("ifeval"), item, said("<think>so I think</think>\n\ntea\n")).value == 1


def test_a_text_that_was_cut_is_truncated_and_says_how_far_it_went():
    score = judge(build_scorer("ifeval"), THREE, said("<<tea>> milk", FinishReason.LENGTH))
    assert (score.outcome, score.value) == (Outcome.TRUNCATED, 0)
    assert "3 of 3 followed" in score.reason
    assert orjson.loads(score.extracted)[TITLE] == "strict"


def test_a_refusal_in_words_is_judged_by_the_instructions():
    refusal = said("i cannot help with that.")
    lower = judge(build_scorer("ifeval"), item_with(("change_case:english_lowercase", {})), refusal)
    upper = judge(build_scorer("ifeval"), item_with(("change_case:english_capital", {})), refusal)
    assert [(one.outcome, one.value) for one in (lower, upper)] == [(Outcome.SCORED, 1), (Outcome.SCORED, 0)]


def test_ten_megabytes_are_no_answer():
    score = judge(build_scorer("ifeval"), THREE, said("<<tea>> milk" * 900_000))
    assert (score.outcome, score.value) == (Outcome.NO_ANSWER, 0)


def test_the_columns_of_the_published_files_do_as_well():
    columns = {
        "instruction_id_list": [COMMA, WORDS],
        # As on the hub: every argument of every instruction, most of them null, and numbers as floats.
        "kwargs": [{"num_words": None}, {"num_words": 3.0, "relation": "less than", "letter": None}],
    }
    assert judge(build_scorer("ifeval"), Item("hub", "", metadata=columns), said("tea milk")).value == 1


@pytest.mark.parametrize(
    ("metadata", "named"),
    [
        ({}, "metadata.instructions"),
        ({"instructions": []}, "metadata.instructions"),
        ({"instructions": "punctuation:no_comma"}, "metadata.instructions"),
        ({"instructions": [COMMA]}, "metadata.instructions"),
        ({"instruction_id_list": [COMMA]}, "kwargs"),
        ({"instruction_id_list": [COMMA], "kwargs": []}, "kwargs"),
        ({"instructions": [{"instruction_id": "punctuation:no_coma"}]}, "no_coma"),
        ({"instructions": [{"kwargs": {}}]}, "None"),
        ({"instructions": [{"instruction_id": COMMA, "kwargs": [1]}]}, "mapping"),
        ({"instructions": [{"instruction_id": COMMA, "kwargs": {"n": 1}}]}, "`n`"),
        ({"instructions": [{"instruction_id": WORDS, "kwargs": {"num_words": 3}}]}, "relation"),
    ],
)
def test_instructions_that_cannot_be_read_are_the_tasks_mistake(metadata, named):
    with pytest.raises(TaskError) as error:
        judge(build_scorer("ifeval"), Item("broken", "", metadata=metadata), said("tea"))
    assert "item broken" in error.value.message
    assert named in error.value.message


# Where the published checkers would draw a value at random.
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        (WORDS, {"num_words": -1, "relation": "at least"}),
        (WORDS, {"num_words": 2.5, "relation": "at least"}),
        (WORDS, {"num_words": True, "relation": "at least"}),
        (WORDS, {"num_words": "3", "relation": "at least"}),
        (WORDS, {"num_words": 3, "relation": "at most"}),
        (WORDS, {"num_words": None, "relation": "at least"}),
        (WORDS, {"num_words": float("nan"), "relation": "at least"}),
        (WORDS, {"num_words": float("inf"), "relation": "at least"}),
        ("keywords:existence", {"keywords": []}),
        ("keywords:existence", {"keywords": "tea"}),
        ("keywords:existence", {"keywords": ["tea", 3]}),
        ("keywords:letter_frequency", {"letter": "ab", "let_frequency": 1, "let_relation": "at least"}),
        ("language:response_language", {"language": "english"}),
        ("startend:end_checker", {"end_phrase": " "}),
        (
            "length_constraints:nth_paragraph_first_word",
            {"num_paragraphs": 2, "nth_paragraph": 3, "first_word": "tea"},
        ),
        ("count:words_japanese", {"N": 0}),
    ],
)
def test_arguments_that_mean_nothing_are_the_tasks_mistake(name, arguments):
    with pytest.raises(TaskError, match="item made"):
        judge(build_scorer("ifeval"), item_with((name, arguments)), said("tea"))


def test_nothing_asked_for_is_nothing_and_not_a_random_number():
    none = item_with((WORDS, {"num_words": 0, "relation": "at least"}))
    assert judge(build_scorer("ifeval"), none, said("tea")).value == 1


@pytest.mark.parametrize(
    ("module", "name", "arguments"),
    [
        ("punkt", "sentence:increment", {"small_n": 1}),
        ("py3langid", "language:response_language", {"language": "de"}),
        ("syllapy", "words:odd_even_syllables", {}),
        ("emoji", "format:emoji", {}),
        ("lemminflect", "words:start_verb", {}),
    ],
)
def test_a_package_that_is_not_installed_is_named_with_what_to_install(monkeypatch, module, name, arguments):
    from bakeoff.score.instructions import language, sentences

    language._labels.cache_clear()
    sentences.sentences.cache_clear()
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(TaskError) as error:
        judge(build_scorer("ifeval"), item_with((name, arguments)), said("Go. Go now."))
    assert "item made" in error.value.message
    assert "bakeoff[score]" in error.value.hint
