"""JSON in answers: what is taken for the value, and when two values are equal."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Outcome
from bakeoff.score import build_scorer
from bakeoff.score.extract.extraction import Nothing
from bakeoff.score.extract.json_value import NotJsonError, extract_json, parse_json
from tests.score.making import said, text_item

CASES = (Path(__file__).parent / "cases" / "json.jsonl").read_text("utf-8").splitlines()

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=12,
)


def score(target: str, text: str, finish: FinishReason = FinishReason.STOP, **options: Any):
    return build_scorer({"name": "json_value", **options})(text_item(target), said(text, finish))


@pytest.mark.parametrize("line", CASES, ids=range(1, len(CASES) + 1))
def test_the_value_of_an_answer_is_the_one_a_reader_would_take(line):
    case = json.loads(line)
    found = extract_json(case["text"], kind=case.get("kind", "any"))
    if "nothing" in case:
        assert isinstance(found, Nothing)
        assert case["nothing"] in found.why
        return
    assert not isinstance(found, Nothing)
    assert found.value == case["want"]
    assert found.repaired == case.get("repaired", "")
    assert found.extraction.strength == case.get("strength", "explicit")


@given(JSON)
def test_what_is_written_as_json_is_read_as_itself(value):
    for text in (json.dumps(value), json.dumps(value, indent=2, ensure_ascii=False)):
        assert parse_json(text) == value
        assert extract_json(f"```json\n{text}\n```").value == value


@given(JSON)
def test_a_value_equals_itself_however_its_names_are_ordered(value):
    def reordered(part: Any) -> Any:
        if isinstance(part, dict):
            return {name: reordered(part[name]) for name in reversed(part)}
        return [reordered(each) for each in part] if isinstance(part, list) else part

    assert score(json.dumps(value), json.dumps(reordered(value))).value == 1


@given(JSON, JSON)
def test_two_values_are_equal_where_python_without_bool_as_int_says_so(one, other):
    def told_apart(part: Any) -> Any:
        if isinstance(part, dict):
            return {name: told_apart(each) for name, each in part.items()}
        if isinstance(part, list):
            return [told_apart(each) for each in part]
        return ("bool", part) if isinstance(part, bool) else part

    verdict = score(json.dumps(one), json.dumps(other)).value
    assert verdict == float(told_apart(one) == told_apart(other))


@pytest.mark.parametrize(
    ("target", "text", "right"),
    [
        ("1", "1.0", True),
        ("1", "1e0", True),
        ("1", "true", False),
        ("0", "false", False),
        ("1", '"1"', False),
        ("null", '""', False),
        ("[1, 2]", "[2, 1]", False),
        ('{"a": 1, "b": 2}', '{"b": 2, "a": 1}', True),
        ('{"a": 1}', '{"a": 1, "b": 2}', False),
        ('{"a": 1}', "{}", False),
        ("9007199254740993", "9007199254740992", False),  # told apart, unlike as doubles
        ('"é"', '"\\u00e9"', True),
    ],
)
def test_types_and_values_must_agree(target, text, right):
    assert score(target, text).value == float(right)


def test_the_reason_says_where_two_values_differ():
    assert score('{"a": [1, {"b": 2}]}', '{"a": [1, {"b": true}]}').reason.endswith(
        "at $.a[1].b: True, not 2"
    )
    assert score('{"a": 1}', '{"b": 1}').reason.endswith("at $.a: missing")


def test_a_repaired_answer_is_no_answer_unless_the_task_wants_it_and_says_so_either_way():
    strict, lenient = (score('{"a": 1}', "{'a': 1}", mend=mend) for mend in (False, True))
    assert strict.outcome is Outcome.NO_ANSWER
    assert "Python notation" in strict.reason
    assert (lenient.outcome, lenient.value) == (Outcome.SCORED, 1.0)
    assert "Python notation mended" in lenient.reason
    assert lenient.scorer == "json_value@1(mend=true)"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ('{"a": 1}', Outcome.SCORED),  # closed: nothing was cut from it
        ('```json\n{"a": 1}\n', Outcome.SCORED),
        ('{"a": 1', Outcome.TRUNCATED),
        ("Well", Outcome.TRUNCATED),
        ('It is {"a": 1}, and', Outcome.TRUNCATED),  # only the first of what may come
    ],
)
def test_an_answer_that_was_cut(text, outcome):
    assert score('{"a": 1}', text, FinishReason.LENGTH).outcome is outcome


def test_a_number_that_was_cut_may_have_gone_on():
    assert score("1", "1", FinishReason.LENGTH).outcome is Outcome.TRUNCATED


@pytest.mark.parametrize("target", ["Paris", "{'a': 1}", "", "NaN"])
def test_a_target_that_is_not_json_is_the_tasks_mistake(target):
    with pytest.raises(TaskError, match="item free"):
        score(target, "1")


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "[" * 300 + "]" * 300, '{"a":' * 5000, "1" * 5000, '"\\ud800"', "[1e400]", "-Infinity"],
)
def test_what_cannot_be_handled_safely_is_not_json(text):
    with pytest.raises(NotJsonError):
        parse_json(text)
