"""The form of a verdict, as JSON Schema: for the judge to read, and for engines to hold it to."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bakeoff.judging.rubric import Rubric
from bakeoff.judging.units import Numbering
from bakeoff.nouns import Constraint


def choice_key(rubric: Rubric) -> str:
    """The name under which a verdict gives its choice: `grade`, `better` for pairs, `verdict` for units."""
    return {"grades": "grade", "pairwise": "better", "units": "verdict"}[rubric.kind]


def verdict_schema(rubric: Rubric, mark: str, numbering: Numbering | None = None) -> dict[str, Any]:
    """The schema of the verdict on the case with this `mark`; draft 2020-12.

    `why` stands before the choice: engines write properties in order, and a reason that comes after the
    choice only defends it. A rubric of units has a verdict for each number of its `numbering`.

    Raises:
        ValueError: a rubric of units without a numbering.
    """
    if rubric.kind == "units":
        if numbering is None:
            raise ValueError("a rubric of units needs the numbering of the case: numbering_of(rubric, case)")
        numbers = range(1, numbering.units + 1)
        verdicts = {str(number): _unit(rubric, numbering, number) for number in numbers}
    else:
        verdicts = {each.name: _choice(rubric, rubric.choices(each)) for each in rubric.criteria}
    return _object({"case": {"const": mark}, "verdicts": _object(verdicts)})


def verdict_constraint(rubric: Rubric, mark: str, numbering: Numbering | None = None) -> Constraint:
    """Leaves the judge no other text than a verdict on this case."""
    return Constraint("json_schema", json.dumps(verdict_schema(rubric, mark, numbering)))


def _unit(rubric: Rubric, numbering: Numbering, number: int) -> dict[str, Any]:
    evidence = {"evidence": {"enum": list(numbering.evidence())}} if rubric.evidence else {}
    return _choice(rubric, numbering.said(rubric, number), evidence)


def _choice(
    rubric: Rubric, choices: Sequence[Any], between: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    return _object(
        {"why": {"type": "string"}, **(between or {}), choice_key(rubric): {"enum": list(choices)}}
    )


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
