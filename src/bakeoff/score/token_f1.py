"""How many words an answer shares with an accepted one."""

import re
import string
from collections import Counter
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from bakeoff.nouns import Item, Outcome, Response, Score
from bakeoff.score.extract.extraction import Nothing
from bakeoff.score.extract.short import extract_short
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.targets import accepted_texts
from bakeoff.score.verdict import settle

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_CLOSED = frozenset({"yes", "no", "noanswer"})


@dataclass(frozen=True, slots=True)
class TokenF1:
    """F1 of the words shared with the best accepted text, normalised as SQuAD does; or exact match.

    Lower case, without ASCII punctuation and the articles a, an, the; words are what spaces separate, with
    their multiplicity (Rajpurkar et al. 2016). `measure: exact` is 1 where the normalised texts are equal.
    `closed` is HotpotQA's rule: yes, no and noanswer share nothing with a longer text. `announced` takes the
    answer out of "The answer is Paris."; false compares the whole text, as the original scripts do.
    """

    name: ClassVar[str] = "token_f1"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"

    measure: Literal["f1", "exact"] = "f1"
    closed: bool = False
    announced: bool = True

    @property
    def id(self) -> str:
        """`token_f1@1`, with the options that differ from their defaults."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """The highest value over the accepted texts, in [0, 1]."""
        golds = accepted_texts(item, self.name)
        found = extract_short(response.text, announced=self.announced)
        if isinstance(found, Nothing):
            return settle(self.id, response, found, 0.0)
        value = max(self._value(found.text, gold) for gold in golds)
        score = settle(self.id, response, found, value)
        if score.outcome is not Outcome.SCORED or self.measure == "exact":
            return score
        return replace(score, reason=f"F1 {value:.3f}; {score.reason}")

    def _value(self, said: str, gold: str) -> float:
        if self.measure == "exact":
            return float(squad_normal(said) == squad_normal(gold))
        return token_f1(said, gold, closed=self.closed)


def squad_normal(text: str) -> str:
    """`text` in lower case, without ASCII punctuation and English articles, single-spaced."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def token_f1(said: str, gold: str, *, closed: bool = False) -> float:
    """Harmonic mean of precision and recall of the shared words of the normalised texts, in [0, 1].

    Where one side has no words left, 1 if neither has. With `closed`, 0 for unequal texts of which one is
    yes, no or noanswer.
    """
    said, gold = squad_normal(said), squad_normal(gold)
    if not said or not gold or (closed and not _CLOSED.isdisjoint((said, gold))):
        return float(said == gold)
    said_words, gold_words = said.split(), gold.split()
    shared = (Counter(said_words) & Counter(gold_words)).total()
    return 2 * shared / (len(said_words) + len(gold_words))
