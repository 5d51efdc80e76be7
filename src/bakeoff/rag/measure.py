"""One measure over the items of a run. What has no value is counted by why, and never enters a mean."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from bakeoff.rag.answers import Answer
from bakeoff.run.estimate import Estimate
from bakeoff.run.metrics import item_mean

Part = Literal["retrieval", "generation", "together"]
Without = Literal["not scorable", "not answered", "not asked", "failed"]
"""Why an item has no value: there is nothing to measure in it; it was not answered (abstained, refused, empty
or cut off); no judge was asked; the answer or the judge failed."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A mean over the `scored` items, with its interval. The five counts add up to the items of the run.

    `by` says who measured: the gold passages, a rule, a model. `units` counts what a judge said of sentences
    or passages, by level, over all items. `caveats` are to be read beside the value.
    """

    part: Part
    name: str
    estimate: Estimate
    scored: int
    not_scorable: int
    not_answered: int
    not_asked: int
    failed: int
    by: str
    units: dict[str, int] | None = None
    caveats: tuple[str, ...] = ()


def measure(
    part: Part,
    name: str,
    by: str,
    answers: Sequence[Answer],
    value: Callable[[Answer], float | Without],
    *,
    level: float = 0.95,
    units: dict[str, int] | None = None,
    caveats: tuple[str, ...] = (),
) -> Measure:
    """The measure of which `value` says what each answer has, in [0, 1], or why it has none."""
    found = [(value(each), each.group) for each in answers]
    values = [(each, group) for each, group in found if not isinstance(each, str)]
    without = Counter(each for each, _ in found if isinstance(each, str))
    return Measure(
        part,
        name,
        item_mean(values, "auto", level),
        len(values),
        without["not scorable"],
        without["not answered"],
        without["not asked"],
        without["failed"],
        by,
        units,
        caveats,
    )


def unanswered(answer: Answer) -> Without | None:
    """Why a measure of answers has none to measure; None where there is one."""
    if answer.ended == "failed":
        return "failed"
    return None if answer.ended == "answered" else "not answered"
