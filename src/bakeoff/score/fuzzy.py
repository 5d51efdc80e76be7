"""How similar an answer is to an accepted text, letter by letter."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from bakeoff.errors import TaskError
from bakeoff.nouns import Item, Response, Score
from bakeoff.score.comparable import compare_whole
from bakeoff.score.extras import extra
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask

Measure = Literal["levenshtein", "indel", "jaro_winkler", "partial", "token_sort", "token_set"]


@dataclass(frozen=True, slots=True)
class Fuzzy:
    """Similarity of the whole answer to the nearest accepted text, in [0, 1], or whether it is high enough.

    By `rapidfuzz`. `levenshtein`: 1 less the edits (insert, delete, replace) by the longer length; `indel`:
    without replacing, by both lengths; `jaro_winkler`: for names; `partial`: the best place of the shorter
    text in the longer; `token_sort`, `token_set`: of the sorted words, or of what the sets of words share.
    With a `threshold` the value is 1 from there on and 0 below; without, the similarity itself.
    """

    name: ClassVar[str] = "fuzzy"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"

    measure: Measure = "levenshtein"
    threshold: float = 0.0
    ignore_case: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise TaskError(f"scorer fuzzy: threshold must lie in [0, 1], got {self.threshold}")

    @property
    def id(self) -> str:
        """`fuzzy@1`, with the options that differ from their defaults."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """The similarity, or whether it reaches the threshold."""
        return compare_whole(self.id, self.name, item, response, self._compare)

    def _compare(self, answer: str, references: Sequence[str]) -> tuple[float, str]:
        similarity = _similarity(self.measure)
        said = self._normal(answer)
        value = max(similarity(said, self._normal(reference)) for reference in references)
        reason = f"{self.measure} similarity {value:.3f}"
        return (float(value >= self.threshold) if self.threshold else value), reason

    def _normal(self, text: str) -> str:
        text = unicodedata.normalize("NFC", text)
        if self.ignore_case:
            text = unicodedata.normalize("NFC", text.casefold())
        return " ".join(text.split())


def _similarity(measure: Measure) -> Callable[[str, str], float]:
    distance = extra("rapidfuzz.distance", "fuzzy")
    fuzz = extra("rapidfuzz.fuzz", "fuzzy")
    of_edits: dict[str, Callable[[str, str], float]] = {
        "levenshtein": distance.Levenshtein.normalized_similarity,
        "indel": distance.Indel.normalized_similarity,
        "jaro_winkler": distance.JaroWinkler.similarity,
    }
    if measure in of_edits:
        return of_edits[measure]
    ratio: Callable[[str, str], float] = getattr(fuzz, f"{measure}_ratio")
    return lambda said, gold: ratio(said, gold) / 100
