"""A ranked list of documents."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar

from bakeoff.errors import TaskError
from bakeoff.nouns import Item, Outcome, Response, Score
from bakeoff.score.extract.extraction import Extraction, Nothing
from bakeoff.score.extract.json_value import NotJsonError, StatedJson, extract_json, parse_json
from bakeoff.score.options import identifier
from bakeoff.score.passages import passages_of
from bakeoff.score.scorer import Ask
from bakeoff.score.verdict import scored, settle, unscored
from bakeoff.stats.retrieval.measures import measured, parse_measure
from bakeoff.stats.retrieval.ranking import without_repeats

_LONGEST = 1_000_000
"""Characters of an answer."""
_IN_REASON = ("recall", "precision", "mrr")
_MARKER = re.compile(r"\A(?:[-*•]|\d{1,4}[.)])[ \t]+")


@dataclass(frozen=True, slots=True)
class Retrieval:
    """A ranked list of document ids, by `measure`: nDCG, recall, precision, hit, MRR or MAP at a depth.

    The answer is a JSON array of ids (texts or whole numbers), or one id per line; bullets and numbering are
    dropped, and a line that ends with a colon introduces the list. Where the answer's pipeline names its
    passages, these are the list, whatever the answer. Of an id that is there twice the first counts.

    What is relevant stands in `metadata.relevant`, ids or {id: gain}, else in the target, {id: gain} as one
    JSON text or ids. A query whose `metadata.relevant` has none is not scorable. Documents without a gain are
    not relevant, as in trec_eval, and the reason counts them; with `metadata.documents`, the ids there are,
    it also counts ids that do not exist. Measures: `ndcg` (linear gain), `ndcg_exp`, `recall`, `precision`,
    `hit`, `mrr`, `map`, each with `@k` or for the whole list.
    """

    name: ClassVar[str] = "retrieval"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"
    reads_passages: ClassVar[bool] = True

    measure: str = "ndcg@10"

    def __post_init__(self) -> None:
        try:
            parse_measure(self.measure)
        except ValueError as error:
            raise TaskError("scorer retrieval: option `measure` cannot be used", str(error)) from None

    @property
    def id(self) -> str:
        """`retrieval@1`, with the measure where it is another than ndcg@10."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """The value of the measure, in [0, 1]. An empty list is an answer, and worth 0."""
        gains, existing = _gains(item), _existing(item)
        if gains is None:
            return unscored(self.id, Outcome.SCORER_ERROR, "not scorable: no document is relevant")
        passages = passages_of(response)
        if passages is not None:
            ids = [passage.id for passage in passages]
            value, reason = self._measured(item, ids, gains, existing)
            return scored(self.id, value, _shown(without_repeats(ids)), f"the pipeline's passages: {reason}")
        listed = _listed(response.text)
        if isinstance(listed, Nothing):
            return settle(self.id, response, listed, 0.0)
        said, found = listed
        value, reason = self._measured(item, said, gains, existing)
        score = settle(self.id, response, found, value)
        if score.outcome is not Outcome.SCORED:
            return score
        return replace(score, extracted=_shown(without_repeats(said)), reason=f"{found.how}: {reason}")

    def _measured(
        self, item: Item, said: Sequence[str], gains: Mapping[str, float], existing: frozenset[str] | None
    ) -> tuple[float, str]:
        """The value of the ids in the order said, repeats included, and how it came about."""
        ranking = without_repeats(said)
        value = self._value(item, ranking, gains)
        counts = _counts(said, ranking, gains, existing, parse_measure(self.measure)[1])
        others = ", ".join(f"{name} {measured(name, ranking, gains):.3f}" for name in self._others())
        return value, f"{counts}; {self.measure} {value:.3f}, {others}"

    def _value(self, item: Item, ranking: Sequence[str], gains: Mapping[str, float]) -> float:
        try:
            value = measured(self.measure, ranking, gains)
        except ValueError as error:
            raise TaskError(f"item {item.id}: {error}", "Mend the gains in its target.") from None
        if value is None:
            raise TaskError(
                f"item {item.id}: no document has a gain above 0, so nothing can be found",
                "Leave such queries out of the data, or ask them as questions to abstain from.",
            )
        return value

    def _others(self) -> list[str]:
        name, k = parse_measure(self.measure)
        depth = f"@{k}" if k else ""
        return [other + depth for other in _IN_REASON if other != name]


def _listed(text: str) -> tuple[list[str], Extraction] | Nothing:
    """The ids in the order said, repeats included."""
    if len(text) > _LONGEST:
        return Nothing(f"longer than {_LONGEST:,} characters")
    found = extract_json(text, kind="array")
    if isinstance(found, Nothing) or not isinstance(found.value, list | dict):
        # A broken array is not a list with one id per line.
        return Nothing("a JSON array that is broken") if text.lstrip().startswith("[") else _lines(text)
    if found.repaired:
        return Nothing(f"not JSON: {found.repaired} would have to be mended")
    if found.extraction.strength == "fallback" and (doubt := _doubt(text, found)):
        return Nothing(doubt)
    if isinstance(found.value, dict):
        return Nothing("a JSON object, not an array of document ids")
    ids = [_id(each) for each in found.value]
    known = [each for each in ids if each]
    if len(known) < len(ids):
        return Nothing(f"element {ids.index('') + 1} of the array is not a document id")
    return known, found.extraction


def _doubt(text: str, found: StatedJson) -> str:
    """Why an array in running text may not be the answer; empty where it must be."""
    if len(found.value) == 1 and isinstance(found.value[0], int):
        return "one number in brackets, which may be a citation"
    rest = text[found.extraction.end + 1 :]
    another = not isinstance(extract_json(rest, kind="array"), Nothing)
    return "several JSON arrays, none of them marked as the answer" if another else ""


def _id(value: Any) -> str:
    """A document id as text; empty where the value is none."""
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def _lines(text: str) -> tuple[list[str], Extraction] | Nothing:
    lines = [line.strip() for line in text.splitlines()]
    ids = [_MARKER.sub("", line).strip("`\"'* \t,") for line in lines if not line.endswith(":")]
    ids = [each for each in ids if each]
    if not ids:
        return Nothing("there is no list of document ids in it")
    return ids, Extraction(text.strip(), "explicit", "one id per line", 0, len(text))


def _counts(
    said: Sequence[str],
    ranking: Sequence[str],
    gains: Mapping[str, float],
    existing: frozenset[str] | None,
    k: int | None,
) -> str:
    top = ranking[:k]
    unjudged = sum(document not in gains for document in top)
    parts = [f"{len(ranking)} documents", f"{unjudged} of the first {len(top)} not judged"]
    if repeats := len(said) - len(ranking):
        parts.append(f"{repeats} repeated")
    if existing is not None and (unknown := sum(document not in existing for document in ranking)):
        parts.append(f"{unknown} that do not exist")
    return ", ".join(parts)


def _shown(ranking: Sequence[str]) -> str:
    """The list as far as 200 characters go; all of it is in the sample's text."""
    text = json.dumps(ranking[:50], ensure_ascii=False)
    return text if len(text) <= 200 else text[:199] + "…"


