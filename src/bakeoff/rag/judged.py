"""What judges said of the answers of a run, from judged runs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bakeoff.errors import BakeoffError, StoreError
from bakeoff.judging import Rubric, numbering_of, rubric_of
from bakeoff.judging.scorer import NOT_SCORABLE
from bakeoff.nouns import Outcome, Sample
from bakeoff.rag.answers import Answer, text_of
from bakeoff.rag.measure import Measure, Part, Without, measure, unanswered
from bakeoff.store import caveats, find_run, judge_name, read_manifest, read_samples
from bakeoff.verdicts import Opinion, opinions

_UNCITED = "cites no passage"


@dataclass(frozen=True, slots=True)
class _Judged:
    """A judged run: its rubric, its scores by item, and the judge's verdicts where they lie beside it."""

    rubric: Rubric
    samples: Mapping[str, Sample]
    opinions: tuple[Opinion, ...]


def judged_measures(
    folder: Path, answers: Sequence[Answer], out: Path, level: float = 0.95
) -> tuple[Measure, ...]:
    """The measures of a judged run, matched with the answers by item.

    Measures of answers are over `answered` items alone: neither "I don't know" nor a refusal is grounded or
    ungrounded. Measures of passages are over all that a judge was asked about. Where the judge's own run lies
    in `out` too, its verdicts by unit are counted, and passages ranked by usefulness also have a precision.

    Raises:
        BakeoffError: the folder is no judged run, or judges other answers.
        StoreError: it cannot be read.
    """
    manifest = read_manifest(folder)
    judging = manifest.judging
    if judging is None or judging.verdicts is None:
        raise BakeoffError(
            f"{folder} is no judged run", "bakeoff judge run RUN --rubric rag/groundedness makes one"
        )
    rubric = rubric_of(judging.rubric)
    judged = _Judged(rubric, _samples(folder, answers), _opinions(judging.verdicts, out))
    by, said = f"judge {judge_name(judging)}", caveats(manifest)
    part = _part(rubric)
    name = ", ".join(each.name for each in rubric.criteria)
    found = [
        measure(
            part,
            name,
            by,
            answers,
            lambda answer: _value(answer, judged),
            level=level,
            units=_units(answers, judged),
            caveats=said,
        )
    ]
    if rubric.summary == "average_precision" and judged.opinions:
        useful = _shares(judged)
        found.append(
            measure(
                part,
                f"{name}: share of passages",
                by,
                answers,
                lambda answer: _share(answer, judged, useful),
                level=level,
                caveats=said,
            )
        )
    return tuple(found)


def _samples(folder: Path, answers: Sequence[Answer]) -> dict[str, Sample]:
    found = {sample.item_id: sample for sample in read_samples(folder) if sample.repeat == 0}
    for each in answers:
        if each.item in found and text_of(found[each.item]) != each.text:
            raise BakeoffError(
                f"{folder} judges another answer to item {each.item} than the one of this run",
                "name judged runs that were made from it: bakeoff judge run RUN",
            )
    if not any(each.item in found for each in answers):
        raise BakeoffError(f"{folder} holds no item of this run")
    return found


def _opinions(verdicts: str, out: Path) -> tuple[Opinion, ...]:
    try:
        return tuple(each for each in opinions(find_run(verdicts, out)) if each.repeat == 0)
    except StoreError:
        return ()


def _part(rubric: Rubric) -> Part:
    return "retrieval" if rubric.units in ("passages", "reference") else "generation"


def _value(answer: Answer, judged: _Judged) -> float | Without:
    if (why := _without(answer, judged)) is not None:
        return why
    value = judged.samples[answer.item].score.value
    return "failed" if value is None else value


def _without(answer: Answer, judged: _Judged) -> Without | None:
    if answer.ended == "failed":
        return "failed"
    if _part(judged.rubric) == "generation" and (why := unanswered(answer)):
        return why
    sample = judged.samples.get(answer.item)
    if sample is None:
        return "not asked"
    score = sample.score
    if score.reason == NOT_SCORABLE:
        return "not scorable"
    if score.outcome is Outcome.SCORER_ERROR:
        return "not asked" if score.reason.startswith("no judge was asked") else "failed"
    # Answers that no judge was shown keep the outcome they had.
    return None if score.outcome is Outcome.SCORED else "not answered"


def _units(answers: Sequence[Answer], judged: _Judged) -> dict[str, int] | None:
    """What was said of the units that count, by level; None for rubrics without units."""
    if judged.rubric.kind != "units" or not judged.opinions:
        return None
    counted = {each.item for each in answers if _without(each, judged) in (None, "not scorable")}
    criterion = judged.rubric.criteria[0]
    said = Counter(
        finding.choice for each in judged.opinions if each.item in counted for finding in each.findings
    )
    found = {criterion.named(choice): said[choice] for choice in judged.rubric.choices(criterion)}
    if judged.rubric.citations:
        cases = [each.case for each in answers if each.item in counted and each.case is not None]
        numberings = [numbering_of(judged.rubric, case) for case in cases]
        found[_UNCITED] = sum(len(each.uncited) for each in numberings if each is not None)
    return found


def _shares(judged: _Judged) -> dict[str, float]:
    """The share of passages at the best level, by item, over all readable verdicts on it."""
    best = len(judged.rubric.criteria[0].levels)
    found: dict[str, list[bool]] = {}
    for each in judged.opinions:
        found.setdefault(each.item, []).extend(finding.choice == best for finding in each.findings)
    return {item: sum(said) / len(said) for item, said in found.items() if said}


def _share(answer: Answer, judged: _Judged, useful: Mapping[str, float]) -> float | Without:
    if (why := _without(answer, judged)) is not None:
        return why
    return useful.get(answer.item, "failed")
