"""A run of the scorer `fields`, field by field: what is found, what is invented, what is valid."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from bakeoff.errors import BakeoffError
from bakeoff.nouns import Outcome, Sample
from bakeoff.run.estimate import Estimate, estimate
from bakeoff.run.metrics import counts, item_mean
from bakeoff.score import ON_SECOND_TURN
from bakeoff.score.fields import VERDICTS, FieldVerdicts, Judged, kind_of, of_nothing
from bakeoff.store import read_manifest, read_samples

UNASKED = "(not asked for)"
"""Stands for the fields that no target gives and the task does not name."""

Form = Literal[
    "as given",
    "repaired by rule",
    "repaired by a second turn",
    "asked again in vain",
    "broken",
    "unknown",
]
"""How an answer became an object: it is one and nothing else; a rule took it out of a fenced block or out of
text; the model was told what was wrong and asked once more, and then it was one, or one that still does not
fit the schema; it is none. Records older than this do not say: unknown."""
FORMS: tuple[Form, ...] = get_args(Form)


@dataclass(frozen=True, slots=True)
class FieldScores:
    """One field, over all samples that have a score; those without a readable answer miss what is expected.

    Over values: `precision` is right / given and `recall` right / expected, where given are the right, wrong
    and hallucinated, and expected the right, wrong and missing ones; `hallucinated` is the share of the given
    that the target does not have, `missing` the share of the expected that were not given, and `invented`,
    outside of lists, the share given of those that the target leaves out. Their intervals are clustered by
    item where an item has several values (a list, repeats), or by group. `exact` is the share of items where
    every value of the field is right, or rightly left out; an answer that cannot be read is not. `counts` are
    values by verdict: right, wrong, missing, hallucinated, absent.
    """

    path: str
    precision: Estimate
    recall: Estimate
    hallucinated: Estimate
    missing: Estimate
    invented: Estimate
    exact: Estimate
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Fieldwise:
    """Every field, first those of the first item in its order, and `total` for all values together.

    Shares of items: `valid`, whose answer validates under its schema, where an answer that is no JSON object
    does not (None where no item has a schema); `as_given`, whose answer is the object and nothing else, and
    valid where there is a schema: what a program could read as it stands. `forms` are the samples by `Form`,
    `rules` those repaired by rule by where the object was found. `samples` are the samples by outcome, with
    their `total`.
    """

    fields: tuple[FieldScores, ...]
    total: FieldScores
    valid: Estimate | None
    as_given: Estimate
    forms: Mapping[Form, int]
    rules: Mapping[str, int]
    samples: Mapping[str, int]


@dataclass(frozen=True, slots=True, eq=False)
class FieldAnswer:
    """A sample: whose it is, how it became an object, and the verdicts on its fields.

    `judged` are (field, verdict) for every value, the field of `lines[0].sku` being `lines[].sku`; of an
    answer without an object the verdicts are `missing`, and `unread` for what the target leaves out. `rule`
    says where a rule found the object; `digest` is the sample's `item_digest`.
    """

    item: str
    digest: str
    group: str | None
    form: Form
    rule: str
    judged: Sequence[tuple[str, str]]
    valid: bool | None


@dataclass(frozen=True, slots=True)
class FieldAnswers:
    """The answers of some runs that have a score, and the `names` of all their fields.

    First come the fields of the first item, in its order; last, as `UNASKED`, what no target of these runs
    has and the task does not name.
    """

    names: tuple[str, ...]
    runs: tuple[Sequence[FieldAnswer], ...]


def fieldwise(folder: Path, *, level: float = 0.95) -> Fieldwise:
    """Measure a run field by field, from the verdicts that its samples keep.

    Raises:
        BakeoffError: the run was judged by another scorer.
    """
    found = field_answers([folder])
    (answers,) = found.runs
    schemas = any(answer.valid is not None for answer in answers)
    return Fieldwise(
        fields=tuple(field_scores(answers, name, level=level) for name in found.names),
        total=field_scores(answers, None, level=level),
        valid=_of_items(((answer, answer.valid is True) for answer in answers), level) if schemas else None,
        as_given=_of_items(((answer, is_as_given(answer)) for answer in answers), level),
        forms=forms(answers),
        rules=dict(sorted(Counter(answer.rule for answer in answers if answer.rule).items())),
        samples=counts(folder),
    )


def field_answers(folders: Sequence[Path]) -> FieldAnswers:
    """Read runs, all of the scorer `fields`, for one table.

    Raises:
        BakeoffError: a run was judged by another scorer.
    """
    runs = [[*map(_read, _scored(folder))] for folder in folders]
    asked = {
        name for run in runs for each in run for name, verdict in each.judged if verdict != "hallucinated"
    }
    order = dict.fromkeys(
        [kind_of(each.path) for folder in folders for each in _first(folder)]
        + [name for run in runs for each in run for name, _ in each.judged]
    )
    named = tuple(
        [
            replace(each, judged=[(name if name in asked else UNASKED, v) for name, v in each.judged])
            for each in run
        ]
        for run in runs
    )
    unasked = () if asked.issuperset(order) else (UNASKED,)
    return FieldAnswers((*(name for name in order if name in asked), *unasked), named)


def field_scores(answers: Sequence[FieldAnswer], name: str | None, *, level: float = 0.95) -> FieldScores:
    """One field of `answers`, or all of them together where `name` is None."""
    values = [
        _Value(field, verdict, answer)
        for answer in answers
        for field, verdict in answer.judged
        if name is None or field == name
    ]
    found = Counter(each.verdict for each in values)
    optional = [each for each in values if each.field != UNASKED and "[]" not in each.field]
    right = ((answer, is_exact(answer, name)) for answer in answers)
    return FieldScores(
        path="" if name is None else name,
        precision=_share(values, "right", GIVEN, level),
        recall=_share(values, "right", EXPECTED, level),
        hallucinated=_share(values, "hallucinated", GIVEN, level),
        missing=_share(values, "missing", EXPECTED, level),
        invented=_share(optional, "hallucinated", _SILENT, level),
        exact=_of_items(((answer, each) for answer, each in right if each is not None), level),
        counts={verdict: found[verdict] for verdict in VERDICTS},
    )


def forms(answers: Sequence[FieldAnswer]) -> Mapping[Form, int]:
    """How many answers became an object how, zeros included."""
    return {form: sum(answer.form == form for answer in answers) for form in FORMS}


def is_exact(answer: FieldAnswer, name: str | None) -> bool | None:
    """Whether every value of the field is right, or rightly left out; of all fields where `name` is None.

    None where neither the target nor the answer has the field. An answer without an object is never exact.
    """
    verdicts = [verdict for field, verdict in answer.judged if name is None or field == name]
    if not verdicts and name is not None:
        return None
    return answer.form != "broken" and all(verdict in _RIGHT for verdict in verdicts)


def is_as_given(answer: FieldAnswer) -> bool:
    """Whether a program could read the answer as it stands: one object, and valid where there is a schema."""
    return answer.form == "as given" and answer.valid is not False


GIVEN = frozenset({"right", "wrong", "hallucinated"})
EXPECTED = frozenset({"right", "wrong", "missing"})
_SILENT = frozenset({"hallucinated", "absent"})
_RIGHT = frozenset({"right", "absent"})


@dataclass(frozen=True, slots=True)
class _Value:
    field: str
    verdict: str
    answer: FieldAnswer


def _scored(folder: Path) -> Iterable[Sample]:
    scorer = read_manifest(folder).task.scorer
    if not scorer.startswith("fields@"):
        raise BakeoffError(
            f"{folder} was judged by {scorer:.60}, which keeps no verdicts on fields",
            "judge its answers anew, each field by its type: bakeoff rescore RUN --scorer FILE, and in the "
            "file `{name: fields, fields: …}`",
        )
    return (sample for sample in read_samples(folder) if not sample.score.outcome.unscored)


def _first(folder: Path) -> Iterable[Judged]:
    return (judged for each in read_samples(folder, limit=1) for judged in _nothing(each))


def _nothing(sample: Sample) -> Sequence[Judged]:
    return of_nothing(sample.score.scorer, sample.target)


def _read(sample: Sample) -> FieldAnswer:
    score = sample.score
    if score.outcome is Outcome.SCORED and score.extracted is not None:
        found = FieldVerdicts.from_json(score.extracted)
        judged = [(kind_of(each.path), str(each.verdict)) for each in found.judged()]
        form, rule = _form(score.reason, found)
        return FieldAnswer(sample.item_id, sample.item_digest, sample.group, form, rule, judged, found.valid)
    # There was something to fit, and what cannot be read does not.
    valid = False if "schema" in sample.metadata or re.search(r"[(,]schema=", score.scorer) else None
    judged = [
        (kind_of(each.path), "unread" if each.verdict == "absent" else each.verdict)
        for each in _nothing(sample)
    ]
    return FieldAnswer(sample.item_id, sample.item_digest, sample.group, "broken", "", judged, valid)


def _form(reason: str, found: FieldVerdicts) -> tuple[Form, str]:
    if reason.startswith(ON_SECOND_TURN):
        return ("asked again in vain" if found.valid is False else "repaired by a second turn"), ""
    if found.taken_from is None:
        return "unknown", ""
    return ("repaired by rule", found.taken_from) if found.taken_from else ("as given", "")


def _share(values: Sequence[_Value], verdict: str, among: frozenset[str], level: float) -> Estimate:
    """The share of values with a verdict among those with one of several; `n` counts values."""
    found = [each for each in values if each.verdict in among]
    if not found:
        return Estimate(None, None, 0, note="there is no such value")
    clusters = [unit(each.answer) for each in found]
    several = any(each.answer.group is not None for each in found) or len(set(clusters)) < len(clusters)
    return estimate([float(each.verdict == verdict) for each in found], clusters if several else None, level)


def unit(answer: FieldAnswer) -> tuple[str, str]:
    """What an answer is drawn with: its group, or its item where it has none."""
    return ("group", answer.group) if answer.group is not None else ("item", answer.item)


def _of_items(right: Iterable[tuple[FieldAnswer, bool]], level: float) -> Estimate:
    """The share of items, repeats averaged within their item."""
    items = defaultdict[tuple[str, str | None], list[float]](list)
    for answer, is_right in right:
        items[answer.item, answer.group].append(float(is_right))
    return item_mean([(sum(v) / len(v), group) for (_, group), v in items.items()], "auto", level)
