"""What an answer is held to while it is written."""

from dataclasses import dataclass
from typing import Literal

ConstraintKind = Literal["json_schema", "regex"]


@dataclass(frozen=True, slots=True)
class Constraint:
    """The only texts that the engine lets the model write as its answer; its reasoning is not held to it.

    `text` is a JSON Schema as JSON, or a regular expression that the whole answer matches. The keys of a
    schema keep their order: engines write the properties of an object in it.
    """

    kind: ConstraintKind
    text: str
