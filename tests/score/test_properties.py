"""What holds for any text."""

import string
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.nouns import Failure, FailureKind, FinishReason, Outcome, Response
from bakeoff.score import build_scorer, judge
from bakeoff.score.extract.characters import plain
from bakeoff.score.extract.extraction import Extraction, Nothing
from bakeoff.score.extract.letter import extract_label
from bakeoff.score.extract.markup import blank_markup
from bakeoff.score.extract.number import extract_number, read_number
from bakeoff.score.extract.reasoning import part_reasoning
from tests.score.making import CAPITALS, choice_item, text_item

# The first example compiles the patterns, and the machine may be busy.
unhurried = settings(max_examples=80, deadline=None)

# Any text, and texts dense in what the extractors look for.
PIECES = st.sampled_from(
    [
        *(
            "A",
            "B",
            "C",
            "I",
            "a",
            "18",
            "1,234",
            "-5",
            "3/4",
            "\\frac",
            "{",
            "}",
            "(",
            ")",
            "[",
            "]",
            "\\boxed{",
        ),
        *(
            "The answer is",
            "Antwort:",
            "答案是",
            "答えは",
            "####",
            "=",
            "**",
            "*",
            "$",
            "`",
            "\\text{",
            "<answer>",
        ),
        *(
            "</answer>",
            "<think>",
            "</think>",
            "<|channel|>",
            "final",
            "analysis",
            "or",
            "and",
            "not",
            "correct",
        ),
        *(
            "\n",
            " ",
            ".",
            ",",
            ":",
            "'",
            "%",
            "×10^",
            "½",
            "²",
            "Ｂ",
            "В",
            "\u00a0",
            "I cannot help",
            "London",
        ),
    ]
)
TEXTS = st.text(max_size=200) | st.lists(PIECES, max_size=40).map("".join) | st.lists(PIECES).map(" ".join)
SCORERS = [
    ("choice", choice_item()),
    ({"name": "choice", "take": "first"}, choice_item()),
    ({"name": "choice", "labels": "numbers"}, choice_item()),
    ("number", text_item("18")),
    ("exact", text_item("18")),
    ("contains", text_item("18")),
    ({"name": "regex", "pattern": "is (.+)"}, text_item("18")),
]


@unhurried
@pytest.mark.parametrize(("spec", "item"), SCORERS)
@given(
    text=TEXTS,
    finish=st.sampled_from(FinishReason),
    reasoning=st.sampled_from(["", "hm"]),
    refusal=st.sampled_from(["", "no"]),
    failure=st.none() | st.sampled_from(FailureKind).map(lambda kind: Failure(kind, "broken")),
)
def test_any_response_has_one_outcome_and_a_value_exactly_where_it_is_scored(
    spec, item, text, finish, reasoning, refusal, failure
):
    response = Response(text=text, finish=finish, reasoning=reasoning, refusal=refusal, failure=failure)
    score = judge(build_scorer(spec), item, response)
    assert score.outcome is not Outcome.SCORER_ERROR, score.reason
    assert (score.value is None) == score.outcome.unscored
    assert score.value is None or 0 <= score.value <= 1
    if failure is not None:
        assert score.value is None
    if score.outcome not in (Outcome.SCORED, Outcome.REFUSED) and score.value is not None:
        assert score.value == 0


@unhurried
@given(TEXTS)
def test_an_extraction_lies_where_it_says(text):
    for found in (extract_label(text, CAPITALS), getattr(extract_number(text), "extraction", None)):
        if isinstance(found, Extraction):
            assert 0 <= found.start <= found.end <= len(text)
    number = extract_number(text)
    if not isinstance(number, Nothing):
        assert number.extraction.text in text


@unhurried
@given(TEXTS)
def test_offsets_survive_what_is_done_to_a_text_before_it_is_searched(text):
    assert len(plain(text)) == len(text)
    assert len(blank_markup(text)) == len(text)


@unhurried
@given(TEXTS)
def test_what_follows_a_thought_does_not_depend_on_it(thought):
    closed = "<think>" + thought.replace("think", "") + "</think>"
    assert part_reasoning(closed + "18").answer.endswith("18")


WRAPPINGS = [
    "{}",
    " {} ",
    "\n{}\n",
    "**{}**",
    "*{}*",
    "`{}`",
    "${}$",
    "\\boxed{{{}}}",
    "\\text{{{}}}",
    "({})",
]
WRAPPINGS += [
    "$\\boxed{{\\text{{{}}}}}$",
    "\\({}\\)",
    "“{}”",
    "<b>{}</b>",
    "<answer>{}</answer>",
    "**({})**.",
]
SENTENCES = [
    "{}",
    "The answer is {}",
    "Answer: {}",
    "Antwort: {}",
    "Réponse : {}",
    "La respuesta es {}",
    "答案是{}",
    "答えは{}",
]


