"""What the answers of a task are held to, as the task states it."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import field_validator, model_validator

from bakeoff.nouns import ConstraintKind
from bakeoff.task.spec import Spec, mistake


class Constrain(Spec):
    """One of three: a JSON Schema, a column with one per item, or a regular expression.

    `json_schema` is a mapping, or its JSON text. `json_schema_column` may be a dotted path (`meta.schema`).
    `regex` matches the whole answer, from its first character to its last.
    """

    json_schema: Any = None
    json_schema_column: str | None = None
    regex: str | None = None

    @field_validator("json_schema")
    @classmethod
    def _a_schema(cls, value: Any) -> Any:
        try:
            return None if value is None else schema_text(value)
        except ValueError as error:
            raise mistake(str(error), "write json_schema: {type: object, …}") from None

    @field_validator("regex")
    @classmethod
    def _not_empty(cls, value: str | None) -> str | None:
        if value == "":
            raise mistake("an empty pattern lets the model write nothing")
        return value

    @model_validator(mode="after")
    def _exactly_one(self) -> "Constrain":
        if len(self.stated) != 1:
            one_of = ", ".join(type(self).model_fields)
            raise mistake(
                f"needs exactly one of {one_of}, got {', '.join(self.stated) or 'none'}",
                "to let the model write freely, leave constrain out; in a variant, write constrain: null",
            )
        return self

    @property
    def kind(self) -> ConstraintKind:
        """What an engine has to be able to do."""
        return "json_schema" if self.regex is None else "regex"

    @property
    def stated(self) -> dict[str, str]:
        """What is set, by its key. A schema is JSON text: the order of its properties counts."""
        values = {name: getattr(self, name) for name in type(self).model_fields}
        return {name: value for name, value in values.items() if value is not None}


def schema_text(schema: Any) -> str:
    """A schema, given as a mapping or as JSON text, as JSON on one line, its keys in their order.

    Raises:
        ValueError: it is no JSON object.
    """
    value = schema
    if isinstance(schema, str):
        try:
            value = json.loads(schema)
        except ValueError as error:
            raise ValueError(f"the schema is not JSON: {error}") from None
    if not isinstance(value, Mapping):
        raise ValueError(f"a JSON Schema is a mapping, got {schema!r:.60}")
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"the schema is not JSON: {error}") from None
