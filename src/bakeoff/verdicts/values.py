"""The values a judge gave, item by item, apart from those that needed no judge."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bakeoff.errors import BakeoffError
from bakeoff.judging import Rubric, rubric_of
from bakeoff.judging.labels import Label, label_value
from bakeoff.nouns import Outcome
from bakeoff.seed import item_seed
from bakeoff.store import JudgingRecord, query, read_manifest
from bakeoff.verdicts.cases import by_default, paired
from bakeoff.verdicts.opinions import Opinion, mean_value, opinions


@dataclass(frozen=True, slots=True)
class Values:
    """What each item of a run is worth by its judge: of each the first answer, if it was asked more often.

    `judged` are the items that a judge decided; `known` those with an outcome that counts and needs none
    (empty, refused, cut off). `failed` are those without a value. Of pairs an item is worth 1 where the
    first run's answer is better.
    """

    folder: Path
    judging: JudgingRecord
    rubric: Rubric
    judged: Mapping[str, float]
    known: Mapping[str, float]
    failed: frozenset[str]
    groups: int | None
    repeats: int = field(default=1)

    def labels(self, labels: Sequence[Label]) -> dict[str, float]:
        """What people's labels make of the judged items: the mean over people, then over criteria. Items that
        are not labelled by every criterion have none.

        Raises:
            BakeoffError: a label of an item that is not in the run.
        """
        found: dict[str, dict[str, float]] = defaultdict(dict)
        criteria = {each.name: each for each in self.rubric.criteria}
        for label in labels:
            if not self.mine(label) or not label.said:
                continue
            if label.item in self.known or label.item in self.failed:
                continue
            if label.item not in self.judged:
                raise BakeoffError(
                    f"{self.folder} does not hold the labelled item {label.item!r:.80}",
                    "are these the labels of this run? Draw them with bakeoff judge sample",
                )
            values = [label_value(each, criteria[label.criterion], self.rubric) for each in label.said]
            found[label.item][label.criterion] = sum(values) / len(values)
        return {item: sum(by.values()) / len(by) for item, by in found.items() if len(by) == len(criteria)}

    def mine(self, label: Label) -> bool:
        """Whether a label is of the first answer to an item of this run, as far as it says."""
        return label.repeat == 0 and (label.run is None or label.run in self.judging.runs)


def values_of(folder: Path) -> Values:
    """The values in a judged run, or of a judge's run on pairs.

    Raises:
        BakeoffError: no language model judged this run, or it is a judge's own run on single answers.
        StoreError: a run cannot be read.
    """
    manifest = read_manifest(folder)
    judging = manifest.judging
    if judging is None:
        raise BakeoffError(
            f"no language model judged {folder}", "bakeoff judge run RUN --rubric RUBRIC --model JUDGE"
        )
    rubric = rubric_of(judging.rubric)
    if judging.verdicts is None:
        if rubric.kind != "pairwise":
            raise BakeoffError(
                f"{folder} is a judge's own run", "name the judged run: the answers with the judge's values"
            )
        return _of_pairs(folder, judging, rubric)
    sql = 'SELECT item_id, outcome, value, "group" FROM samples WHERE repeat = 0 ORDER BY item_id'
    rows = query(folder, sql)
    return Values(
        folder,
        judging,
        rubric,
        {item: value for item, outcome, value, _ in rows if outcome == Outcome.SCORED and value is not None},
        {item: value for item, outcome, value, _ in rows if outcome != Outcome.SCORED and value is not None},
        frozenset(item for item, _, value, _ in rows if value is None),
        _groups([group for *_, value, group in rows if value is not None]),
        manifest.settings.repeats,
    )


def _of_pairs(folder: Path, judging: JudgingRecord, rubric: Rubric) -> Values:
    by_item: dict[str, list[Opinion]] = defaultdict(list)
    repeats = 1
    for each in opinions(folder):
        repeats = max(repeats, each.repeat + 1)
        if each.repeat == 0:
            by_item[each.item].append(each)
    judged = {item: value for item, said in by_item.items() if (value := mean_value(said)) is not None}
    known: dict[str, float] = {}
    groups, failed = [], set()
    for one, other in paired(*map(Path, judging.folders)):
        if one.repeat:
            continue
        default = by_default(one, other)
        if one.item_id in judged:
            groups.append(one.group)
        elif one.item_id in by_item or default is None:
            failed.add(one.item_id)
        else:
            known[one.item_id] = default
            groups.append(one.group)
    return Values(folder, judging, rubric, judged, known, frozenset(failed), _groups(groups), repeats)


def _groups(groups: Sequence[str | None]) -> int | None:
    """How many groups the items are in, where that is fewer than there are items."""
    named = {group for group in groups if group is not None}
    number = len(named) + groups.count(None)
    return number if number < len(groups) else None


def drawn_order(items: Sequence[str], seed: int) -> Iterator[str]:
    """The items in the order in which people are to label them: by chance, and each time the same."""
    yield from sorted(items, key=lambda item: (item_seed(seed, "labels", item, "draw"), item))
