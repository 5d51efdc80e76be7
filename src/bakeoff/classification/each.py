"""Every label in turn as a yes or no: items with several right labels, or with one of many."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bakeoff.classification.cases import MOST_LABELS, NO_LABEL, read_cases
from bakeoff.classification.report import NoAnswer
from bakeoff.errors import BakeoffError
from bakeoff.nouns import Outcome, Sample
from bakeoff.score.labels import named_labels
from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.classes.rare import Detection, detection
from bakeoff.stats.classes.share import Rate, share
from bakeoff.stats.groups import codes
from bakeoff.stats.interval import Interval, check_level
from bakeoff.stats.many.multiplicity import holm
from bakeoff.store import read_manifest, read_samples

_DRAWS = 1_000


@dataclass(frozen=True, slots=True)
class Marks:
    """An answer as sets of labels: the right ones, those named, and those that were to be decided on.

    `said` is None where there is none; `ending` as in `Case`.
    """

    item_id: str
    cluster: str
    repeat: int
    gold: frozenset[str]
    said: frozenset[str] | None
    among: frozenset[str]
    ending: str


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One label against all else. `p` is of Fisher's exact test that it is named no more often where it is
    right than where it is not, adjusted by Holm over all labels; None where there is nothing to test.
    """

    label: str
    detection: Detection
    p: float | None


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean of F over labels, in [0, 1]; no interval where redrawn items all give the same."""

    value: float
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class EachReport:
    """`micro` is F of all decisions of all labels together, `macro` the mean of the labels' F, those without
    a right or named one left out. `exact` is the share of answers that name all right labels and no other.
    Answers that are not counted (`too_long`, `model_error`, `scorer_error`) are in none.
    """

    run: str
    task: str
    model: str
    no_answer: NoAnswer
    level: float
    beta: float
    answers: int
    counted: int
    clusters: int | None
    unlabelled: dict[str, int]
    labels: tuple[LabelRow, ...]
    micro: Mean | None
    macro: Mean | None
    exact: Rate | None


def each_label(
    folder: Path, *, no_answer: NoAnswer = "wrong", beta: float = 1.0, level: float = 0.95
) -> EachReport:
    """Rates of each label of a run, and their means.

    Means have percentile intervals of redrawn items, or groups of them. An item counts for the labels that
    it was to be decided on: its choices or `metadata.labels`.

    Raises:
        BakeoffError: the run is no classification, or beta is not above 0.
        StoreError: the run cannot be read.
    """
    check_level(level)
    if not 0 < beta < float("inf"):
        raise BakeoffError(f"--beta must be above 0 and finite, got {beta:g}")
    manifest, marks = read_manifest(folder), list(_marks(folder))
    counted = [each for each in marks if each.ending == NO_LABEL or not Outcome(each.ending).unscored]
    labels = sorted({label for each in marks for label in each.among})
    if not counted or len(labels) < 2:
        raise BakeoffError(f"{folder} has {len(counted):,} answers that count and {len(labels)} labels")
    groups = codes([each.cluster for each in counted], len(counted), "clusters")
    clusters = groups if len(set(groups.tolist())) < len(counted) else None
    asked = np.array([[label in each.among for label in labels] for each in counted])
    gold = np.array([[label in each.gold for label in labels] for each in counted])
    said = np.array([[_said(each, label, no_answer) for label in labels] for each in counted])
    first = np.array([each.repeat == 0 for each in counted])
    p = {
        label: value
        for k, label in enumerate(labels)
        if (value := _chance(said[first & asked[:, k], k], gold[first & asked[:, k], k])) is not None
    }
    adjusted = dict(zip(p, holm(list(p.values())), strict=True)) if p else {}
    rows = []
    for k, label in enumerate(labels):
        of = asked[:, k]
        inside = None if clusters is None else clusters[of]
        found = detection(
            said[of, k].astype(int), gold[of, k].astype(int), beta=beta, level=level, clusters=inside
        )
        rows.append(LabelRow(label, found, adjusted.get(label)))
    micro, macro = _means(said & asked, gold & asked, groups, beta, level)
    hits = ((said == gold) | ~asked).all(axis=1).astype(float)
    return EachReport(
        run=str(folder),
        task=manifest.task.name,
        model=str(manifest.model.identity.get("name", manifest.model.ref)),
        no_answer=no_answer,
        level=level,
        beta=beta,
        answers=len(marks),
        counted=len(counted),
        clusters=None if clusters is None else int(groups.max()) + 1,
        unlabelled=_unlabelled(marks),
        labels=tuple(rows),
        micro=micro,
        macro=macro,
        exact=share(hits, clusters, level),
    )


def _marks(folder: Path) -> Iterator[Marks]:
    scorer = read_manifest(folder).task.scorer
    if scorer.partition("@")[0] != "labels":
        read = read_cases(folder)
        among = frozenset(read.labels)
        for case in read.cases:
            said = None if case.said is None else frozenset([case.said])
            yield Marks(
                case.item_id, case.cluster, case.repeat, frozenset([case.gold]), said, among, case.ending
            )
        return
    seen = set[str]()
    for sample in read_samples(folder):
        found = _several(sample, folder)
        seen |= found.among
        if len(seen) > MOST_LABELS:
            raise BakeoffError(f"{folder} has more than {MOST_LABELS} different labels")
        yield found


def _several(sample: Sample, folder: Path) -> Marks:
    """What a sample of the scorer `labels` says."""
    labels = [str(label) for label in sample.metadata.get("labels", ())]
    gold = frozenset() if isinstance(sample.target, int) else frozenset(sample.target)
    said = None
    if sample.score.outcome is Outcome.SCORED:
        named = sample.score.extracted or ""
        if named.endswith("…"):
            raise BakeoffError(
                f"{folder}: item {sample.item_id} names more labels than a record holds", "shorten the labels"
            )
        said = frozenset(named_labels(labels, named, ignore_case=False))
    cluster = f"item {sample.item_id}" if sample.group is None else f"group {sample.group}"
    return Marks(
        sample.item_id,
        cluster,
        sample.repeat,
        gold,
        said,
        frozenset(labels) | gold,
        sample.score.outcome.value,
    )


def _said(marks: Marks, label: str, no_answer: NoAnswer) -> bool:
    if marks.said is not None:
        return label in marks.said
    return label not in marks.gold if no_answer == "wrong" else no_answer == "positive"


def _unlabelled(marks: Sequence[Marks]) -> dict[str, int]:
    count: dict[str, int] = {}
    for each in marks:
        if each.said is None:
            count[each.ending] = count.get(each.ending, 0) + 1
    return dict(sorted(count.items()))


def _chance(said: IntArray, gold: IntArray) -> float | None:
    """One-sided: whether a label is named more often where it is right."""
    from scipy.stats import fisher_exact

    table = [[int((gold == kind)[said == name].sum()) for name in (True, False)] for kind in (True, False)]
    if not all(map(sum, table)):
        return None
    return float(min(1.0, fisher_exact(table, alternative="greater").pvalue))


def _means(
    said: IntArray, gold: IntArray, groups: IntArray, beta: float, level: float
) -> tuple[Mean | None, Mean | None]:
    """Micro and macro F of decisions (answers, labels)."""
    right, named, wanted = (each.astype(float) for each in (said & gold, said, gold))
    # Sums by group first, so that a draw is a weight for each.
    size = int(groups.max()) + 1
    sums = [np.zeros((size, said.shape[1])) for _ in range(3)]
    for total, values in zip(sums, (right, named, wanted), strict=True):
        np.add.at(total, groups, values)
    random = np.random.default_rng(0)
    weights = random.multinomial(size, np.full(size, 1 / size), size=_DRAWS).astype(float)
    drawn = [weights @ total for total in sums]
    whole = [total.sum(axis=0)[None] for total in sums]
    pooled = [[total.sum(axis=1, keepdims=True) for total in each] for each in (whole, drawn)]
    return (
        _mean(_f(pooled[0], beta), _f(pooled[1], beta), level),
        _mean(_f(whole, beta), _f(drawn, beta), level),
    )


def _f(sums: Sequence[FloatArray], beta: float) -> FloatArray:
    """F of right, named and wanted counts; the mean over the last axis of those that are defined."""
    right, named, wanted = sums
    weight = named + beta**2 * wanted
    there = weight > 0
    values = np.where(there, (1 + beta**2) * right / np.where(there, weight, 1), 0.0)
    number = there.sum(axis=1)
    mean: FloatArray = np.where(number > 0, values.sum(axis=1) / np.maximum(number, 1), np.nan)
    return mean


def _mean(value: FloatArray, drawn: FloatArray, level: float) -> Mean | None:
    here = float(value[0])
    if np.isnan(here):
        return None
    drawn = drawn[~np.isnan(drawn)]
    low, high = (float(np.quantile(drawn, tail)) for tail in ((1 - level) / 2, (1 + level) / 2))
    if high - low < 1e-12:
        return Mean(here, None)
    return Mean(here, Interval(min(low, here), max(high, here), level, "cluster bootstrap"))
