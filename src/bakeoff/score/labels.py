"""Which of a set of labels an answer names."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Item, Outcome, Response, Score
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.targets import accepted_texts
from bakeoff.score.verdict import scored, zero


@dataclass(frozen=True, slots=True)
class Labels:
    """Of the item's labels, the answer names all that the target lists and no other.

    `metadata.labels` are the texts among which an answer decides; what else it says does not matter. Labels
    that stand in `metadata.question`, where there is one, never count, since answers repeat the question.
    `first_sentence` reads the answer up to its first full stop. With `whole_words: false` and it, this is
    BABILong's rule (Kuratov et al. 2024).
    """

    name: ClassVar[str] = "labels"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"

    ignore_case: bool = True
    whole_words: bool = True
    first_sentence: bool = False

    @property
    def id(self) -> str:
        """`labels@1`, with the options that differ from their defaults."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """Value 1 where the labels named are those of the target, else 0."""
        labels = _labels(item)
        repeated = self._named(labels, item.metadata.get("question", ""))
        targets = accepted_texts(item, self.name)
        for target in targets:
            if target not in labels or target in repeated:
                where = "is in its question" if target in labels else "is none of its labels"
                raise TaskError(
                    f"item {item.id}: the labels scorer cannot accept {target!r:.60}, which {where}",
                    "list every target in metadata.labels, and take it out of metadata.question",
                )
        text, whole = response.text, True
        if self.first_sentence:
            text, stop, _ = response.text.partition(".")
            whole = not stop
        named = [label for label in self._named(labels, text) if label not in repeated]
        if whole and response.finish is FinishReason.LENGTH:
            # It may have been about to name another.
            return zero(
                self.id, Outcome.TRUNCATED, "the token limit cut the answer", ", ".join(named) or None
            )
        if not named:
            return zero(self.id, Outcome.NO_ANSWER, "names none of the labels")
        right = set(named) == set(targets)
        return scored(self.id, right, ", ".join(named), _in_words(named, targets))

    def _named(self, labels: Sequence[str], text: str) -> list[str]:
        return named_labels(labels, text, ignore_case=self.ignore_case, whole_words=self.whole_words)


def named_labels(
    labels: Sequence[str], text: str, *, ignore_case: bool = True, whole_words: bool = True
) -> list[str]:
    """The labels that stand in `text`, in the order of the labels."""

    def normal(text: str) -> str:
        text = unicodedata.normalize("NFC", text)
        if ignore_case:
            text = unicodedata.normalize("NFC", text.casefold())
        return " ".join(text.split())

    text = normal(text)
    if not whole_words:
        return [label for label in labels if normal(label) in text]
    found = set(_pattern(tuple(map(normal, labels))).findall(text))
    return [label for label in labels if normal(label) in found]


@lru_cache(maxsize=256)
def _pattern(labels: tuple[str, ...]) -> re.Pattern[str]:
    """Any of the labels as whole words; of two that begin alike the longer."""
    longest_first = sorted(labels, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


def _labels(item: Item) -> tuple[str, ...]:
    labels = item.metadata.get("labels")
    if (
        not isinstance(labels, Sequence)
        or isinstance(labels, str)
        or not labels
        or not all(isinstance(label, str) and label.strip() for label in labels)
    ):
        raise TaskError(
            f"item {item.id}: the labels scorer needs a list of texts in metadata.labels, got {labels!r:.60}",
            "list the texts among which an answer decides, the target's among them",
        )
    if not isinstance(item.metadata.get("question", ""), str):
        raise TaskError(
            f"item {item.id}: metadata.question must be a text, got {item.metadata['question']!r:.60}",
            "it is the text whose labels do not count",
        )
    return tuple(labels)


def _in_words(named: Iterable[str], targets: Sequence[str]) -> str:
    others = [label for label in named if label not in targets]
    missing = [target for target in targets if target not in set(named)]
    if others:
        return f"names {others[0]:.60}, which is not asked for"
    return f"does not name {missing[0]:.60}" if missing else "names what is asked for and nothing else"
