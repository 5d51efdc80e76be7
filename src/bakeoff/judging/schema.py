"""The form of a verdict, as JSON Schema: for the judge to read, and for engines to hold it to."""

import json
from typing import Any

from bakeoff.judging.rubric import Rubric
from bakeoff.nouns import Constraint


def choice_key(rubric: Rubric) -> str:
    """The name under which a verdict gives its choice: `grade`, or `better` for pairs."""
    return "grade" if rubric.kind == "grades" else "better"


def verdict_schema(rubric: Rubric, mark: str) -> dict[str, Any]:
    """The schema of the verdict on the case with this `mark`; draft 2020-12.

    `why` stands before the choice: engines write properties in order, and a reason that comes after the
    choice only defends it.
    """
    key = choice_key(rubric)
    verdicts = {
        each.name: _object({"why": {"type": "string"}, key: {"enum": list(rubric.choices(each))}})
        for each in rubric.criteria
    }
    return _object({"case": {"const": mark}, "verdicts": _object(verdicts)})


def verdict_constraint(rubric: Rubric, mark: str) -> Constraint:
    """Leaves the judge no other text than a verdict on this case."""
    return Constraint("json_schema", json.dumps(verdict_schema(rubric, mark)))


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
