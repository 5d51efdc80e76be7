"""Every registered scorer against texts that nobody would write: it never raises, ends, and is deterministic.

A new scorer needs a row in `ITEMS` where an ordinary item with one target is not enough.
"""

import faulthandler
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bakeoff.nouns import FinishReason, Item, OptionScore, Outcome, Response, Score
from bakeoff.score import build_scorer, judge, scorer_names
from tests.score.making import choice_item, text_item

NEVER_S = 300
"""Seconds after which a test here is taken to hang: the traceback is shown and the run ends."""

OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "code": {"timeout_s": 1},
    "math": {"time_limit": 0.2},
    "regex": {"pattern": "is (.+)"},
    "verdict": {
        "rubric": {
            "kind": "grades",
            "criteria": [{"name": "a", "question": "Is it?", "levels": ["no", "yes"]}],
        }
    },
}
WITHOUT_VALUE = ("pending", "verdict")
"""What they cannot read, or do not, is a `scorer_error` whatever the text."""
ITEMS: Mapping[str, Item] = {
    "choice": choice_item(),
    "closer_reference": Item(
        "bats", "", metadata={"correct_answers": ["Bats see well"], "incorrect_answers": ["Bats are blind"]}
    ),
    "code": Item(
        "double",
        "",
        metadata={
            "entry_point": "double",
            "calls": [{"args": [2], "expected": 4}],
            "prompt": "def double(x):\n",
        },
    ),
    "fields": text_item('{"a": 1, "London": "18", "l": [1, {"x": null}]}'),
    "function_call": Item(
        "area",
        "",
        target=('[{"area": {"base": [10], "unit": ["", "m"]}}]',),
        metadata={
            "functions": [
                {
                    "name": "area",
                    "description": "",
                    "parameters": {
                        "type": "dict",
                        "properties": {"base": {"type": "integer"}, "unit": {"type": "string"}},
                        "required": ["base"],
                    },
                }
            ]
        },
    ),
    "grid": text_item("[[1, 2], [3, 4]]"),
    "label_confidence": Item("place", "", target=("garden",), metadata={"labels": ["garden", "hall 2"]}),
    "labels": Item("place", "", target=("garden",), metadata={"labels": ["garden", "hall"], "question": "?"}),
    "refusal": text_item("refuse"),
    "ifeval": Item(
        "follow",
        "",
        metadata={
            "instructions": [
                {"instruction_id": "punctuation:no_comma", "kwargs": {}},
                {
                    "instruction_id": "length_constraints:number_sentences",
                    "kwargs": {"relation": "at least", "num_sentences": 2},
                },
                {
                    "instruction_id": "keywords:frequency",
                    "kwargs": {"keyword": "a", "frequency": 2, "relation": "at least"},
                },
                {"instruction_id": "detectable_format:json_format", "kwargs": {}},
            ]
        },
    ),
    "json_schema": Item(
        "schema",
        "",
        metadata={"schema": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}},
    ),
    "json_value": text_item('{"a": [1, 2.5, null]}'),
    "loglikelihood": choice_item(),
    "loglikelihood_mass": replace(choice_item(), metadata={"labels": [0, 1, 1, 0]}),
    "perplexity": Item("document", "A short document."),
    "retrieval": text_item('{"18": 2, "London": 1, "x": 0}'),
    "verdict": Item("judged", "", metadata={"mark": "0123abcd", "order": [0]}),
    "supported": Item("grounded", "", metadata={"context": "London has 18 bridges, and x = -5."}),
}
NAMES = sorted(scorer_names())
READERS = [name for name in NAMES if build_scorer({"name": name, **OPTIONS.get(name, {})}).asks == "generate"]
RECKONERS = [name for name in NAMES if name not in READERS]

