"""BLEU of a sentence, by the package sacrebleu."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal

from bakeoff.nouns import Item, Response, Score
from bakeoff.score.comparable import compare_whole
from bakeoff.score.extras import extra
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask

Tokens = Literal["13a", "intl", "char", "zh", "none"]


@dataclass(frozen=True, slots=True)
class Bleu:
    """BLEU of the answer against all references together: shared runs of one to four words, in [0, 1].

    Papineni et al. 2002, as `sacrebleu` computes it for a sentence: exponential smoothing, and only the
    orders the answer is long enough for. The mean over items is not corpus BLEU, which papers report, and is
    mostly lower or higher by points: the reason of each score keeps the counts that corpus BLEU sums
    (matches and totals by order, both lengths). `tokens: zh` or `char` where words have no spaces.
    """

    name: ClassVar[str] = "bleu"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"

    tokens: Tokens = "13a"
    ignore_case: bool = False

    @property
    def id(self) -> str:
        """`bleu@1`, with the options that differ from their defaults."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """Sentence BLEU divided by 100."""
        return compare_whole(self.id, self.name, item, response, self._compare)

    def _compare(self, answer: str, references: Sequence[str]) -> tuple[float, str]:
        result = _package(self.tokens, self.ignore_case).sentence_score(answer, list(references))
        matches = "/".join(map(str, result.counts))
        totals = "/".join(map(str, result.totals))
        return (
            result.score / 100,
            f"matches {matches} of {totals}, length {result.sys_len} to {result.ref_len}",
        )


@lru_cache(maxsize=8)
def _package(tokens: Tokens, ignore_case: bool) -> Any:
    metrics = extra("sacrebleu.metrics", "bleu")
    return metrics.BLEU(tokenize=tokens, lowercase=ignore_case, effective_order=True)
