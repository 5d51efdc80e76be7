"""Schemas and patterns that answers are held to, and a judge of the answers that is not ours."""

import json
import re

import jsonschema

from bakeoff.nouns import Constraint, FinishReason

CITIES = ["Paris", "Lima", "Oslo"]
PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "pattern": "^[A-Z][a-z]{1,8}$"},
        "city": {"enum": CITIES},
        "born": {
            "type": "object",
            "properties": {"year": {"type": "integer", "minimum": 1900, "maximum": 2030}},
            "required": ["year"],
            "additionalProperties": False,
        },
        "hobbies": {
            "type": "array",
            "items": {"type": "string", "maxLength": 8},
            "minItems": 1,
            "maxItems": 3,
        },
        "married": {"type": "boolean"},
    },
    "required": ["name", "city", "born", "hobbies", "married"],
    "additionalProperties": False,
}
SCHEMAS = {
    "object, pattern, enum, array": PERSON,
    "enum": {"enum": ["yes", "no", 3, None]},
    "const": {"const": {"a": [1, 2]}},
    "bounds": {"type": "integer", "exclusiveMinimum": -4, "maximum": 99},
    "array of references": {
        "$defs": {"city": {"enum": CITIES}},
        "type": "array",
        "items": {"$ref": "#/$defs/city"},
        "minItems": 2,
        "maxItems": 2,
    },
    "one of several": {
        "anyOf": [
            {"type": "integer", "minimum": 5, "maximum": 9},
            {"type": "object", "properties": {"none": {"const": True}}, "required": ["none"],
             "additionalProperties": False},
        ]
    },
    "tuple": {
        "type": "array",
        "prefixItems": [{"enum": CITIES}, {"type": "boolean"}],
        "items": False,
        "minItems": 2,
    },
    "date": {"type": "string", "format": "date"},
}  # fmt: skip
PATTERNS = ("yes|no", "[A-D]", r"[0-9]{4}-[0-9]{2}/[A-Z]{2}", r'"é\d"\n#', "(a|b){3}")


def held_to(schema) -> Constraint:
    return Constraint("json_schema", json.dumps(schema))


def violation(constraint: Constraint, response) -> str:
    """Why the constraint does not allow an answer; empty if it does, or the token limit cut the answer."""
    if response.failure is not None:
        return f"failed: {response.failure}"
    if response.finish is FinishReason.LENGTH:
        return ""
    if constraint.kind == "regex":
        return "" if re.fullmatch(constraint.text, response.text) else f"does not match: {response.text!r}"
    try:
        jsonschema.validate(
            json.loads(response.text),
            json.loads(constraint.text),
            format_checker=jsonschema.FormatChecker(),
        )
    except (ValueError, jsonschema.ValidationError) as error:
        return f"{response.text!r}: {error}"
    return ""
