"""Answers made to break the scorers of text and structure: each ends in an outcome, and soon.

Soon needs no clock: what takes quadratic time on these would take hours.
"""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.nouns import FinishReason, Item, Outcome, Response
from bakeoff.score import build_scorer, judge
from bakeoff.score.scorer import Scorer
from tests.score.making import said

LONG = 400_000
FUNCTIONS = [{"name": "f", "parameters": {"properties": {"a": {"type": "integer"}}}}]
SCHEMA = {"uniqueItems": True, "items": {"pattern": "^(a+)+$"}, "additionalProperties": {"$ref": "#"}}

SCORERS: dict[str, tuple[Any, Item]] = {
    "token_f1": ("token_f1", Item("i", "", target=("the cat",))),
    "drop": ("drop", Item("i", "", metadata={"answer": {"spans": ["a cat", "1.5"]}})),
    "tatqa": ("tatqa", Item("i", "", target=("5.2",), metadata={"scale": "million"})),
    "rouge": ({"name": "rouge", "variant": "rougeLsum"}, Item("i", "", target=("the cat sat",))),
    "bleu": ("bleu", Item("i", "", target=("the cat sat on",))),
    "chrf": ({"name": "chrf", "word_order": 2}, Item("i", "", target=("the cat",))),
    "fuzzy": ({"name": "fuzzy", "measure": "partial"}, Item("i", "", target=("the cat",))),
    "json_value": ({"name": "json_value", "mend": True}, Item("i", "", target=('{"a": 1}', "[1]"))),
    "json_schema": ({"name": "json_schema", "formats": True}, Item("i", "", metadata={"schema": SCHEMA})),
    "grid": ("grid", Item("i", "", target=("[[1, 2], [3, 4]]",))),
    "function_call": (
        "function_call",
        Item("i", "", target=('[{"f": {"a": [1]}}, {"f": {"a": [2]}}]',), metadata={"functions": FUNCTIONS}),
    ),
    "no call": ("function_call", Item("i", "", target=("no call",))),
}
REPEATED = [
    *(
        "[",
        "{",
        '{"',
        '"',
        "[1,",
        '{"a":',
        '{"a":[',
        "`",
        "```json\n",
        "~~~\n",
        '{"\\"',
        "[-",
        "{ ",
        "[1]\n",
        "[[1],",
    ),
    *(
        "1 ",
        "1\n",
        "1|",
        "12\n",
        "attempt_1{",
        '{"attempt_1":',
        " ",
        "\n",
        "a ",
        "a-",
        "1-",
        "- ",
        "!",
        "1,",
        "1.",
    ),
    *(
        "f(a=1),",
        "f(",
        "f(a=",
        "f.",
        "-",
        "9**",
        "lambda:",
        "<tool_call>",
        "<function=f>",
        "{}",
        "/*",
        "//",
        ", ",
        "and ",
    ),
    *(
        "The answer is ",
        "answer: ",
        "\\boxed{",
        "\\boxed{1} ",
        "<answer>",
        "#### ",
        "\ud800",
        "é",
        "0x",
        "'",
        "\\",
        "\x00",
    ),
]
PATTERNS = [
    *(piece * LONG for piece in REPEATED),
    *(f"{start}{' ' * LONG}{end}" for start in ("", "```", "1", ",", "[", "{") for end in ("x", "")),
    "```" + "a" * LONG,
    "[" * 150 + "1" + "]" * 150,
    '{"a":' * 150 + "1" + "}" * 150,
    "[" + "1," * LONG + "1]",
    "[" + '"' + "a" * LONG + '!"]',
    "9^{9^{9}}",
    "f(a=9**9**9**9**9)",
    "f(a=0x" + "f" * 20_000 + "), f(a=2)",
    "[" + "9" * 20_000 + "]",
    '{"a": 1e99999}',
    '["\\ud800", "\\udfff\\ud800"]',
    "f(a='\\ud800'), f(a=2)",
]


def scorer_and_item(name: str) -> tuple[Scorer, Item]:
    spec, item = SCORERS[name]
    return build_scorer(spec), item


@pytest.mark.parametrize("name", SCORERS)
def test_long_and_deep_texts_end_in_an_outcome(name):
    scorer, item = scorer_and_item(name)
    for text in PATTERNS:
        score = scorer(item, said(text))
        assert score.outcome in (Outcome.SCORED, Outcome.NO_ANSWER), text[:20]
        assert 0 <= score.value <= 1


PIECES = st.sampled_from(
    [
        *(
            "[",
            "]",
            "{",
            "}",
            "(",
            ")",
            '"',
            "'",
            ",",
            ":",
            "=",
            "\\",
            "\n",
            " ",
            "`",
            "```json\n",
            "```",
            "~~~",
        ),
        *(
            "1",
            "-5",
            "1.5",
            "1,234",
            "1e9",
            "0x1F",
            "NaN",
            "true",
            "True",
            "null",
            "a",
            "the",
            "cat",
            "é",
            "漢字",
        ),
        *(
            "f",
            "f(a=1)",
            "f(a=2)",
            "lambda",
            "**",
            "<tool_call>",
            "</tool_call>",
            '{"name": "f", "arguments": ',
        ),
        *(
            '{"a": 1}',
            "[[1, 2], [3, 4]]",
            '"attempt_1"',
            "1 2",
            "|",
            "//",
            "/*",
            "The answer is ",
            "\\boxed{",
            "\ud800",
            "\x00",
        ),
    ]
)


@pytest.mark.parametrize("name", SCORERS)
@settings(max_examples=60)
@given(
    text=st.lists(PIECES, max_size=24).map("".join) | st.text(max_size=60),
    finish=st.sampled_from([FinishReason.STOP, FinishReason.LENGTH]),
)
def test_any_text_ends_in_an_outcome_that_is_not_our_failure(name, text, finish):
    scorer, item = scorer_and_item(name)
    alone = scorer(item, Response(text=text, finish=finish))
    judged = judge(scorer, item, Response(text=text, finish=finish))
    for score in (alone, judged):
        assert score.outcome is not Outcome.SCORER_ERROR, score.reason
        assert score.value is not None
        assert 0 <= score.value <= 1
        assert score.extracted is None or len(score.extracted) <= 200
        assert score.scorer == scorer.id
