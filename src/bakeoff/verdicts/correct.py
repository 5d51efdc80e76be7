"""Scores that a judge gave, corrected by people's labels on items drawn at random."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bakeoff.errors import BakeoffError
from bakeoff.judging.correction import FEW, Correction, Need, correction, need
from bakeoff.judging.labels import Label, read_labels
from bakeoff.verdicts.values import Values, values_of


@dataclass(frozen=True, slots=True)
class Corrected:
    """A corrected mean score of one run or, of two, of the first minus the second on the same items.

    `failed` counts items without a value in a run, which are left out. `notes` are what the reader must know.
    """

    runs: tuple[str, ...]
    correction: Correction
    failed: int
    notes: tuple[str, ...]


def correct(folders: Sequence[Path], files: Sequence[Path], *, level: float = 0.95) -> Corrected:
    """Correct the score of a judged run (or the win rate of a judge's run on pairs), or the difference of two
    judged runs, by labels of items that were drawn at random.

    Of two runs an item counts as labelled where every answer to it that a judge decided is.

    Raises:
        BakeoffError: not one run or two by one rubric, or fewer than two items are labelled.
        StoreError: a run or a file cannot be read.
        TaskError: a line that is no label by the rubric.
    """
    sides, labels = _read(folders, files)
    people = [side.labels(labels) for side in sides]
    if len(sides) == 1:
        judge, said, known = dict(sides[0].judged), people[0], list(sides[0].known.values())
        failed = len(sides[0].failed)
    else:
        judge, said, known, failed = _difference(sides, people)
    found = correction(judge, said, known, signed=len(sides) == 2, level=level)
    return Corrected(
        runs=tuple(str(folder) for folder in folders),
        correction=found,
        failed=failed,
        notes=tuple(_notes(sides, labels, found)),
    )


def need_of(
    folder: Path, files: Sequence[Path], half_width: float, *, level: float = 0.95
) -> tuple[Need, Correction]:
    """How many labels a run needs, by the labels of a pilot; and what the pilot itself says.

    Raises:
        BakeoffError: as `correct`; all labels of the pilot are the same, or the judge's verdicts on them.
    """
    found = correct([folder], files, level=level).correction
    if not found.variance:
        raise BakeoffError(
            f"all {found.labels} labels of the pilot are the same, so they do not tell how much labels vary",
            "label more, or say --variance and --correlation",
        )
    # Answers that need no judge need no label: half the width on them is half of it on all.
    judged = (found.labels + found.unlabelled) / found.items
    needed = need(
        min(half_width / judged, 0.999) if half_width < 1 else half_width,
        variance=min(1.0, found.variance),
        correlation=max(0.0, found.correlation or 0.0),
        items=found.labels + found.unlabelled,
        level=level,
    )
    return replace(needed, half_width=half_width), found


def _read(folders: Sequence[Path], files: Sequence[Path]) -> tuple[list[Values], list[Label]]:
    if not 1 <= len(folders) <= 2:
        raise BakeoffError(
            f"one judged run is corrected, or the difference of two; got {len(folders)}",
            "bakeoff judge correct RUN [OTHER] --labels FILE",
        )
    sides = [values_of(folder) for folder in folders]
    first = sides[0]
    if len(sides) == 2:
        if first.rubric.kind == "pairwise":
            raise BakeoffError(
                "a judge's run on pairs compares two runs already", "correct it by itself: name one run"
            )
        if sides[1].judging.rubric_digest != first.judging.rubric_digest:
            raise BakeoffError("the two runs were judged by different rubrics", "judge both by one rubric")
        if first.judging.runs == sides[1].judging.runs:
            raise BakeoffError("the two runs are judgements of the same answers", "name runs that differ")
    labels = read_labels(files, first.rubric)
    if len(sides) == 2 and (bare := [each for each in labels if each.run is None and each.said]):
        raise BakeoffError(
            f"the label of item {bare[0].item!r:.80} does not say whose answer it is of",
            "with two runs every line needs `run`, the id of the run that answered: bakeoff judge sample",
        )
    return sides, labels


def _difference(
    sides: Sequence[Values], people: Sequence[dict[str, float]]
) -> tuple[dict[str, float], dict[str, float], list[float], int]:
    """By item, first minus second: by the judge, by people where they labelled all that it takes; and those
    that need no judge."""
    one, other = ({**side.judged, **side.known} for side in sides)
    both = [item for item in one if item in other]
    if not both:
        raise BakeoffError("the two runs share no item", "a difference is of answers to the same items")
    needs = [item for item in both if any(item in side.judged for side in sides)]
    said = {}
    for item in needs:
        # Without a judge's verdict the outcome itself is what people would say.
        values = [each.get(item, side.known.get(item)) for each, side in zip(people, sides, strict=True)]
        if values[0] is not None and values[1] is not None:
            said[item] = values[0] - values[1]
    known = [one[item] - other[item] for item in both if item not in set(needs)]
    failed = len(set(one) | set(other) | sides[0].failed | sides[1].failed) - len(both)
    return {item: one[item] - other[item] for item in needs}, said, known, failed


def _notes(sides: Sequence[Values], labels: Sequence[Label], found: Correction) -> Iterator[str]:
    mine = [label for label in labels if any(side.mine(label) for side in sides)]
    given = [label for label in mine if label.said]
    if any(label.draw is None for label in given):
        yield (
            "some labels do not say that their items were drawn at random (bakeoff judge sample); if they "
            "were chosen, neither estimate holds"
        )
    else:
        last = max((label.draw for label in given if label.draw is not None), default=0)
        blank = {label.item for label in mine if not label.said and (label.draw or 0) < last}
        if blank:
            yield f"{len(blank):,} drawn items were passed over: if they are the hard ones, neither holds"
    method = "" if found.interval is None else found.interval.method
    if "labels alone" in method:
        yield (
            "too few labels of either kind, or too few on which judge and people differ, to know how wrong "
            "the judge is: the labels count alone"
        )
    elif found.unlabelled < 2:
        yield "every item is labelled, so the verdicts add nothing"
    elif "t-ppi" in method and found.labels < FEW:
        yield f"with {found.labels} labels the interval is not to be trusted: {FEW} are the least"
    inside = found.interval is None or found.interval.low <= found.judge <= found.interval.high
    if not inside:
        yield "the judge's own mean lies outside the corrected interval: it is wrong, and not by chance"
    groups = [side.groups for side in sides if side.groups is not None]
    if groups:
        yield f"the items are in {groups[0]:,} groups, and the intervals take them as independent"
    if any(side.repeats > 1 for side in sides):
        yield "of several answers to an item the first counts"
