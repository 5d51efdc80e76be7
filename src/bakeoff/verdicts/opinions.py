"""The verdicts in a judge's own run, read back."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bakeoff.errors import BakeoffError
from bakeoff.judging import Finding, Order, Unreadable, rubric_of
from bakeoff.judging.scorer import read, shown_order
from bakeoff.score.extract.reasoning import part_reasoning
from bakeoff.store import read_manifest, read_samples


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a judge said of one answer (`item`, `repeat` of the judged run), or of a pair read in `order`.

    `time` counts how often it was asked the same, from 0. Without findings it could not be read, and
    `problem` says why. `value` in [0, 1] is that of the score: for pairs 1 where answer 0 won.
    """

    item: str
    repeat: int
    group: str | None
    order: Order
    time: int
    findings: tuple[Finding, ...]
    value: float | None
    problem: str = ""


def opinions(folder: Path) -> Iterator[Opinion]:
    """All verdicts of a judge's run, in the order of its items.

    Raises:
        BakeoffError: `folder` is not the run of a judge.
    """
    manifest = read_manifest(folder)
    if manifest.judging is None or manifest.judging.verdicts is not None:
        raise BakeoffError(
            f"{folder} is not the run of a judge",
            "bakeoff judge run makes one; a judged run names it as judging.verdicts in its manifest",
        )
    rubric = rubric_of(manifest.judging.rubric)
    for sample in read_samples(folder):
        shown, response = sample.metadata, sample.turns[-1].response
        found = (
            read(shown, part_reasoning(response.text).answer, rubric) if response.failure is None else None
        )
        unread = not found or isinstance(found, Unreadable)
        yield Opinion(
            item=shown["item"],
            repeat=shown["repeat"],
            group=sample.group,
            order=shown_order(shown),
            time=sample.repeat,
            findings=() if found is None or isinstance(found, Unreadable) else found.findings,
            value=sample.score.value,
            problem=sample.score.reason if unread else "",
        )


def mean_value(said: Sequence[Opinion]) -> float | None:
    """The mean over the orders of the mean in each: one order read more often must not weigh more. None where
    nothing could be read.
    """
    in_order: dict[Order, list[float]] = defaultdict(list)
    for each in said:
        if each.value is not None:
            in_order[each.order].append(each.value)
    means = [sum(values) / len(values) for values in in_order.values()]
    return sum(means) / len(means) if means else None
