"""One JSON object, judged field by field."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar, Literal

from bakeoff.digest import digest
from bakeoff.errors import TaskError
from bakeoff.nouns import Item, Outcome, Response, Score
from bakeoff.score.extract.extraction import Extraction, Nothing
from bakeoff.score.extract.json_value import NotJsonError, StatedJson, extract_json, parse_json
from bakeoff.score.fields.compare import (
    MOST_VALUES,
    VERDICTS,
    GoldError,
    Judged,
    TooManyError,
    check_gold,
    compare,
    leaves,
)
from bakeoff.score.fields.shapes import Shape, Typed
from bakeoff.score.fields.spec import read_object
from bakeoff.score.json_schema import JsonSchema
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.second_turn import written_again
from bakeoff.score.verdict import settle, shortened, zero

_LONGEST = 1_000_000
"""Characters of an answer."""
_NAMED = 3
"""Fields that a reason names of each verdict."""


@dataclass(frozen=True, slots=True)
class Fields:
    """One JSON object compared with the target's field by field, each by its kind: date, amount, name, list.

    `fields` maps names to kinds (`fields.spec`); without it fields are compared by the target's JSON types.
    The value is the micro F1 of the fields given against the fields expected, or with `value: exact` 1 where
    all are right and the object is valid. `schema`, or the item's `metadata.schema`, is a JSON Schema that
    the object is held to; `formats` as in `json_schema`. Nothing is mended: JSON with a trailing comma, or
    with a name twice in one object, is no answer. `second_turn` tells the model once what cannot be read or
    is not valid, and judges what it then writes.
    """

    name: ClassVar[str] = "fields"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"

    # Options are checked against these very types; the hash leaves out what has none.
    fields: dict | None = field(default=None, hash=False)  # type: ignore[type-arg]
    value: Literal["f1", "exact"] = "f1"
    schema: dict | None = field(default=None, hash=False)  # type: ignore[type-arg]
    formats: bool = False
    second_turn: bool = False

    def __post_init__(self) -> None:
        if self.fields is not None:
            _shape(_written(self.fields, "fields"))
        if self.schema is not None:
            _written(self.schema, "schema")

    @property
    def id(self) -> str:
        """`fields@1`, with the options that differ from their defaults; of a schema its digest."""
        if self.schema is None:
            return identifier(self)
        return identifier(replace(self, schema={"digest": digest(self.schema)[7:19]}))

    def __call__(self, item: Item, response: Response) -> Score:
        """The F1, or whether all is right. `extracted` is JSON: see `FieldVerdicts`."""
        shape = self._shape()
        golds = _golds(item, shape)
        if len(response.text) > _LONGEST:
            return settle(self.id, response, Nothing(f"longer than {_LONGEST:,} characters"), 0.0)
        found = extract_json(response.text, kind="object")
        if isinstance(found, Nothing):
            return settle(self.id, response, found, 0.0)
        if flaw := _unreadable(found):
            return zero(self.id, Outcome.NO_ANSWER, flaw, found.extraction.text)
        score = settle(self.id, response, found.extraction, 0.0)
        if score.outcome is not Outcome.SCORED:
            return score
        try:
            every = [FieldVerdicts.of(compare(shape, found.value, gold)) for gold in golds]
        except TooManyError as error:
            return zero(self.id, Outcome.NO_ANSWER, str(error), found.extraction.text)
        verdicts = max(every, key=lambda each: each.f1)
        validity = self._validity(item, found.value)
        if validity is not None and validity.outcome is not Outcome.SCORED:
            return replace(validity, scorer=self.id)
        verdicts = replace(
            verdicts,
            valid=None if validity is None else validity.value == 1,
            taken_from=found.extraction.how if _around(found.extraction, response.text) else "",
        )
        exact = verdicts.all_right and verdicts.valid is not False
        return replace(
            score,
            value=verdicts.f1 if self.value == "f1" else float(exact),
            extracted=verdicts.to_json(),
            reason=f"{_found_how(found.extraction, response.text)}: {_in_words(verdicts, validity)}",
        )

    def repair(self, item: Item, response: Response) -> str | None:
        """With `second_turn`, why the answer cannot be read or is not valid; nothing of the target."""
        if not self.second_turn or len(response.text) > _LONGEST:
            return None
        found = extract_json(response.text, kind="object")
        if isinstance(found, Nothing):
            return written_again(response, found.why)
        why, validity = _unreadable(found), None
        if not why:
            validity = self._validity(item, found.value)
        if validity is not None and validity.value == 0:
            why = f"it does not fit the schema {validity.reason.partition(': ')[2]}"
        return written_again(response, why)

    def _shape(self) -> Shape:
        return Typed() if self.fields is None else _shape(_written(self.fields, "fields"))

    def _validity(self, item: Item, value: Any) -> Score | None:
        """How `json_schema` judges the object; None where there is no schema."""
        schema = self.schema if self.schema is not None else item.metadata.get("schema")
        if schema is None:
            return None
        held_to = Item(item.id, "", metadata={"schema": schema})
        return JsonSchema(formats=self.formats)(held_to, Response(text=json.dumps(value)))


@dataclass(frozen=True, slots=True)
class FieldVerdicts:
    """The paths of an answer's fields by verdict, and whether the object is valid; None without a schema.

    `taken_from` says where in the answer a rule found the object ("a fenced json block"), and is empty where
    the answer is the object and nothing else; None in records older than it. As JSON: {"valid": true,
    "taken_from": "", "right": ["total", "lines[0].sku"], "wrong": [], "missing": [], …}. The paths are those
    of `Judged`.
    """

    paths: Mapping[str, Sequence[str]]
    valid: bool | None = None
    taken_from: str | None = None

    @classmethod
    def of(cls, judged: Sequence[Judged]) -> "FieldVerdicts":
        """The same, by verdict."""
        return cls({kind: [each.path for each in judged if each.verdict == kind] for kind in VERDICTS})

    @classmethod
    def from_json(cls, text: str) -> "FieldVerdicts":
        """Read back what `to_json` wrote."""
        found = json.loads(text)
        return cls({kind: found[kind] for kind in VERDICTS}, found["valid"], found.get("taken_from"))

    def to_json(self) -> str:
        """One line of JSON."""
        about = {"valid": self.valid, "taken_from": self.taken_from}
        return json.dumps(about | dict(self.paths), ensure_ascii=False)

    def judged(self) -> Iterator[Judged]:
        """Every field with its verdict."""
        return (Judged(path, kind) for kind in VERDICTS for path in self.paths[kind])

    @property
    def f1(self) -> float:
        """2 right / (given + expected): the harmonic mean of precision and recall over all fields.

        1 where nothing is expected and nothing given.
        """
        n = {kind: len(self.paths[kind]) for kind in VERDICTS}
        both = 2 * (n["right"] + n["wrong"]) + n["missing"] + n["hallucinated"]
        return 2 * n["right"] / both if both else 1.0

    @property
    def all_right(self) -> bool:
        """Whether no field is wrong, missing or hallucinated."""
        return not any(self.paths[kind] for kind in ("wrong", "missing", "hallucinated"))


def of_nothing(scorer_id: str, target: int | tuple[str, ...]) -> list[Judged]:
    """The verdicts on an answer without an object, by the `fields` in the id of the scorer that judged it:
    what the target gives is missing, what it leaves out absent.

    Of several targets the first counts. Empty for one that cannot be read.
    """
    spec = re.match(r"fields@\d+\(fields=", scorer_id)
    shape: Shape = Typed()
    if spec is not None:
        shape = _shape(json.dumps(json.JSONDecoder().raw_decode(scorer_id, spec.end())[0]))
    if isinstance(target, int) or not target:
        return []
    try:
        return compare(shape, None, parse_json(target[0]))
    except NotJsonError:
        return []


def _golds(item: Item, shape: Shape) -> Sequence[Any]:
    if isinstance(item.target, int) or not item.target:
        raise TaskError(
            f"item {item.id}: the fields scorer needs a JSON object as its target, got {item.target!r:.80}",
            "Set `fields.target` to a column that holds an object, or its JSON text.",
        )
    return [_gold(item.id, text, shape) for text in item.target]


def _gold(item_id: str, text: str, shape: Shape) -> Any:
    try:
        gold = parse_json(text)
        if flaw := _flaw(gold) or _repeated_name(text):
            raise GoldError(flaw)
        check_gold(shape, gold)
    except (NotJsonError, GoldError) as error:
        raise TaskError(
            f"item {item_id}: the target cannot be compared: {error}",
            "Correct the target, or the kind that the scorer's `fields` give this field.",
        ) from None
    return gold


def _unreadable(found: StatedJson) -> str:
    """Why what was found is not one JSON object; "" where it is."""
    if found.repaired:
        return f"not JSON: {found.repaired} would have to be mended"
    return _flaw(found.value) or _repeated_name(found.extraction.text)


def _flaw(value: Any) -> str:
    if not isinstance(value, dict):
        kind = "list" if isinstance(value, list) else "text" if isinstance(value, str) else "single value"
        return f"a JSON {kind}, not an object"
    many = sum(1 for _ in leaves(Typed(), value)) > MOST_VALUES
    return f"more than {MOST_VALUES:,} values" if many else ""


def _repeated_name(text: str) -> str:
    """Why an object of JSON text is ambiguous: it gives a name twice."""
    repeated: list[str] = []

    def count(pairs: list[tuple[str, Any]]) -> None:
        repeated.extend(name for name, n in Counter(name for name, _ in pairs).items() if n > 1)

    json.loads(text, object_pairs_hook=count)
    return f"ambiguous: the name {repeated[0]!r:.40} stands twice in one object" if repeated else ""


def _around(found: Extraction, text: str) -> int:
    """How many characters are not of the object, blanks at the ends apart."""
    return len(text.strip()) - len(found.text)


def _found_how(found: Extraction, text: str) -> str:
    around = _around(found, text)
    return f"{found.how}, {around:,} characters around it left out" if around > 0 else found.how


def _in_words(verdicts: FieldVerdicts, validity: Score | None) -> str:
    expected = sum(len(verdicts.paths[kind]) for kind in ("right", "wrong", "missing"))
    parts = [f"{len(verdicts.paths['right'])} of {expected} fields right"]
    for kind in ("wrong", "missing", "hallucinated"):
        paths = verdicts.paths[kind]
        if paths:
            more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
            parts.append(f"{kind} {', '.join(paths[:_NAMED])}{more}")
    if validity is not None and validity.value == 0:
        parts.append(f"not valid {validity.reason.partition(': ')[2]}")
    return shortened("; ".join(parts)) or ""


def _written(option: Mapping[str, Any], name: str) -> str:
    try:
        return json.dumps(option)
    except (TypeError, ValueError, RecursionError) as error:
        raise TaskError(
            f"scorer fields: option `{name}` is not JSON: {error}", "Quote dates and other special values."
        ) from None


@lru_cache(maxsize=64)
def _shape(text: str) -> Shape:
    return read_object(json.loads(text), "fields")
