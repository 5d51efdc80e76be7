"""An audit of a judge that grades answers one by one."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bakeoff.errors import TaskError
from bakeoff.judging.agreement import WithPeople, with_people
from bakeoff.judging.consistency import Consistency, consistency
from bakeoff.judging.people import two_people
from bakeoff.judging.shift import GradeShift, Leniency, grade_shift, leniency

Grade = int | None
"""From 1, the worst level; None where there is none."""


@dataclass(frozen=True, slots=True)
class Graded:
    """One answer, the `grades` a judge gave it, one for each time it was asked, and those people gave."""

    item: str
    grades: tuple[Grade, ...]
    people: tuple[Grade, ...] = ()
    length: float | None = None
    formatted: bool | None = None
    family: str | None = None
    judge_family: str | None = None
    criterion: str = ""


@dataclass(frozen=True, slots=True)
class GradeAudit:
    """What can be said of a judge that grades; None where its grades do not tell.

    `people` holds the first grade of each answer against one person drawn by item; `ceiling` that person
    against a second; `floor` one who gives every answer `commonest`, the grade people gave most often.
    `lenient` and the biases are differences from people's mean grade, on a scale from 0 (worst) to 1 (best):
    `length` of the answers longer than the median against the others, `format` of formatted answers against
    plain ones, `family` of the judge's own family against others.
    """

    criterion: str
    levels: int
    answers: int
    verdicts: int
    without_grade: int
    people: WithPeople | None
    ceiling: WithPeople | None
    floor: WithPeople | None
    commonest: int | None
    lenient: Leniency | None
    length: GradeShift | None
    format: GradeShift | None
    family: GradeShift | None
    judge_family: str | None
    repeats: Consistency | None


def audit_grades(
    graded: Iterable[Graded], *, levels: int | None = None, level: float = 0.95, seed: int = 0
) -> GradeAudit:
    """Agreement with people, leniency, biases and self-consistency of one judge on one criterion.

    `levels` is how many grades the scale has: what chance would do depends on it. By default the highest
    grade that anybody gave.

    Raises:
        TaskError: no answer, one twice, several criteria or judges, or a grade off the scale.
        ValueError: level outside (0, 1).
    """
    answers = list(graded)
    scale = _scale(answers, levels)
    top = len(scale) - 1
    families = {each.judge_family for each in answers if each.judge_family is not None}
    if len({each.criterion for each in answers}) > 1 or len(families) > 1:
        raise TaskError("an audit is of one judge and one criterion", "audit each by itself")
    drawn = [two_people(each.people, each.item, seed) for each in answers]
    people = [one for one, _ in drawn]
    counted = Counter(grade for grade in people if grade is not None)
    commonest = max(counted, key=lambda grade: (counted[grade], -grade)) if counted else None
    excess = [_excess(each, top) for each in answers]
    known = [value for value in excess if value is not None]

    def agreement(said: Sequence[Grade]) -> WithPeople | None:
        return with_people(said, people, scale, ordered=True, level=level, seed=seed)

    def shift(having: Iterable[bool | None]) -> GradeShift | None:
        pairs = [(value, has) for value, has in zip(excess, having, strict=True) if value is not None]
        return grade_shift([value for value, _ in pairs], [has for _, has in pairs], level=level)

    return GradeAudit(
        criterion=answers[0].criterion,
        levels=len(scale),
        answers=len(answers),
        verdicts=sum(len(each.grades) for each in answers),
        without_grade=sum(each.grades.count(None) for each in answers),
        people=agreement([each.grades[0] if each.grades else None for each in answers]),
        ceiling=agreement([other for _, other in drawn]),
        floor=agreement([commonest] * len(answers)),
        commonest=commonest,
        lenient=leniency(known, level),
        length=shift(_long(answers)),
        format=shift(each.formatted for each in answers),
        family=shift(
            None if None in (each.family, each.judge_family) else each.family == each.judge_family
            for each in answers
        ),
        judge_family=families.pop() if families else None,
        repeats=consistency([each.grades for each in answers], scale, ordered=True, level=level, seed=seed),
    )


def merged(graded: Iterable[Graded]) -> list[Graded]:
    """The lines on one answer and criterion as one: each is one more grade by the judge.

    Raises:
        TaskError: they name different people's grades, lengths, formats or families.
    """
    found: dict[tuple[str, str], list[Graded]] = defaultdict(list)
    for each in graded:
        found[each.criterion, each.item].append(each)
    return [_as_one(lines) for lines in found.values()]


def _as_one(lines: Sequence[Graded]) -> Graded:
    first = lines[0]
    if any(replace(each, grades=first.grades) != first for each in lines):
        raise TaskError(
            f"item {first.item!r:.80}: its lines name different `people`, `length`, `formatted` or `family`"
        )
    return replace(first, grades=tuple(grade for each in lines for grade in each.grades))


def _scale(answers: Sequence[Graded], levels: int | None) -> list[int]:
    if not answers:
        raise TaskError("there is no grade to audit", "one JSON object a line: docs/guide/judges.md")
    grades = [grade for each in answers for grade in (*each.grades, *each.people) if grade is not None]
    highest, lowest = max(grades, default=2), min(grades, default=1)
    if lowest < 1 or (levels is not None and highest > levels):
        wrong = lowest if lowest < 1 else highest
        raise TaskError(f"grades are from 1 to {levels or highest}, got {wrong}", "1 is the worst level")
    return list(range(1, max(2, levels or highest) + 1))


def _excess(each: Graded, top: int) -> float | None:
    """The judge's mean grade minus people's, as a share of the scale."""
    judge, people = (
        [grade for grade in grades if grade is not None] for grades in (each.grades, each.people)
    )
    if not judge or not people:
        return None
    return (sum(judge) / len(judge) - sum(people) / len(people)) / top


def _long(answers: Sequence[Graded]) -> list[bool | None]:
    """Whether each answer is longer than the median of those whose length is told."""
    lengths = sorted(each.length for each in answers if each.length is not None)
    if not lengths:
        return [None] * len(answers)
    middle = lengths[(len(lengths) - 1) // 2]
    return [None if each.length is None else each.length > middle for each in answers]
