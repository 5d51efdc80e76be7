"""The functions an item offers, as far as checking a call needs them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bakeoff.errors import TaskError
from bakeoff.nouns import Item

# The type names of function descriptions: JSON Schema's, BFCL's, Java's and JavaScript's.
_TYPES: Mapping[str, type] = {
    **dict.fromkeys(("string", "String", "char", "any"), str),
    **dict.fromkeys(("integer", "Integer", "long", "int", "short", "byte"), int),
    **dict.fromkeys(("float", "number", "double", "Float", "Double"), float),
    **dict.fromkeys(("boolean", "Boolean"), bool),
    **dict.fromkeys(("array", "Array", "ArrayList", "tuple", "Set", "Queue", "Stack"), list),
    **dict.fromkeys(("dict", "object", "HashMap", "Hashtable"), dict),
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """The Python type a parameter takes, None if unknown, and of an array the type of its elements.

    `any` is a text unless the accepted values say otherwise, as BFCL has it; elements that may be anything
    have no type.
    """

    kind: type | None
    elements: type | None = None
    is_tuple: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """One offered function."""

    name: str
    parameters: Mapping[str, Parameter]
    required: tuple[str, ...]


def offered_functions(item: Item) -> tuple[Function, ...]:
    """The functions of `item.metadata["functions"]`: their `name` and, as JSON Schema, `parameters`.

    A description may be wrapped as chat interfaces want it: `{"type": "function", "function": {…}}`.

    Raises:
        TaskError: there are none, or one has no name.
    """
    described = item.metadata.get("functions")
    if not isinstance(described, list | tuple) or not described:
        raise TaskError(
            f"item {item.id}: the function_call scorer needs the offered functions, `metadata.functions`",
            "Give each row a column `metadata` (or `meta`) with `functions`, a list of descriptions.",
        )
    return tuple(_function(item, each) for each in described)


def _function(item: Item, described: Any) -> Function:
    if isinstance(described, Mapping) and isinstance(described.get("function"), Mapping):
        described = described["function"]
    if not isinstance(described, Mapping) or not isinstance(described.get("name"), str):
        raise TaskError(f"item {item.id}: a function in `metadata.functions` has no name: {described!r:.80}")
    schema = described.get("parameters")
    schema = schema if isinstance(schema, Mapping) else {}
    properties = schema.get("properties")
    properties = properties if isinstance(properties, Mapping) else {}
    required = schema.get("required")
    return Function(
        described["name"],
        {name: _parameter(each) for name, each in properties.items()},
        tuple(required) if isinstance(required, list | tuple) else (),
    )


def _parameter(described: Any) -> Parameter:
    if not isinstance(described, Mapping):
        return Parameter(None)
    items = described.get("items")
    elements = _type(items.get("type")) if isinstance(items, Mapping) and items.get("type") != "any" else None
    kind = _type(described.get("type"))
    return Parameter(kind, elements if kind is list else None, described.get("type") == "tuple")


def _type(name: Any) -> type | None:
    return _TYPES.get(name) if isinstance(name, str) else None
