"""Constraints as a grammar: what is left open, what cannot be had, by the validator and by `re`."""

import json
import re

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.model import guidance
from bakeoff.nouns import Constraint
from tests.model.constraints import CITIES, PATTERNS, SCHEMAS, held_to

pytest.importorskip("llguidance")

SMALL = {
    "type": "object",
    "properties": {
        "a": {"type": "integer", "minimum": -3, "maximum": 12},
        "b": {"type": "array", "items": {"enum": [*CITIES, None]}, "maxItems": 2},
    },
    "required": ["a"],
    "additionalProperties": False,
}
values = st.fixed_dictionaries(
    {},
    optional={
        "a": st.integers(-20, 20) | st.booleans() | st.text(max_size=2),
        "b": st.lists(st.sampled_from([*CITIES, None, "Rome", 1]), max_size=3),
        "c": st.none(),
    },
)


@given(values)
def test_exactly_the_values_that_validate_fit(value):
    """Integers are integers here: 1.0 is one for a validator, and not a text that is left open.

    Properties come in the schema's order, which is that of their names.
    """
    value = dict(sorted(value.items()))
    valid = jsonschema.Draft202012Validator(SMALL).is_valid(value)
    assert guidance.fits(held_to(SMALL), json.dumps(value), whole=True) is valid


def test_properties_in_another_order_do_not_fit():
    assert not guidance.fits(held_to(SMALL), json.dumps({"b": [], "a": 0}), whole=True)


@given(st.sampled_from(PATTERNS), st.data())
def test_exactly_the_texts_that_match_fit(pattern, data):
    like = st.from_regex(re.compile(pattern, re.ASCII), fullmatch=True) | st.text(max_size=4)
    text = data.draw(like | st.sampled_from(["yes!", "no ", "AB", "abab", ""]))
    fits = guidance.fits(Constraint("regex", pattern), text, whole=True)
    assert fits is bool(re.fullmatch(pattern, text))


@given(st.sampled_from(PATTERNS), st.data())
def test_the_beginning_of_what_fits_begins_like_it(pattern, data):
    text = data.draw(st.from_regex(re.compile(pattern, re.ASCII), fullmatch=True))
    cut = data.draw(st.integers(0, len(text)))
    assert guidance.fits(Constraint("regex", pattern), text[:cut], whole=False)


def test_a_whole_answer_is_more_than_its_beginning():
    yes = Constraint("regex", "yes")
    assert guidance.fits(yes, "ye", whole=False)
    assert not guidance.fits(yes, "ye", whole=True)
    assert not guidance.fits(yes, "yo", whole=False)


@given(values)
def test_white_space_that_says_nothing_is_not_left_open(value):
    """A model of few parameters would write it without end."""
    for spaced in (json.dumps(value, indent=1), f" {json.dumps(value)}", json.dumps(value) + "\n"):
        assert not guidance.fits(held_to(SMALL), spaced, whole=True)


def test_properties_come_in_the_order_of_the_schema():
    def fits(*names):
        ones = {name: {"const": 1} for name in names}
        schema = {"type": "object", "properties": ones, "required": ["a", "b"], "additionalProperties": False}
        return guidance.fits(held_to(schema), '{"b": 1, "a": 1}', whole=True)

    assert fits("b", "a")
    assert not fits("a", "b")


@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
def test_what_the_common_keywords_say_can_be_had(schema):
    assert guidance.refusal(held_to(schema)) == ""


@pytest.mark.parametrize(
    ("constraint", "says"),
    [
        (held_to({"type": "array", "uniqueItems": True}), "uniqueItems"),
        (held_to({"type": "object", "unevaluatedProperties": False}), "unevaluatedProperties"),
        (held_to({"not": {"type": "string"}}), "not"),
        (held_to({"type": "whole number"}), "whole number"),
        (held_to({"$ref": "https://example.org/schema"}), "https://example.org/schema"),
        (held_to({"type": "string", "pattern": "(?=a)b"}), "look-around"),
        (Constraint("regex", "(?=a)b"), "look-around"),
        (Constraint("regex", "(a"), "unclosed group"),
    ],
)
def test_what_cannot_be_had_is_named(constraint, says):
    reason = guidance.refusal(constraint)
    assert says in reason
    assert "start:" not in reason


def test_behind_reasoning_the_answer_may_begin_on_a_new_line():
    import llguidance

    def fits(text, *, reasoned):
        matcher = llguidance.LLMatcher(
            llguidance.LLTokenizer("byte"), guidance.grammar(Constraint("regex", "yes"), reasoned=reasoned)
        )
        return matcher.try_consume_tokens(list(text.encode())) == len(text) and matcher.is_accepting()

    assert [fits(text, reasoned=True) for text in ("yes", "\nyes", "\n\nyes", " yes")] == [
        True,
        True,
        True,
        False,
    ]
    assert [fits(text, reasoned=False) for text in ("yes", "\nyes")] == [True, False]
