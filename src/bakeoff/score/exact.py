"""The whole answer, as it is."""

import re
import unicodedata
from dataclasses import dataclass
from typing import ClassVar

from bakeoff.nouns import FinishReason, Item, Outcome, Response, Score
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.targets import accepted_texts
from bakeoff.score.verdict import scored, zero


@dataclass(frozen=True, slots=True)
class Exact:
    """The whole answer equals an accepted text, but for surrounding whitespace (and case, if told).

    Both sides in Unicode NFC, runs of whitespace as one space. `ignore_punctuation` drops everything that is
    neither a letter, a digit, a mark nor a space: "Paris." is then "Paris".
    """

    name: ClassVar[str] = "exact"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"

    ignore_case: bool = False
    ignore_punctuation: bool = False

    @property
    def id(self) -> str:
        """`exact@1`, with the options that differ from their defaults."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """Value 1 where the answer equals an accepted text, else 0."""
        golds = accepted_texts(item, self.name)
        answer = response.text.strip()
        if response.finish is FinishReason.LENGTH:
            # Whatever it is, it was going on.
            return zero(self.id, Outcome.TRUNCATED, "the token limit cut the answer", answer)
        said = self._normal(answer)
        if not said:
            return zero(self.id, Outcome.NO_ANSWER, "nothing but punctuation")
        right = said in {self._normal(gold) for gold in golds}
        return scored(
            self.id, right, answer, "equals an accepted text" if right else "equals no accepted text"
        )

    def _normal(self, text: str) -> str:
        text = unicodedata.normalize("NFC", text)
        if self.ignore_case:
            text = unicodedata.normalize("NFC", text.casefold())
        if self.ignore_punctuation:
            text = re.sub(r"[^\w\s]|_", " ", text)
        return " ".join(text.split())
