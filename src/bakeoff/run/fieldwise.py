"""A run of the scorer `fields`, field by field: what is found, what is invented, what is valid."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bakeoff.errors import BakeoffError
from bakeoff.nouns import Outcome, Sample
from bakeoff.run.estimate import Estimate, estimate
from bakeoff.run.metrics import counts, item_mean
from bakeoff.score.fields import FieldVerdicts, Judged, expected_fields, kind_of
from bakeoff.store import read_manifest, read_samples

UNASKED = "(not asked for)"
"""Stands for the fields that no target gives and the task does not name."""


@dataclass(frozen=True, slots=True)
class FieldScores:
    """One field, over all samples that have a score; those without a readable answer miss what is expected.

    `precision` is right / (right + wrong + hallucinated) and `recall` right / (right + wrong + missing), over
    values: their intervals are clustered by item where an item has several (a list, repeats), or by group.
    `exact` is the share of items where every value of the field is right, or rightly left out. `counts` are
    values by verdict: right, wrong, missing, hallucinated, absent.
    """

    path: str
    precision: Estimate
    recall: Estimate
    exact: Estimate
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Fieldwise:
    """Every field, first those of the first item in its order, and all values together.

    `valid` is the share of items whose answer validates under its schema, where an answer that is no JSON
    object does not; None where no item has a schema. `exact` is the share of items with every field right.
    `samples` are the samples by outcome, with their `total`.
    """

    fields: tuple[FieldScores, ...]
    precision: Estimate
    recall: Estimate
    exact: Estimate
    valid: Estimate | None
    samples: Mapping[str, int]


def fieldwise(folder: Path, *, level: float = 0.95) -> Fieldwise:
    """Measure a run field by field, from the verdicts that its samples keep.

    Raises:
        BakeoffError: the run was judged by another scorer.
    """
    scorer = read_manifest(folder).task.scorer
    if not scorer.startswith("fields@"):
        raise BakeoffError(
            f"{folder} was judged by {scorer:.60}, which keeps no verdicts on fields",
            "judge its answers anew, each field by its type: bakeoff rescore RUN --scorer fields; or run its "
            "task with `scorer: {name: fields, fields: …}`",
        )
    asked = [_read(sample) for sample in read_samples(folder) if not sample.score.outcome.unscored]
    values = [_Value(kind_of(each.path), each.verdict, answer) for answer in asked for each in answer.judged]
    known = {each.field for each in values if each.verdict != "hallucinated"}
    named: dict[str, list[_Value]] = {name: [] for name in _order(folder) if name in known}
    for each in sorted(values, key=lambda each: each.field not in known):
        named.setdefault(each.field if each.field in known else UNASKED, []).append(each)
    schemas = any(answer.valid is not None for answer in asked)
    return Fieldwise(
        fields=tuple(_scores(name, found, level) for name, found in named.items()),
        precision=_share(values, _GIVEN, level),
        recall=_share(values, _EXPECTED, level),
        exact=_of_items(((answer, _is_exact(answer.judged)) for answer in asked), level),
        valid=_of_items(((answer, answer.valid is True) for answer in asked), level) if schemas else None,
        samples=counts(folder),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Answer:
    """A sample: the item it belongs to, and its fields."""

    item: str
    group: str | None
    judged: Sequence[Judged]
    valid: bool | None


@dataclass(frozen=True, slots=True)
class _Value:
    field: str
    verdict: str
    answer: _Answer


_GIVEN = frozenset({"right", "wrong", "hallucinated"})
_EXPECTED = frozenset({"right", "wrong", "missing"})
_RIGHT = frozenset({"right", "absent"})


def _order(folder: Path) -> Iterable[str]:
    return (kind_of(path) for each in read_samples(folder, limit=1) for path in _expected(each))


def _expected(sample: Sample) -> list[str]:
    return expected_fields(sample.score.scorer, sample.target)


def _read(sample: Sample) -> _Answer:
    if sample.score.outcome is Outcome.SCORED and sample.score.extracted is not None:
        verdicts = FieldVerdicts.from_json(sample.score.extracted)
        return _Answer(sample.item_id, sample.group, list(verdicts.judged()), verdicts.valid)
    missing = [Judged(path, "missing") for path in _expected(sample)]
    return _Answer(sample.item_id, sample.group, missing, None)


def _scores(name: str, values: Sequence[_Value], level: float) -> FieldScores:
    of_answer = defaultdict[_Answer, list[_Value]](list)
    for each in values:
        of_answer[each.answer].append(each)
    right = ((answer, all(v.verdict in _RIGHT for v in found)) for answer, found in of_answer.items())
    found = Counter(each.verdict for each in values)
    return FieldScores(
        path=name,
        precision=_share(values, _GIVEN, level),
        recall=_share(values, _EXPECTED, level),
        exact=_of_items(right, level),
        counts={
            verdict: found[verdict] for verdict in ("right", "wrong", "missing", "hallucinated", "absent")
        },
    )


def _share(values: Iterable[_Value], among: frozenset[str], level: float) -> Estimate:
    """The share of right values among those with one of these verdicts; `n` counts values."""
    found = [each for each in values if each.verdict in among]
    if not found:
        return Estimate(None, None, 0, note="there is no such value")
    grouped = any(each.answer.group is not None for each in found)
    clusters = [
        ("group", each.answer.group) if each.answer.group is not None else ("item", each.answer.item)
        for each in found
    ]
    several = grouped or len(set(clusters)) < len(clusters)
    return estimate([float(each.verdict == "right") for each in found], clusters if several else None, level)


def _of_items(right: Iterable[tuple[_Answer, bool]], level: float) -> Estimate:
    """The share of items, repeats averaged within their item."""
    items = defaultdict[tuple[str, str | None], list[float]](list)
    for answer, is_right in right:
        items[answer.item, answer.group].append(float(is_right))
    return item_mean([(sum(v) / len(v), group) for (_, group), v in items.items()], "auto", level)


def _is_exact(judged: Iterable[Judged]) -> bool:
    return all(each.verdict in _RIGHT for each in judged)
