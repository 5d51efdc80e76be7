"""For answers that no rule can judge: they wait."""

from dataclasses import dataclass
from typing import ClassVar

from bakeoff.nouns import Item, Outcome, Response, Score
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.verdict import unscored


@dataclass(frozen=True, slots=True)
class Pending:
    """No score yet: the answers wait for a judge (`bakeoff judge run`), or for another scorer.

    A run of it stays incomplete, since a score that nobody gave is none.
    """

    name: ClassVar[str] = "pending"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"

    @property
    def id(self) -> str:
        """`pending@1`."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:  # noqa: ARG002 (it reads neither)
        """Nothing but the reason why there is no value."""
        return unscored(self.id, Outcome.SCORER_ERROR, "waits for a judge: bakeoff judge run")
