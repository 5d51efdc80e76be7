"""A finished run as decisions about one label: rates, ranking, costs, other prevalences, slices."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import inf
from pathlib import Path

import numpy as np

from bakeoff.classification.actions import actions
from bakeoff.classification.calibration import STATED, Calibration, calibration
from bakeoff.classification.cases import NO_LABEL, Cases, read_cases
from bakeoff.classification.confusion import confusion, endings
from bakeoff.classification.costs import Costs, Matrix
from bakeoff.classification.decisions import Decisions, decisions, rates
from bakeoff.classification.expected import Terms, answers_cost, expected, nested_cost
from bakeoff.classification.folds import folds
from bakeoff.classification.ranking import ranking
from bakeoff.classification.report import NoAnswer, Report, SweepRow
from bakeoff.classification.slices import slices
from bakeoff.errors import BakeoffError
from bakeoff.stats.classes.rare import ENOUGH_POSITIVES
from bakeoff.stats.confidence.logistic import LEAST
from bakeoff.store import Manifest, read_manifest

SWEEP = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
"""The shares of positives of a sweep, beside those of the items and of `prevalence`."""


def classify(
    folder: Path,
    *,
    positive: str | None = None,
    costs: Costs | Matrix | None = None,
    prevalence: float | None = None,
    sweep: bool = False,
    threshold_from: Path | None = None,
    by: str | None = None,
    no_answer: NoAnswer = "wrong",
    beta: float = 1.0,
    level: float = 0.95,
    texts: bool = False,
) -> Report:
    """Measure how well a run finds `positive`, by default the rarer of two labels.

    `prevalence` is the share of positives where the model will work: rates, average precision and costs are
    given for it beside that of the items, assuming that positives look alike in both places, and negatives
    too. With `costs` and a run of log-likelihoods a threshold is chosen and judged by cross-validation or,
    with `threshold_from`, chosen on that run and judged here; what both runs ask is left out of the choosing.
    `texts` adds the texts of the examples in the confusion matrix, unless the task is private.

    Raises:
        BakeoffError: the run is no classification, holds no positives or no negatives, `positive` is none of
            its labels or in doubt, an option is outside its range, or a threshold is asked for without costs
            or probabilities.
        StoreError: a run cannot be read.
    """
    _check(level, prevalence, beta)
    manifest, read = read_manifest(folder), read_cases(folder)
    chosen = _positive(read, positive)
    data = decisions(read.cases, chosen, no_answer)
    here = data.prevalence
    if here is None:
        kind = "negatives" if data.positives else "positives"
        raise BakeoffError(
            f"{folder} has no {kind} among the {len(data.cases):,} items that count",
            f"the positive label is {chosen!r}; of a kind that does not occur nothing can be measured",
        )
    notes = list(_notes(read, data, manifest, positive))
    if texts and manifest.task.private:
        notes.append("the task is private: its texts stay in the folder of the run")
    tuning = None
    matrix = costs if isinstance(costs, Matrix) else None
    errors = costs if isinstance(costs, Costs) else None
    if threshold_from is not None:
        if errors is None or data.scores is None:
            raise BakeoffError(
                "--threshold-from needs --costs and a run with log-likelihoods of the labels",
                "generated labels have no threshold",
            )
        tuning, remarks = _tuning(threshold_from, data, chosen, no_answer, manifest)
        notes += remarks
    shares = list(dict.fromkeys((here, prevalence or here)))
    # None leaves precision's exact interval, which knows the share of positives from the items alone.
    asked = [None if share == here else share for share in shares]
    # A confidence is said in whole per cents.
    least = STATED if read.scorer == "label_confidence" else LEAST
    terms = [Terms(errors, share, level, manifest.task.name, least) for share in shares if errors is not None]
    cost = tuple(row for each in terms for row in expected(data, each, tuning))
    chosen_by_cost = any(row.decision in ("nested", "other run") for row in cost)
    if cost and data.scores is not None and not chosen_by_cost:
        notes.append("too few positives or negatives to choose a threshold on some and judge it on others")
    found = [
        ranking(data.scores, data.positive, data.clusters, prevalence=share, level=level)
        for share in asked
        if data.scores is not None
    ]
    swept = sorted({*SWEEP, *shares}) if sweep else []
    return Report(
        run=str(folder),
        task=manifest.task.name,
        model=_model(manifest),
        positive=chosen,
        labels=read.labels,
        no_answer=no_answer,
        level=level,
        items=len(read.cases),
        counted=len(data.cases),
        positives=data.positives,
        negatives=data.negatives,
        clusters=None if data.clusters is None else int(data.clusters.max()) + 1,
        unlabelled=endings(read.cases),
        confusion=confusion(read.cases, texts=texts and not manifest.task.private),
        rates=tuple(rates(data, share, beta=beta, level=level) for share in asked),
        rankings=tuple(each for each in found if each is not None),
        calibration=_calibration(data, manifest.task.name, least, level),
        costs=costs,
        cost=cost,
        actions=tuple(
            row
            for share in shares
            if matrix is not None
            for row in actions(
                read.cases,
                read.labels,
                matrix,
                _shares(data, chosen, share),
                manifest.task.name,
                level=level,
            )
        ),
        sweep=tuple(
            _swept(data, share, None if not terms else replace(terms[0], prevalence=share), beta, level)
            for share in swept
        ),
        column=by,
        slices=() if by is None else slices(data, by, level=level),
        notes=tuple(notes),
    )


def _check(level: float, prevalence: float | None, beta: float) -> None:
    for name, share in (("level", level), ("prevalence", prevalence)):
        if share is not None and not 0 < share < 1:
            raise BakeoffError(f"--{name} must lie between 0 and 1, got {share:g}", "1 % is 0.01")
    if not 0 < beta < inf:
        raise BakeoffError(
            f"--beta must be above 0 and finite, got {beta:g}", "2 counts recall twice as much"
        )


def _positive(read: Cases, named: str | None) -> str:
    known = ", ".join(repr(label) for label in read.labels)
    if named is not None:
        if named not in read.labels:
            raise BakeoffError(f"there is no label {named!r} in this run", f"its labels are {known}")
        return named
    count = Counter(case.gold for case in read.cases)
    first, second, *others = sorted(read.labels, key=lambda label: count[label])
    if others or count[first] == count[second]:
        raise BakeoffError(
            "which label is the positive one?", f"say --positive LABEL; the labels are {known}"
        )
    return first


def _tuning(
    folder: Path, data: Decisions, positive: str, no_answer: NoAnswer, manifest: Manifest
) -> tuple[Decisions, list[str]]:
    """The cases of another run that are not in this one, and what is to be said of them."""
    other, read = read_manifest(folder), read_cases(folder)
    seen = {case.unit for case in data.cases}
    apart = [case for case in read.cases if case.unit not in seen]
    found = decisions(apart, positive, no_answer)
    if found.scores is None or found.prevalence is None:
        raise BakeoffError(
            f"--threshold-from {folder}: the items that are not also in the run hold no positives "
            "and negatives with log-likelihoods",
            f"{len(read.cases) - len(apart):,} of {len(read.cases):,} items are in both; choose on others",
        )
    notes = [
        f"the threshold was chosen on {len(found.cases):,} items of {folder}, none of which is judged here"
    ]
    if len(apart) < len(read.cases):
        notes.append(
            f"{len(read.cases) - len(apart):,} items that both runs hold were left out of the choosing"
        )
    if _model(other) != _model(manifest):
        notes.append(f"the threshold was chosen on answers of another model, {_model(other)}")
    if other.task.scorer != manifest.task.scorer or other.task.parts.get("prompt") != manifest.task.parts.get(
        "prompt"
    ):
        notes.append("the threshold was chosen under another prompt or scorer")
    return found, notes


def _shares(data: Decisions, positive: str, prevalence: float) -> dict[str, float]:
    """The share of each label where that of `positive` is `prevalence`, and the others keep their ratios."""
    count = Counter(case.gold for case in data.cases)
    rest = len(data.cases) - count[positive]
    return {
        label: prevalence if label == positive else (1 - prevalence) * n / rest for label, n in count.items()
    }


def _calibration(data: Decisions, task: str, least: float, level: float) -> Calibration | None:
    """Of the cases that have a probability."""
    if data.scores is None:
        return None
    fold_of = folds(data.positive, [case.unit for case in data.cases], task)[data.known]
    clusters = None if data.clusters is None else np.unique(data.clusters[data.known], return_inverse=True)[1]
    return calibration(
        data.scores[data.known], data.positive[data.known], fold_of, clusters, least=least, level=level
    )


def _swept(data: Decisions, share: float, terms: Terms | None, beta: float, level: float) -> SweepRow:
    found = rates(data, share, beta=beta, level=level)
    row = None if terms is None else nested_cost(data, terms)
    return SweepRow(
        share,
        found.flagged,
        found.detection.precision,
        found.detection.f_beta,
        None if terms is None else answers_cost(data, terms),
        None if row is None else row.cost,
    )


def _notes(read: Cases, data: Decisions, manifest: Manifest, named: str | None) -> Iterator[str]:
    if manifest.status != "complete":
        yield f"the run is {manifest.status}"
    if named is None:
        yield "the rarer label counts as the positive one; --positive LABEL names another"
    items = len({case.cluster for case, label in zip(data.cases, data.positive, strict=True) if label})
    if items < ENOUGH_POSITIVES:
        yield f"with {items} of the positive label, recall and average precision can say little"
    if left := len(read.cases) - len(data.cases):
        yield f"of {len(read.cases):,} items {left:,} without a score: in no rate until asked again"
    if strange := sum(case.ending == NO_LABEL for case in data.cases):
        yield f"answers that name no label, or several: {strange:,}; they count as answers without a label"
    if data.clusters is not None:
        what = f"{read.repeats} answers to an item" if read.repeats > 1 else "items of one group"
        yield (
            f"{len(data.cases):,} answers in {int(data.clusters.max()) + 1:,} groups: {what} are not "
            "independent; intervals allow for that, the tests of slices take each item's first answer alone"
        )
    if data.scores is not None and (without := int((~data.known).sum())):
        yield f"{without:,} answers without a probability are flagged, or not, whatever the threshold"
    if read.scorer == "label_confidence" and len(read.labels) > 2:
        yield "the confidence that a label is not given is spread evenly over the other labels"
    if "norm=" in manifest.task.scorer:
        yield f"labels are by {manifest.task.scorer}, probabilities by log-likelihoods without that norm"


def _model(manifest: Manifest) -> str:
    return str(manifest.model.identity.get("name", manifest.model.ref))
