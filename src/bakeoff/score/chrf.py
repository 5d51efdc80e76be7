"""chrF of a sentence, by the package sacrebleu."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from bakeoff.errors import TaskError
from bakeoff.nouns import Item, Response, Score
from bakeoff.score.comparable import compare_whole
from bakeoff.score.extras import extra
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask


@dataclass(frozen=True, slots=True)
class Chrf:
    """chrF2 of the answer against the best reference: shared runs of one to six characters, in [0, 1].

    Popović 2015, as `sacrebleu` computes it: recall counts twice, spaces do not count. `word_order: 2` is
    chrF++ (Popović 2017). Works for every script. The mean over items is not the corpus score of papers,
    which sums counts first.
    """

    name: ClassVar[str] = "chrf"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"

    word_order: int = 0
    ignore_case: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.word_order <= 4:
            raise TaskError(
                f"scorer chrf: word_order must lie in 0 to 4, got {self.word_order}",
                "0 is chrF, 2 is chrF++.",
            )

    @property
    def id(self) -> str:
        """`chrf@1`, with the options that differ from their defaults."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """Sentence chrF divided by 100."""
        return compare_whole(self.id, self.name, item, response, self._compare)

    def _compare(self, answer: str, references: Sequence[str]) -> tuple[float, str]:
        package = _package(self.word_order, self.ignore_case)
        value = package.sentence_score(answer, list(references)).score / 100
        return value, f"chrF{'+' * self.word_order} {value:.3f}"


@lru_cache(maxsize=8)
def _package(word_order: int, ignore_case: bool) -> Any:
    return extra("sacrebleu.metrics", "chrf").CHRF(word_order=word_order, lowercase=ignore_case)
