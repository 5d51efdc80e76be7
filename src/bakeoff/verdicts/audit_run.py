"""Audit a judge on its own run, beside people's labels."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from bakeoff.errors import BakeoffError
from bakeoff.judging.audit import Audit, Judgement
from bakeoff.judging.audit_file import audits
from bakeoff.judging.formatting import formatted
from bakeoff.judging.grade_audit import GradeAudit, Graded
from bakeoff.judging.position import Winner
from bakeoff.judging.rubric import Criterion
from bakeoff.store import read_samples
from bakeoff.verdicts.cases import answer_of
from bakeoff.verdicts.labelled import Case, Labelled, choice_of, labelled, said_of

Texts = dict[tuple[str, int], tuple[str, ...]]


def audit_run(
    folder: Path,
    files: Sequence[Path] = (),
    *,
    families: Sequence[str] = (),
    judge_family: str | None = None,
    out: Path,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[Audit | GradeAudit, ...]:
    """An audit by each criterion of the judge of a run, its own or a judged one.

    Lengths, in characters, and format are those of the answers judged. `families` names the family of models
    that each judged run is of. Units count as graded: 1 where one of them is not at the best level, else 2.

    Raises:
        BakeoffError: no language model judged the run; not a family for each judged run.
        StoreError: a run or a file cannot be read.
        TaskError: a line that is no label by the judge's rubric.
    """
    found = labelled(folder, files, out=out)
    if families and len(families) != len(found.judging.folders):
        raise BakeoffError(
            f"--families must name one for each of {len(found.judging.folders)} judged runs, "
            f"got {len(families)}",
            "for two runs: --families gpt,llama --judge-family gpt",
        )
    texts = _texts(found)
    records: list[Judgement] | list[Graded]
    if found.rubric.kind == "pairwise":
        records = [
            each
            for criterion in found.rubric.criteria
            for case in found.cases
            for each in _judgements(found, case, criterion, texts, families, judge_family)
        ]
        return audits(records, level=level, seed=seed)
    result: list[Audit | GradeAudit] = []
    for criterion in found.rubric.criteria:
        levels = 2 if found.rubric.kind == "units" else len(criterion.levels)
        records = [
            _graded(found, case, criterion, texts, families[0] if families else None, judge_family)
            for case in found.cases
        ]
        result += audits(records, levels=levels, level=level, seed=seed)
    return tuple(result)


def _texts(found: Labelled) -> Texts:
    """The texts that were judged, one for each judged run."""
    texts: Texts = {}
    for folder in found.judging.folders:
        for sample in read_samples(Path(folder)):
            answer = answer_of(sample)
            if answer is not None:
                key = sample.item_id, sample.repeat
                texts[key] = (*texts.get(key, ()), answer)
    return texts


def _judgements(
    found: Labelled,
    case: Case,
    criterion: Criterion,
    texts: Texts,
    families: Sequence[str],
    judge_family: str | None,
) -> Iterator[Judgement]:
    label = case.labels.get(criterion.name)
    better = () if label is None else tuple(_winner(each) for each in said_of(label.said, found.rubric))
    one, other = texts[case.item, case.repeat]
    for opinion in case.opinions:
        yield Judgement(
            item=_name(case),
            swapped=opinion.order == (1, 0),
            winner=_winner(choice_of(opinion, criterion, found.rubric)),
            better=better,
            lengths=(float(len(one)), float(len(other))),
            formatted=(formatted(one), formatted(other)),
            families=(families[0], families[1]) if families else None,
            judge_family=judge_family,
            criterion=criterion.name,
        )


def _graded(
    found: Labelled,
    case: Case,
    criterion: Criterion,
    texts: Texts,
    family: str | None,
    judge_family: str | None,
) -> Graded:
    label = case.labels.get(criterion.name)
    (text,) = texts[case.item, case.repeat]
    return Graded(
        item=_name(case),
        grades=tuple(_grade(choice_of(each, criterion, found.rubric)) for each in case.opinions),
        people=() if label is None else tuple(_grade(each) for each in said_of(label.said, found.rubric)),
        length=float(len(text)),
        formatted=formatted(text),
        family=family,
        judge_family=judge_family,
        criterion=criterion.name,
    )


def _name(case: Case) -> str:
    return case.item if not case.repeat else f"{case.item}#{case.repeat}"


def _winner(choice: object) -> Winner:
    """A tie is no winner."""
    return choice if isinstance(choice, int) and choice in (0, 1) else None


def _grade(choice: object) -> int | None:
    if isinstance(choice, bool):
        return 2 if choice else 1
    return choice if isinstance(choice, int) else None
