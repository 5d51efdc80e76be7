"""ROUGE, by the package rouge-score."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal

from bakeoff.nouns import Item, Response, Score
from bakeoff.score.comparable import compare_whole
from bakeoff.score.extras import extra
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask

Variant = Literal["rouge1", "rouge2", "rougeL", "rougeLsum"]


@dataclass(frozen=True, slots=True)
class Rouge:
    """ROUGE against the best reference: shared words (1), word pairs (2), or longest common subsequence (L).

    Lin 2004, as Google's `rouge-score` computes it: ASCII letters and digits only, lower case; `stemmer`
    applies Porter's. For `rougeLsum` sentences stand on lines of their own. Other scripts than Latin leave
    no words: use `chrf` there. A headline is the mean over items.
    """

    name: ClassVar[str] = "rouge"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"

    variant: Variant = "rougeL"
    measure: Literal["f1", "precision", "recall"] = "f1"
    stemmer: bool = False

    @property
    def id(self) -> str:
        """`rouge@1`, with the options that differ from their defaults."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """The highest value over the references, in [0, 1]."""
        return compare_whole(self.id, self.name, item, response, self._compare)

    def _compare(self, answer: str, references: Sequence[str]) -> tuple[float, str]:
        package = _package(self.variant, self.stemmer)
        results = [package.score(reference, answer)[self.variant] for reference in references]
        best = max(results, key=self._value)
        return self._value(best), f"precision {best.precision:.3f}, recall {best.recall:.3f}"

    def _value(self, result: Any) -> float:
        return float(result.fmeasure if self.measure == "f1" else getattr(result, self.measure))


@lru_cache(maxsize=8)
def _package(variant: Variant, stemmer: bool) -> Any:
    return extra("rouge_score.rouge_scorer", "rouge").RougeScorer([variant], use_stemmer=stemmer)
