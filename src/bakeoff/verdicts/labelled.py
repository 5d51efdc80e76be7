"""A judge's run beside people's labels of the same answers."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bakeoff.errors import BakeoffError
from bakeoff.judging import Rubric, rubric_of
from bakeoff.judging.agreement import Choice
from bakeoff.judging.labels import Label, Said, read_labels
from bakeoff.judging.prompt import Order, winner
from bakeoff.judging.rubric import TIE, Criterion
from bakeoff.store import JudgingRecord, Manifest, find_run, read_manifest
from bakeoff.verdicts.opinions import Opinion, opinions


@dataclass(frozen=True, slots=True)
class Case:
    """One answer, or one pair, that a judge judged: all its opinions on it, and the label by each criterion
    that people gave one for.
    """

    item: str
    repeat: int
    opinions: tuple[Opinion, ...]
    labels: Mapping[str, Label]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A judge's own run, its rubric, and its cases in the order of their items."""

    folder: Path
    manifest: Manifest
    judging: JudgingRecord
    rubric: Rubric
    cases: tuple[Case, ...]

    @property
    def labelled(self) -> Iterator[Case]:
        """The cases that people said anything about."""
        return (case for case in self.cases if any(label.said for label in case.labels.values()))


def judges_run(folder: Path, out: Path) -> Path:
    """The judge's own run: `folder` itself, or the one whose verdicts are the scores in it.

    Raises:
        BakeoffError: no language model judged this run.
        StoreError: the judge's run is gone.
    """
    manifest = read_manifest(folder)
    if manifest.judging is None:
        raise BakeoffError(
            f"no language model judged {folder}", "bakeoff judge run RUN --rubric RUBRIC --model JUDGE"
        )
    return folder if manifest.judging.verdicts is None else find_run(manifest.judging.verdicts, out)


def labelled(folder: Path, files: Sequence[Path], *, out: Path) -> Labelled:
    """Read a judge's run, or the judge's run behind a judged one, beside files of labels.

    Raises:
        BakeoffError: no language model judged this run; a label of an item or run that was not judged.
        StoreError: a run or a file cannot be read.
        TaskError: a line that is no label by the judge's rubric.
    """
    found = judges_run(folder, out)
    manifest = read_manifest(found)
    judging = manifest.judging
    assert judging is not None
    rubric = rubric_of(judging.rubric)
    said: dict[tuple[str, int], list[Opinion]] = defaultdict(list)
    for each in opinions(found):
        said[each.item, each.repeat].append(each)
    labels: dict[tuple[str, int], dict[str, Label]] = defaultdict(dict)
    for label in read_labels(files, rubric):
        if label.run is not None and label.run not in judging.runs:
            continue
        if (label.item, label.repeat) not in said and label.said:
            raise BakeoffError(
                f"the judge has no verdict on the labelled item {label.item!r:.80}",
                f"{found} judged the answers of {', '.join(judging.folders)}",
            )
        labels[label.item, label.repeat][label.criterion] = label
    cases = tuple(Case(*key, tuple(each), labels.get(key, {})) for key, each in said.items())
    return Labelled(found, manifest, judging, rubric, cases)


def choice_of(opinion: Opinion, criterion: Criterion, rubric: Rubric) -> Choice:
    """What an opinion says by a criterion, as people say it; None where it could not be read.

    A grade; of a pair the answer that won, or `tie`; of units whether nothing is wrong with them (a value of
    1), None also where there was nothing to judge.
    """
    if not opinion.findings:
        return None
    if rubric.kind == "units":
        return None if opinion.value is None else opinion.value >= 1
    choice = next(each.choice for each in opinion.findings if each.criterion == criterion.name)
    return of_pair(choice, opinion.order) if rubric.kind == "pairwise" else choice


def of_pair(choice: int | str, order: Order) -> Choice:
    """The answer that a choice names, or `tie`."""
    return TIE if choice == TIE else winner(choice, order)


def said_of(said: Sequence[Said], rubric: Rubric) -> list[Choice]:
    """What people say, in the terms of `choice_of`."""
    return [float(each) >= 1 for each in said] if rubric.kind == "units" else list(said)


def categories_of(criterion: Criterion, rubric: Rubric) -> list[Choice]:
    """All that `choice_of` may say, the best last."""
    if rubric.kind == "pairwise":
        return [0, 1, TIE] if rubric.ties else [0, 1]
    if rubric.kind == "units":
        return [False, True]
    return list(range(1, len(criterion.levels) + 1))