# Characters of every kind, halves of pairs among them: what a broken decoder leaves.
CHARACTERS = st.characters() | st.integers(0xD800, 0xDFFF).map(chr)
PIECES = st.sampled_from(
    [
        *(
            "18",
            "-5",
            "1,234",
            "3/4",
            "0.5",
            "1e9",
            "9^{9^{9}}",
            "½",
            "𝟗",
            "٣",
            "50\\%",
            "x",
            "\\pi",
            "\\infty",
        ),
        *(
            "\\frac",
            "\\frac{",
            "\\sqrt[",
            "\\boxed{",
            "\\text{",
            "\\begin{pmatrix}",
            "\\end{pmatrix}",
            "\\left(",
            "&",
        ),
        *(
            "{",
            "}",
            "(",
            ")",
            "[",
            "]",
            "\\{",
            "\\}",
            "$",
            "$$",
            "\\(",
            "\\)",
            "\\[",
            "\\]",
            "\\",
            "\\\\",
            "^",
            "_",
        ),
        *(
            "A",
            "B",
            "I",
            "(C)",
            "London",
            "The answer is",
            "Antwort:",
            "答案是",
            "####",
            "or",
            "and",
            "not",
            "is aaa!",
        ),
        *(
            "<think>",
            "</think>",
            "<answer>",
            "</answer>",
            "<tool_call>",
            "```python\n",
            "```json\n",
            "```",
            "**",
        ),
        *(
            "def double(x):\n",
            "    return x + x\n",
            "while True: pass\n",
            "area(base=10)",
            '{"name": "area"',
            '"a": 1',
        ),
        *(
            "true",
            "null",
            "NaN",
            "1e999",
            "'",
            '"',
            ",",
            ":",
            ";",
            "=",
            "+",
            "-",
            "*",
            "/",
            "\n",
            "\t",
            " ",
            "\0",
            "\ud800",
        ),
    ]
)
TEXTS = (
    st.text(CHARACTERS, max_size=120)
    | st.lists(PIECES, max_size=40).map("".join)
    | st.lists(PIECES).map(" ".join)
)
FEW = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


@pytest.fixture(autouse=True)
def _ends():
    faulthandler.dump_traceback_later(NEVER_S, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


def scored(name: str, response: Response) -> Score:
    """The score, after what must hold of every score."""
    scorer = build_scorer({"name": name, **OPTIONS.get(name, {})})
    item = ITEMS.get(name, text_item("18"))
    score = judge(scorer, item, response)
    if name == "code" and "sandbox" in score.reason and score.outcome is Outcome.SCORER_ERROR:
        pytest.skip(f"no sandbox here: {score.reason}")
    if name in WITHOUT_VALUE:
        # No opinion is no zero; a bug of ours would be named by its exception.
        assert not re.match(r"\w+(Error|Exception|Exit)\b", score.reason)
    else:
        assert score.outcome is not Outcome.SCORER_ERROR, score.reason
    assert (score.value is None) == score.outcome.unscored
    assert score.value is None or 0 <= score.value <= 1
    assert score.reason
    assert score.scorer == scorer.id
    return score


@pytest.mark.parametrize("name", READERS)
@FEW
@given(text=TEXTS, finish=st.sampled_from(FinishReason))
def test_any_text_has_an_outcome_and_always_the_same(name, text, finish):
    response = Response(text=text, finish=finish)
    assert scored(name, response) == scored(name, response)


@pytest.mark.parametrize("name", RECKONERS)
@FEW
@given(
    st.lists(
        st.builds(
            OptionScore,
            st.floats(),
            st.integers(0, 10**9),
            st.none() | st.booleans(),
            st.none() | st.floats(),
        ),
        max_size=6,
    )
)
def test_any_log_likelihoods_have_an_outcome_and_always_the_same(name, options):
    response = Response(options=tuple(options))
    assert scored(name, response) == scored(name, response)


TEN_MILLION = {
    "digits": "9",
    "words": "The answer is not a ",
    "lines": "A. London\n",
    "braces": "\\boxed{",
    "brackets": "[",
    "objects": '{"a":',
    "calls": "area(base=10, ",
    "grid": "1 2\n3 4\n\n",
    "marks": "$x$ **y** `z` ",
    "fences": "```python\n",
    "sentences": "Is it so? Yes, e.g. in Mr. Smith's case. ",
    "surrogates": "\ud800",
}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("shape", TEN_MILLION)
def test_ten_million_characters_are_judged_like_any_others(name, shape):
    piece = TEN_MILLION[shape]
    scored(name, Response(text=piece * (10_000_000 // len(piece)), finish=FinishReason.STOP))
