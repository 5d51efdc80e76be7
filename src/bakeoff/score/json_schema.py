"""JSON that validates under a schema."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar

from bakeoff.errors import TaskError
from bakeoff.nouns import Item, Outcome, Response, Score
from bakeoff.score.extract.extraction import Nothing
from bakeoff.score.extract.json_value import Kind, extract_json
from bakeoff.score.extras import extra
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.second_turn import written_again
from bakeoff.score.verdict import settle, unscored, zero

_LONGEST = 1_000_000
"""Characters of an answer."""
_BACKTRACKS = 1_000_000
"""Steps a pattern with look-around or back-references may take on one text; all other patterns are linear."""


@dataclass(frozen=True, slots=True)
class JsonSchema:
    """The JSON value of the answer validates under the item's schema.

    The schema is `metadata.schema` (an object, a boolean, or JSON text) or else the target, as JSON text.
    Drafts 4, 6, 7, 2019-09 and 2020-12 by its `$schema`, 2020-12 without one. `formats` makes `format` a
    requirement, where by default it is a remark. A schema that refers to another document is refused: nothing
    is ever fetched. The value is found as by `json_value`, and `mend` means the same. `second_turn` tells
    the model once what cannot be read or is not valid, and judges what it then writes.
    """

    name: ClassVar[str] = "json_schema"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"

    formats: bool = False
    mend: bool = False
    second_turn: bool = False

    @property
    def id(self) -> str:
        """`json_schema@1`, with the options that differ from their defaults."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """Value 1 where the value validates, else 0."""
        schema = _schema(item)
        validator = _validator(item.id, schema, self.formats)
        if len(response.text) > _LONGEST:
            return settle(self.id, response, Nothing(f"longer than {_LONGEST:,} characters"), 0.0)
        found = extract_json(response.text, kind=_kind(schema))
        if isinstance(found, Nothing):
            return settle(self.id, response, found, 0.0)
        if found.repaired and not self.mend:
            reason = f"not JSON: {found.repaired} would have to be mended"
            return zero(self.id, Outcome.NO_ANSWER, reason, found.extraction.text)
        error = next(iter(validator.iter_errors(found.value)), None)
        if error is not None and "backtrack" in type(error.kind).__name__.lower():
            return unscored(
                self.id, Outcome.SCORER_ERROR, f"a pattern of the schema takes too long: {error.message:.200}"
            )
        score = settle(self.id, response, found.extraction, float(error is None))
        if score.outcome is not Outcome.SCORED:
            return score
        mended = f", {found.repaired} mended" if found.repaired else ""
        verdict = "valid" if error is None else f"at {_place(error)}: {error.message:.160}"
        return replace(score, reason=f"{found.extraction.how}{mended}: {verdict}")

    def repair(self, item: Item, response: Response) -> str | None:
        """With `second_turn`, why the answer cannot be read or is not valid."""
        if not self.second_turn:
            return None
        score = self(item, response)
        if score.outcome is Outcome.NO_ANSWER:
            return written_again(response, score.reason)
        if score.outcome is not Outcome.SCORED or score.value == 1:
            return None
        return written_again(response, f"it does not fit the schema {score.reason.partition(': ')[2]}")


def _place(error: Any) -> str:
    return "$" + "".join(
        f"[{part}]" if isinstance(part, int) else f".{part:.40}" for part in error.instance_path
    )


def _schema(item: Item) -> str:
    """The item's schema as JSON text."""
    schema = item.metadata.get("schema")
    if isinstance(schema, Mapping | bool):
        return json.dumps(schema)
    if isinstance(schema, str):
        return schema
    if schema is None and not isinstance(item.target, int) and len(item.target) == 1:
        return item.target[0]
    raise TaskError(
        f"item {item.id}: the json_schema scorer needs a schema, got {schema!r:.40} and as target "
        f"{item.target!r:.40}",
        "Put the schema into a column `metadata` (or `meta`) as `schema`, or make its JSON text the target.",
    )


@lru_cache(maxsize=512)
def _validator(item_id: str, schema: str, formats: bool) -> Any:
    jsonschema_rs = extra("jsonschema_rs", "json_schema")
    try:
        return jsonschema_rs.validator_for(
            json.loads(schema),
            validate_formats=formats,
            retriever=_refuse,
            pattern_options=jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACKS),
        )
    except (ValueError, RecursionError) as error:
        raise TaskError(
            f"item {item_id}: its schema cannot be used: {getattr(error, 'message', error)!s:.300}",
            "It must be a valid schema and refer to nothing outside itself: put what it needs under $defs.",
        ) from None


@lru_cache(maxsize=512)
def _kind(schema: str) -> Kind:
    value = json.loads(schema)
    wanted = value.get("type") if isinstance(value, Mapping) else None
    return "object" if wanted == "object" else "array" if wanted == "array" else "any"


def _refuse(uri: str) -> Any:
    raise ValueError(f"nothing is fetched: {uri}")
