"""The scorer of a judge's own run: it reads verdicts, and never guesses one."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

from bakeoff.errors import TaskError
from bakeoff.judging.prompt import Order
from bakeoff.judging.reading import Unreadable, Verdict, read_verdict
from bakeoff.judging.rubric import Rubric, rubric_of
from bakeoff.judging.units import numbering_from
from bakeoff.judging.value import value_of
from bakeoff.nouns import FinishReason, Item, Outcome, Response, Score
from bakeoff.score.scorer import Ask
from bakeoff.score.verdict import unscored

NOT_SCORABLE = "not scorable: there is nothing in it that the rubric judges"
"""Why an answer has no value, though no judge failed."""


@dataclass(frozen=True, slots=True)
class ReadVerdict:
    """A judge's verdict on somebody's answer, by a rubric; one that cannot be read has no value.

    The item's metadata hold what the judge was shown: the `mark` of its fences and the `order` of the
    answers. `extracted` is JSON, the choice by criterion; the reason is the judge's own. A verdict that
    cannot be read is asked for once more.
    """

    name: ClassVar[str] = "verdict"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"
    reads_opinions: ClassVar[bool] = True

    # Options are checked against this very type.
    rubric: dict = field(hash=False)  # type: ignore[type-arg]

    def __post_init__(self) -> None:
        self._rubric()

    @property
    def id(self) -> str:
        """`verdict@1(rubric=...)`, with the first digits of the rubric's digest."""
        return f"{self.name}@{self.version}(rubric={self._rubric().digest[7:19]})"

    def __call__(self, item: Item, response: Response) -> Score:
        """The value of the verdict; none where it cannot be read."""
        rubric = self._rubric()
        found = read(item.metadata, response.text, rubric)
        if isinstance(found, Unreadable):
            cut = " (at the token limit)" if response.finish is FinishReason.LENGTH else ""
            return unscored(self.id, Outcome.SCORER_ERROR, f"unreadable{cut}: {found.reason}")
        value = value_of(found, rubric, shown_order(item.metadata))
        if value is None:
            return unscored(self.id, Outcome.SCORER_ERROR, NOT_SCORABLE)
        criterion = rubric.criteria[0]
        said = {
            str(each.unit or each.criterion): criterion.named(each.choice) if each.unit else each.choice
            for each in found.findings
        }
        taken_off = f"{found.repaired} taken off; " if found.repaired else ""
        why = " / ".join(each.why for each in found.findings)
        return Score(Outcome.SCORED, value, json.dumps(said), f"{taken_off}{why}", self.id)

    def repair(self, item: Item, response: Response) -> str | None:
        """What was wrong with an unreadable verdict."""
        found = read(item.metadata, response.text, self._rubric())
        if not isinstance(found, Unreadable):
            return None
        return (
            f"This cannot be read: {found.reason}. Write your verdict again, as one JSON object of the form "
            "above and nothing else."
        )

    def _rubric(self) -> Rubric:
        return _rubric(json.dumps(self.rubric))


def read(shown: Mapping[str, Any], text: str, rubric: Rubric) -> Verdict | Unreadable:
    """The verdict on the case that a judge was shown, as the metadata of its item say.

    Raises:
        TaskError: these are no such metadata.
    """
    mark = shown.get("mark")
    if not isinstance(mark, str):
        raise TaskError(
            "an item of the scorer `verdict` has no metadata.mark",
            "its items are made from a run's answers: bakeoff judge run RUN --rubric FILE --model JUDGE",
        )
    numbering = numbering_from(shown["numbering"]) if "numbering" in shown else None
    return read_verdict(text, rubric, mark, numbering)


def shown_order(shown: Mapping[str, Any]) -> Order:
    """The order in which a judge read the answers, as the metadata of its item say."""
    return tuple(shown.get("order", (0,)))


@lru_cache(maxsize=64)
def _rubric(text: str) -> Rubric:
    return rubric_of(json.loads(text))
