"""What a task's answers are held to: read, refused, and part of the task's digest."""

import json
from pathlib import Path
from typing import Any

import pytest

from bakeoff.errors import TaskError
from bakeoff.nouns import Constraint, Item
from bakeoff.task import Task, differences, load_task, prepare

A = {"type": "object", "properties": {"b": {"type": "integer"}, "a": {"type": "string"}}}
A_REORDERED = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}}
B = {"enum": ["é", None]}
ROWS = [
    {"id": "x", "input": "?", "target": "1", "meta": {"schema": A}},
    {"id": "y", "input": "!", "target": "1", "meta": {"schema": json.dumps(B)}},
]


def task(constrain: Any, rows: list[Any] = ROWS, **changes: Any) -> Task:
    given = {
        "name": "held",
        "data": {"items": rows},
        "scorer": "exact",
        "generation": {"constrain": constrain},
    }
    return Task(**given | changes)


def constraints(asked: Task, variant: str = "default") -> list[Constraint | None]:
    prepared = prepare(asked, variant)
    return [prepared.render(item).constraint for item in prepared.items()]


def held_to(schema: Any) -> Constraint:
    return Constraint("json_schema", json.dumps(schema, ensure_ascii=False, separators=(",", ":")))


@pytest.mark.parametrize(
    ("constrain", "expected"),
    [
        ({"json_schema": A}, [held_to(A)] * 2),
        ({"json_schema": json.dumps(A, indent=2)}, [held_to(A)] * 2),
        ({"json_schema_column": "meta.schema"}, [held_to(A), held_to(B)]),
        ({"regex": "[A-D]"}, [Constraint("regex", "[A-D]")] * 2),
        (None, [None] * 2),
        ({}, [None] * 2),
    ],
)
def test_every_item_gets_what_the_task_says(constrain: Any, expected: list[Constraint | None]) -> None:
    assert constraints(task(constrain)) == expected


def test_items_made_in_python_have_their_schema_in_their_metadata() -> None:
    items = [Item("x", "?", target=("1",), metadata={"schema": A})]
    for name in ("metadata.schema", "meta.schema"):
        assert constraints(task({"json_schema_column": name}, items)) == [held_to(A)]


@pytest.mark.parametrize("off", [None, {}])
def test_a_variant_switches_it_off_and_keeps_the_other_settings(off: Any) -> None:
    asked = task(
        {"regex": "yes"},
        generation={"constrain": {"regex": "yes"}, "max_tokens": 5},
        variants={"free": {"generation": {"constrain": off}}, "longer": {"generation": {"max_tokens": 9}}},
    )
    assert constraints(asked, "free") == [None] * 2
    assert constraints(asked, "longer") == [Constraint("regex", "yes")] * 2
    assert asked.with_variant("free").generation.max_tokens == 5


def test_a_variant_puts_another_in_its_place() -> None:
    asked = task({"regex": "yes"}, variants={"json": {"generation": {"constrain": {"json_schema": A}}}})
    assert constraints(asked, "json") == [held_to(A)] * 2


def test_a_log_likelihood_has_no_answer_to_hold() -> None:
    rows = [{"id": "x", "input": "?", "choices": ["1", "2"], "target": 0}]
    asked = task({"regex": "yes"}, rows, ask="loglikelihood", scorer="loglikelihood")
    free = task(None, rows, ask="loglikelihood", scorer="loglikelihood")
    assert constraints(asked) == [None]
    assert prepare(asked).digest == prepare(free).digest


@pytest.mark.parametrize(
    ("constrain", "says"),
    [
        ({"json_schema": A, "regex": "a"}, "exactly one of json_schema, json_schema_column, regex"),
        ({"json_schema": None}, "exactly one of"),
        ({"json_schema": True}, "a JSON Schema is a mapping"),
        ({"json_schema": [A]}, "a JSON Schema is a mapping"),
        ({"json_schema": "{"}, "the schema is not JSON"),
        ({"json_schema": {"const": float("nan")}}, "the schema is not JSON"),
        ({"regex": ""}, "an empty pattern"),
        ({"regexp": "a"}, "did you mean 'regex'?"),
        ({"grammar": "root ::= x"}, "there is no such key"),
        ("yes|no", "constrain"),
    ],
)
def test_a_mistake_is_named_with_its_field(constrain: Any, says: str) -> None:
    with pytest.raises(TaskError) as caught:
        task(constrain)
    assert says in str(caught.value)
    assert "generation.constrain" in str(caught.value)


@pytest.mark.parametrize("value", ["no JSON", 7, None, True, [A]])
def test_an_item_without_a_schema_is_named_before_anything_runs(value: Any) -> None:
    rows = [ROWS[0], {"id": "bad", "input": "?", "target": "1", "meta": {"schema": value}}]
    with pytest.raises(TaskError, match="item bad: "):
        prepare(task({"json_schema_column": "meta.schema"}, rows))


def test_a_column_that_is_not_there_is_named() -> None:
    with pytest.raises(TaskError, match=r"item x: there is no column 'meta.scheme'"):
        prepare(task({"json_schema_column": "meta.scheme"}))


@pytest.mark.parametrize(
    ("before", "after", "part"),
    [
        (None, {"regex": "a"}, "generation.constrain.regex"),
        ({"regex": "a"}, {"regex": "b"}, "generation.constrain.regex"),
        ({"json_schema": A}, {"json_schema": B}, "generation.constrain.json_schema"),
        ({"json_schema": A}, {"json_schema": A_REORDERED}, "generation.constrain.json_schema"),
        (
            {"json_schema": A},
            {"json_schema_column": "meta.schema"},
            "generation.constrain.json_schema_column",
        ),
    ],
)
def test_another_constraint_is_another_task(before: Any, after: Any, part: str) -> None:
    """The order of properties counts: engines write them in it."""
    one, other = prepare(task(before)), prepare(task(after))
    assert one.digest != other.digest
    assert any(line.startswith(part) for line in differences(one.parts, other.parts))


def test_the_order_of_properties_counts_in_the_schemas_of_items_too() -> None:
    def digest(schema: Any) -> str:
        rows = [ROWS[0] | {"meta": {"schema": schema}}]
        return prepare(task({"json_schema_column": "meta.schema"}, rows)).digest

    assert digest(A) != digest(A_REORDERED)
    assert digest(A) == digest(dict(A))


def test_a_task_without_a_constraint_has_the_digest_it_had() -> None:
    parts = prepare(task(None)).parts
    assert parts["generation"] == {"max_tokens": 256, "temperature": 0.0, "top_p": 1.0, "stop": []}
    assert prepare(task({})).digest == prepare(task(None)).digest


def test_a_file_says_the_same_as_python(tmp_path: Path) -> None:
    path = tmp_path / "task.yaml"
    path.write_text(
        "name: held\n"
        "data: {items: [{id: x, input: '?', target: '1'}]}\n"
        "scorer: exact\n"
        "generation:\n"
        "  constrain:\n"
        "    json_schema:\n"
        "      type: object\n"
        "      properties: {b: {type: integer}, a: {type: string}}\n"
        "variants:\n"
        "  free: {generation: {constrain: null}}\n"
    )
    read, _ = load_task(str(path))
    assert constraints(read) == [held_to(A)]
    assert constraints(read, "free") == [None]
    assert (
        prepare(read).digest
        == prepare(task({"json_schema": A}, [{"id": "x", "input": "?", "target": "1"}])).digest
    )