def _gains(item: Item) -> Mapping[str, float] | None:
    """What is relevant, and how much; None where the item says that nothing is."""
    if "relevant" in item.metadata:
        gains = _relevant(item)
        return gains if any(gain > 0 for gain in gains.values()) else None
    if isinstance(item.target, int) or not item.target:
        raise TaskError(
            f"item {item.id}: the retrieval scorer needs judged documents, got {item.target!r:.80}",
            "Set `fields.target` to a column with {document id: gain}, or with the relevant ids.",
        )
    if len(item.target) == 1 and item.target[0].lstrip().startswith("{"):
        return _judged(item.id, item.target[0])
    return dict.fromkeys(item.target, 1.0)


def _relevant(item: Item) -> Mapping[str, float]:
    """The gains in `metadata.relevant`: a mapping, or ids."""
    relevant = item.metadata["relevant"]
    if isinstance(relevant, Mapping):
        return _judged(item.id, json.dumps(dict(relevant)))
    ids = [_id(each) for each in relevant] if isinstance(relevant, list | tuple) else [""]
    if not all(ids):
        raise TaskError(
            f"item {item.id}: metadata.relevant must be ids, or {{id: gain}}, got {relevant!r:.60}",
            "Write the ids of the relevant documents, as texts or whole numbers.",
        )
    return dict.fromkeys(ids, 1.0)


@lru_cache(maxsize=4096)
def _judged(item_id: str, text: str) -> Mapping[str, float]:
    try:
        judged = parse_json(text)
    except NotJsonError as error:
        raise TaskError(
            f"item {item_id}: what is relevant is not JSON: {error}",
            "Write {document id: gain} as a mapping, or the relevant ids as a list.",
        ) from None
    for document, gain in judged.items():
        if isinstance(gain, bool) or not isinstance(gain, int | float):
            raise TaskError(
                f"item {item_id}: the gain of document {document:.60} is {gain!r:.40}, not a number",
                "Write 1 for relevant and 0 for not, or grades from 0.",
            )
    return {document: float(max(-1e300, min(gain, 1e300))) for document, gain in judged.items()}


def _existing(item: Item) -> frozenset[str] | None:
    """The ids there are, where the item says so: the keys of a mapping, or a list."""
    documents = item.metadata.get("documents")
    if documents is None:
        return None
    ids = [_id(each) for each in documents] if isinstance(documents, Mapping | list | tuple) else [""]
    if not all(ids):
        raise TaskError(
            f"item {item.id}: metadata.documents must be ids, or a mapping whose keys are, got "
            f"{documents!r:.60}",
            "Write the ids of the documents there are, as texts or whole numbers.",
        )
    return frozenset(ids)
