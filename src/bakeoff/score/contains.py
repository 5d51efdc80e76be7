"""A text somewhere in the answer."""

import re
import unicodedata
from dataclasses import dataclass
from typing import ClassVar, Literal

from bakeoff.nouns import FinishReason, Item, Outcome, Response, Score
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.targets import accepted_texts
from bakeoff.score.verdict import scored, zero


@dataclass(frozen=True, slots=True)
class Contains:
    """The answer contains an accepted text, or with `require: all` every one of them.

    `whole_words` keeps "cat" out of "concatenate". Both sides in Unicode NFC, runs of whitespace as one
    space. A text that was found before the token limit counts; one that was not may have come after it.
    """

    name: ClassVar[str] = "contains"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"

    require: Literal["any", "all"] = "any"
    ignore_case: bool = True
    whole_words: bool = False

    @property
    def id(self) -> str:
        """`contains@1`, with the options that differ from their defaults."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """Value 1 where the required texts occur, else 0."""
        golds = accepted_texts(item, self.name)
        text = self._normal(response.text)
        found = [gold for gold in golds if self._occurs(self._normal(gold), text)]
        enough = len(found) == len(golds) if self.require == "all" else bool(found)
        if enough:
            return scored(self.id, 1.0, ", ".join(found), "contains it")
        if response.finish is FinishReason.LENGTH:
            return zero(self.id, Outcome.TRUNCATED, "the token limit came before the text was found")
        missing = next(gold for gold in golds if gold not in found)
        return scored(self.id, 0.0, None, f"does not contain {missing:.60}")

    def _normal(self, text: str) -> str:
        text = unicodedata.normalize("NFC", text)
        if self.ignore_case:
            text = unicodedata.normalize("NFC", text.casefold())
        return " ".join(text.split())

    def _occurs(self, gold: str, text: str) -> bool:
        if not self.whole_words:
            return gold in text
        return re.search(rf"(?<!\w){re.escape(gold)}(?!\w)", text) is not None
