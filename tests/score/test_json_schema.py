"""Answers under a schema. The validator's agreement with the test suite is in the conformance tests."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.errors import TaskError
from bakeoff.nouns import Item, Outcome
from bakeoff.score import build_scorer, judge
from tests.score.making import said, text_item
from tests.score.test_json_value import JSON

PERSON = {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}


def score(schema: Any, text: str, **options: Any):
    return build_scorer({"name": "json_schema", **options})(
        Item("i", "", metadata={"schema": schema}), said(text)
    )


@pytest.mark.parametrize(
    ("schema", "text", "right"),
    [
        (PERSON, '{"age": 3}', True),
        (PERSON, 'Here: {"age": 3}.', True),
        (PERSON, 'As [1] says:\n```json\n{"age": 3}\n```', True),
        (PERSON, '{"age": "3"}', False),
        (PERSON, '{"age": 3.5}', False),
        (PERSON, '{"age": 3.0}', True),
        (PERSON, "{}", False),
        (json.dumps(PERSON), '{"age": 3}', True),
        (True, "1", True),
        (False, "1", False),
        # By its $schema: a boolean here is a draft 4 modifier, an array form of items was dropped in 2020-12.
        (
            {"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": True},
            "1",
            False,
        ),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}]}, "[1]", False),
        ({"prefixItems": [{"type": "string"}]}, "[1]", False),
        ({"pattern": "^\\p{Lu}"}, '"Éa"', True),  # patterns are ECMAScript's
        ({"$defs": {"a": {"type": "null"}}, "$ref": "#/$defs/a"}, "null", True),
    ],
)
def test_an_answer_is_right_where_it_validates(schema, text, right):
    assert score(schema, text).value == float(right)


def test_the_target_is_the_schema_where_the_metadata_has_none():
    item = text_item(json.dumps(PERSON))
    assert judge(build_scorer("json_schema"), item, said('{"age": 3}')).value == 1


def test_the_reason_says_where_the_answer_fails():
    reason = score({"items": PERSON}, '[{"age": 1}, {"age": "x"}]').reason
    assert "$[1].age" in reason
    assert "integer" in reason


def test_formats_are_remarks_unless_the_task_makes_them_requirements():
    assert score({"format": "date"}, '"2020-13-01"').value == 1
    assert score({"format": "date"}, '"2020-13-01"', formats=True).value == 0
    assert score({"format": "date"}, '"2020-12-01"', formats=True).value == 1


def test_repair_is_asked_for_and_said():
    assert score(PERSON, "{'age': 3,}").outcome is Outcome.NO_ANSWER
    assert score(PERSON, "{'age': 3,}", mend=True).value == 1


@pytest.fixture
def schema_server():
    """A server that would serve a schema for every path, and the paths it was asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    "schema",
    [
        '{"$ref": "URL/schema.json"}',
        '{"$ref": "URL/schema.json#/a"}',
        '{"$id": "URL/here.json", "$ref": "other.json"}',
        '{"properties": {"a": {"items": {"$ref": "URL/b"}}}}',
        '{"$schema": "URL/own-metaschema"}',
        '{"$dynamicRef": "URL/c#x"}',
        '{"$ref": "file:///etc/hostname"}',
        '{"$ref": "other.json"}',
    ],
)
def test_a_schema_that_refers_elsewhere_is_refused_and_nothing_is_fetched(schema, schema_server):
    url, asked = schema_server
    with pytest.raises(TaskError, match="item i: its schema cannot be used"):
        score(schema.replace("URL", url), "1")
    assert asked == []


@pytest.mark.parametrize("schema", ["", "{", {"type": 12}, {"pattern": "("}, {"$ref": "#/nope"}, None, 3, []])
def test_a_schema_that_is_none_is_the_tasks_mistake(schema):
    with pytest.raises(TaskError, match="item i"):
        score(schema, "1")


def test_a_pattern_that_runs_away_is_our_failure_and_ends():
    judged = score({"pattern": r"^(\w+\s?)+\1$(?!x)"}, json.dumps("a" * 60 + "!"))
    assert judged.outcome is Outcome.SCORER_ERROR
    assert "pattern" in judged.reason


def test_ordinary_patterns_and_unique_items_are_linear():
    """Each would take years, or hours, by backtracking or pairwise comparison."""
    assert score({"pattern": "^(a+)+$"}, json.dumps("a" * 100_000 + "!")).value == 0
    distinct = json.dumps([{"a": number} for number in range(30_000)])
    assert score({"uniqueItems": True}, distinct).value == 1


SCHEMAS = st.sampled_from(
    [
        {"type": "object"},
        {"type": ["array", "string"], "maxItems": 2, "minLength": 1},
        {"type": "integer", "minimum": 0},
        {"anyOf": [{"type": "number", "exclusiveMaximum": 10}, {"enum": [None, True, "x", [1]]}]},
        {"items": {"type": "integer"}, "uniqueItems": True, "additionalProperties": {"type": "boolean"}},
        {"not": {"required": ["a"]}, "propertyNames": {"maxLength": 2}},
    ]
)


@given(SCHEMAS, JSON)
def test_the_verdict_is_that_of_another_validator(schema, value):
    expected = jsonschema.Draft202012Validator(schema).is_valid(value)
    assert score(schema, json.dumps(value)).value == float(expected)
