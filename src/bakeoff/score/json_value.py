"""A JSON value, compared as a value."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar

from bakeoff.errors import TaskError
from bakeoff.nouns import Item, Outcome, Response, Score
from bakeoff.score.extract.extraction import Nothing
from bakeoff.score.extract.json_value import Kind, NotJsonError, extract_json, parse_json
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.verdict import settle, zero


@dataclass(frozen=True, slots=True)
class JsonValue:
    """The JSON value of the answer equals a target, type by type: true is not 1, and "1" is not 1.

    Numbers by value (1.0 is 1), objects whatever the order of their names, arrays in order. Targets are JSON
    texts. The value is the whole answer, the last fenced block that is JSON, or the first object or array in
    running text. What is JSON only after mending (trailing commas, comments, Python notation) is no answer,
    unless `mend`; the reason says so either way.
    """

    name: ClassVar[str] = "json_value"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"

    mend: bool = False

    @property
    def id(self) -> str:
        """`json_value@1`, with the options that differ from their defaults."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """Value 1 where the value equals a target, else 0."""
        golds = _golds(item)
        found = extract_json(response.text, kind=_kind(golds))
        if isinstance(found, Nothing):
            return settle(self.id, response, found, 0.0)
        if found.repaired and not self.mend:
            reason = f"not JSON: {found.repaired} would have to be mended"
            return zero(self.id, Outcome.NO_ANSWER, reason, found.extraction.text)
        differences = [next(_differences(found.value, gold), None) for gold in golds]
        right = None in differences
        score = settle(self.id, response, found.extraction, float(right))
        if score.outcome is not Outcome.SCORED:
            return score
        mended = f", {found.repaired} mended" if found.repaired else ""
        verdict = "equal" if right else f"at {differences[0]}"
        return replace(score, reason=f"{found.extraction.how}{mended}: {verdict}")


def _differences(said: Any, gold: Any, path: str = "$") -> Iterator[str]:
    """Where two JSON values differ, and how: `$.a[1]: 3, not 4`."""
    if isinstance(said, dict) and isinstance(gold, dict):
        for name in gold:
            if name not in said:
                yield f"{path}.{name:.40}: missing"
            else:
                yield from _differences(said[name], gold[name], f"{path}.{name:.40}")
        yield from (f"{path}.{name:.40}: not expected" for name in said if name not in gold)
    elif isinstance(said, list) and isinstance(gold, list):
        if len(said) != len(gold):
            yield f"{path}: {len(said)} elements, not {len(gold)}"
        for index, (left, right) in enumerate(zip(said, gold, strict=False)):
            yield from _differences(left, right, f"{path}[{index}]")
    elif isinstance(said, bool) is not isinstance(gold, bool) or said != gold:
        yield f"{path}: {said!r:.40}, not {gold!r:.40}"


def _golds(item: Item) -> tuple[Any, ...]:
    if isinstance(item.target, int) or not item.target:
        raise TaskError(
            f"item {item.id}: the json_value scorer needs a JSON text as its target, got {item.target!r:.80}",
            "Set `fields.target` to a column of JSON texts, and leave it out of `data.json_columns`.",
        )
    return tuple(_gold(item.id, text) for text in item.target)


@lru_cache(maxsize=4096)
def _gold(item_id: str, text: str) -> Any:
    try:
        return parse_json(text)
    except NotJsonError as error:
        raise TaskError(
            f"item {item_id}: the target {text!r:.80} is not JSON: {error}",
            'A text needs its quotes: "Paris".',
        ) from None


def _kind(golds: tuple[Any, ...]) -> Kind:
    kinds = {type(gold) for gold in golds}
    return "object" if kinds == {dict} else "array" if kinds == {list} else "any"
