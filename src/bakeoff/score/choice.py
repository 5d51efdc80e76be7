"""The label of a choice, from generated text."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from bakeoff.errors import TaskError
from bakeoff.nouns import Item, Response, Score
from bakeoff.score.extract.extraction import Extraction
from bakeoff.score.extract.label_rules import labels_of
from bakeoff.score.extract.letter import extract_label
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.verdict import settle


@dataclass(frozen=True, slots=True)
class Choice:
    """The choice the answer names, by label or text: "The answer is (B)", "Antwort: B", 答案是B, **B**.

    Only labels that this item has count; several at once are no answer. `labels` says how the prompt labelled
    the choices. `take` chooses among several announcements: the last, or the first for base models that run
    on into further questions.
    """

    name: ClassVar[str] = "choice"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"

    labels: Literal["letters", "numbers"] = "letters"
    take: Literal["last", "first"] = "last"

    @property
    def id(self) -> str:
        """`choice@1`, with the options that differ from their defaults."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """Value 1 where the named choice is the right one, else 0."""
        if not isinstance(item.target, int) or not 0 <= item.target < len(item.choices):
            raise TaskError(
                f"item {item.id}: the choice scorer needs the index of the right choice, "
                f"got target {item.target!r:.80} and {len(item.choices)} choices",
                "Set `fields.choices` and `fields.target`.",
            )
        if self.labels == "letters" and len(item.choices) > 26:
            raise TaskError(
                f"item {item.id}: {len(item.choices)} choices are more than there are letters",
                "Use `labels: numbers`.",
            )
        found = extract_label(response.text, item.choices, labels=self.labels, take=self.take)
        gold = labels_of(len(item.choices), self.labels)[item.target]
        right = isinstance(found, Extraction) and found.text == gold
        return settle(self.id, response, found, float(right))
