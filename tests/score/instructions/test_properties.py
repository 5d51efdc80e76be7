"""What holds for any text and any instruction."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.nouns import FinishReason, Outcome
from bakeoff.score import build_scorer, judge
from bakeoff.score.instructions.following import followed, relaxed
from bakeoff.score.instructions.given import instruction
from bakeoff.score.instructions.words import treebank_tokens
from tests.score.instructions.making import item_with
from tests.score.instructions.test_ifbench_rules import RULES as IFBENCH
from tests.score.instructions.test_ifeval_rules import RULES as IFEVAL
from tests.score.making import said

GIVEN = {name: instruction("made", name, arguments) for name, arguments, _, _ in [*IFEVAL, *IFBENCH]}
EVERY = item_with(*{name: (name, arguments) for name, arguments, _, _ in [*IFEVAL, *IFBENCH]}.values())
PIECES = st.sampled_from(
    [
        *(
            "*",
            "**",
            "***",
            "******",
            "-",
            "\n",
            "\n\n",
            " ",
            "[",
            "]",
            "(",
            ")",
            "{",
            "}",
            "<<",
            ">>",
            "<i>",
        ),
        *("</em>", '"', "'", "“", "`", "```", ".", "!", "?", "?!", ",", ";", ":", "a", "A", "DON'T", "n't"),
        *(
            "Question 1",
            "Section 2",
            "P.S.",
            "tea",
            "Tea.",
            "Zimbabwe",
            "14",
            "1800-02-29",
            "1,5",
            "😀",
            "日本",
        ),
        *(
            "é",
            "\u00a0",
            "\t",
            "\r",
            "\x00",
            "\ud800",
            "\u2028",
            "İ",
            "ß",
            "9^{9^{9}}",
            "{}",
            "My answer is no.",
        ),
    ]
)
TEXTS = (
    st.text(max_size=120)
    | st.lists(PIECES, max_size=40).map("".join)
    | st.lists(PIECES, max_size=40).map(" ".join)
)


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.sampled_from(FinishReason))
def test_any_text_has_a_verdict_on_every_instruction(text, finish):
    score = judge(build_scorer({"name": "ifeval", "level": "instruction"}), EVERY, said(text, finish))
    assert score.outcome is not Outcome.SCORER_ERROR, score.reason
    assert score.value is not None
    assert 0 <= score.value <= 1


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.sampled_from(sorted(GIVEN)))
def test_loose_is_never_stricter_and_says_why(text, name):
    how = followed(GIVEN[name], text)
    assert how == followed(GIVEN[name], text)
    if how == "loose":
        assert not (text.strip() and GIVEN[name].holds(text))
        assert any(GIVEN[name].holds(variant) for variant in relaxed(text))


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_tokens_are_the_text_without_its_white_space(text):
    assert "".join(treebank_tokens(text)) == "".join(text.split())


BOMBS = [".", "1. ", "A. ", "a ", "*", "* ", "<<", "[", "(", '"', "'", "```", "9", "Question 1", "\n", "n't"]
BOMBS += ["Section ", "p.", "- \n", "\ud800", "é", "日", "😀", "e.g. ", "a-", "\x00", "{", "1,"]


@pytest.mark.parametrize("bomb", BOMBS)
def test_thousands_of_hostile_characters_are_judged_like_any_others(bomb):
    text = f"x{bomb * (5_000 // len(bomb))}x"
    score = judge(build_scorer({"name": "ifeval", "mode": "loose"}), EVERY, said(text))
    assert score.outcome is Outcome.SCORED, score.reason