@unhurried
@given(st.sampled_from("ABCD"), st.sampled_from(WRAPPINGS), st.sampled_from(SENTENCES))
def test_markup_and_whitespace_around_a_label_change_nothing(label, wrapping, sentence):
    found = extract_label(sentence.format(wrapping.format(label)), CAPITALS)
    assert (found.text, found.strength) == (label, "explicit")


@unhurried
@given(
    st.decimals(-(10**9), 10**9, allow_nan=False, places=2),
    st.sampled_from([w for w in WRAPPINGS if "text" not in w]),
    st.sampled_from(SENTENCES),
)
def test_markup_and_whitespace_around_a_number_change_nothing(number, wrapping, sentence):
    found = extract_number(sentence.format(wrapping.format(number)))
    assert found.value == Fraction(number)
    assert found.extraction.strength == "explicit"


@unhurried
@given(st.integers(-(10**15), 10**15))
def test_every_way_of_writing_a_whole_number_reads_the_same(number):
    grouped = f"{number:,}"
    writings = [
        str(number),
        grouped,
        f"{number}.",
        f"{number}.00",
        f"${number}",
        f"{number} apples",
        f"+{abs(number)}",
    ]
    writings += [grouped.replace(",", mark) for mark in (" ", "\u00a0", "\u202f", "'", "’", "{,}", "\\,")]
    writings += [
        str(number).translate(str.maketrans(string.digits, digits))
        for digits in ("０１２３４５６７８９", "٠١٢٣٤٥٦٧٨٩", "०१२३४५६७८९")
    ]
    writings += [str(number).replace("-", "−"), f"{number}/1", f"{number}e0"]
    if abs(number) >= 10**6:
        writings.append(grouped.replace(",", "."))
    for writing in writings:
        expected = abs(number) if writing.startswith("+") else number
        assert read_number(writing) == expected, writing


@unhurried
@given(st.decimals(-(10**9), 10**9, allow_nan=False, places=2))
def test_english_and_european_marks_read_the_same(number):
    english = f"{number:,}"
    european = english.translate(str.maketrans(",.", ".,"))
    swiss = english.replace(",", "'")
    french = english.replace(",", "\u202f").replace(".", ",")
    for writing in (english, european, swiss, french):
        assert read_number(writing) == Fraction(number), writing


@unhurried
@given(st.fractions(max_denominator=999))
def test_fractions_read_exactly_in_text_and_in_latex(value):
    sign, top, bottom = "-" if value < 0 else "", abs(value.numerator), value.denominator
    assert read_number(f"{sign}{top}/{bottom}") == value
    assert read_number(f"{sign}\\frac{{{top}}}{{{bottom}}}") == value


@unhurried
@given(st.permutations(range(4)), st.integers(0, 3), st.sampled_from(SENTENCES))
def test_permuting_the_choices_permutes_the_answer(order, picked, sentence):
    shuffled = [CAPITALS[index] for index in order]
    by_text = extract_label(sentence.format(CAPITALS[picked]), shuffled)
    assert by_text.text == "ABCD"[order.index(picked)]
    item = choice_item(order.index(1), tuple(shuffled))
    assert judge(build_scorer("choice"), item, Response(text="ABCD"[order.index(1)])).value == 1.0


@pytest.mark.parametrize(
    "bomb",
    [
        "9" * 70_000,
        "The answer is " + "9" * 70_000,
        "1," * 35_000,
        "1 " * 35_000,
        "1/" * 35_000,
        "-" * 70_000,
        "(" * 70_000,
        "{" * 70_000,
        "\\boxed{" * 10_000,
        "<answer>" * 9_000,
        "*" * 70_000,
        " " * 70_000,
        "\n" * 70_000,
        "A " * 35_000,
        "(A) " * 18_000,
        "A\n" * 35_000,
        "answer " * 10_000,
        "The answer is " * 5_000,
        "Answer:" * 10_000,
        "答案" * 35_000,
        "\\frac{" * 10_000,
        "\\text{" * 10_000,
        "####" * 17_000,
        "= " * 35_000,
        "1=" * 35_000,
        "The answer is 1" + " + 1" * 20_000 + " = 5",
        "<think>" * 10_000,
        "</think>" * 10_000,
        "<think></think>" * 5_000,
        "<|channel|>analysis" * 4_000,
        "analysis" + "x" * 70_000,
        "I'm sorry " * 7_000,
        "9^{9^{9}}",
        "1e" + "9" * 70_000,
        "½" * 70_000,
        "\u00a0" * 70_000,
        "𝟗" * 70_000,
    ],
    ids=lambda bomb: repr(bomb[:14]),
)
def test_seventy_thousand_hostile_characters_are_read_like_any_others(bomb):
    for spec, item in SCORERS:
        score = judge(build_scorer(spec), item, Response(text=bomb))
        assert score.outcome is not Outcome.SCORER_ERROR, score.reason
        assert score.extracted is None or len(score.extracted) <= 200
