"""A file of recorded verdicts: one JSON object a line, on pairs or on single answers."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from bakeoff.errors import TaskError
from bakeoff.judging.audit import Audit, Judgement, audit
from bakeoff.judging.grade_audit import Grade, GradeAudit, Graded, audit_grades, merged
from bakeoff.judging.lines import is_number, json_lines, listed
from bakeoff.judging.position import Winner

_ABOUT = {"item", "criterion", "judge_family", "formatted"}
_PAIR_KEYS = {*_ABOUT, "order", "winner", "better", "lengths", "families"}
_GRADE_KEYS = {*_ABOUT, "grade", "people", "length", "family"}

Record = TypeVar("Record", Judgement, Graded)


def audits(
    records: Sequence[Judgement] | Sequence[Graded],
    *,
    levels: int | None = None,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[Audit | GradeAudit, ...]:
    """An audit for each criterion, in the order in which they come up.

    Raises:
        TaskError: as `audit` and `audit_grades`.
        ValueError: level outside (0, 1).
    """
    pairs = [each for each in records if isinstance(each, Judgement)]
    if pairs or not records:
        return tuple(audit(part, level=level, seed=seed) for part in _by_criterion(pairs) or [[]])
    grades = merged(each for each in records if isinstance(each, Graded))
    return tuple(audit_grades(part, levels=levels, level=level, seed=seed) for part in _by_criterion(grades))


def read_verdicts(path: Path) -> list[Judgement] | list[Graded]:
    """The verdicts in a file, on pairs (`item`, `order`, `winner`, and where they are known `better`,
    `lengths`, `formatted`, `families`) or on answers (`item`, `grade`, `people`, `length`, `formatted`,
    `family`), each with `criterion` and `judge_family` if there are any.

    Raises:
        StoreError: the file cannot be read.
        TaskError: a line that is no verdict, with its number and field; both kinds in one file.
    """
    rows = list(json_lines(path))
    if all("grade" in row for _, row in rows) and rows:
        return [_graded(row, place) for place, row in rows]
    return [_judgement(row, place) for place, row in rows]


def _by_criterion(records: Sequence[Record]) -> list[list[Record]]:
    found: dict[str, list[Record]] = defaultdict(list)
    for each in records:
        found[each.criterion].append(each)
    return list(found.values())


def _judgement(row: Mapping[str, Any], place: str) -> Judgement:
    _check_keys(row, _PAIR_KEYS, place)
    if row.get("order") not in ([0, 1], [1, 0]):
        raise TaskError(
            f"{place}: order: must be [0, 1] or [1, 0], got {row.get('order')!r:.40}",
            "the answers, numbered from 0, as the judge read them",
        )
    return Judgement(
        _text(row, "item", place),
        row["order"] == [1, 0],
        _winner(row.get("winner"), "winner", place),
        tuple(_winner(each, "better", place) for each in listed(row.get("better"))),
        _two(row, "lengths", place, "two numbers from 0", lambda each: is_number(each) and each >= 0),
        _two(row, "formatted", place, "two of true and false", lambda each: isinstance(each, bool)),
        _two(row, "families", place, "two names", lambda each: each is None or isinstance(each, str)),
        None if row.get("judge_family") is None else _text(row, "judge_family", place),
        _text(row, "criterion", place) if "criterion" in row else "",
    )


def _graded(row: Mapping[str, Any], place: str) -> Graded:
    _check_keys(row, _GRADE_KEYS, place)
    length, formatted = row.get("length"), row.get("formatted")
    if length is not None and not (is_number(length) and length >= 0):
        raise TaskError(f"{place}: length: must be a number from 0, got {length!r:.40}")
    if formatted is not None and not isinstance(formatted, bool):
        raise TaskError(f"{place}: formatted: must be true or false, got {formatted!r:.40}")
    # Here null is a verdict that could not be read, and not none at all.
    grades = row["grade"] if isinstance(row["grade"], list) else [row["grade"]]
    return Graded(
        _text(row, "item", place),
        tuple(_grade(each, "grade", place) for each in grades),
        tuple(_grade(each, "people", place) for each in listed(row.get("people"))),
        length,
        formatted,
        None if row.get("family") is None else _text(row, "family", place),
        None if row.get("judge_family") is None else _text(row, "judge_family", place),
        _text(row, "criterion", place) if "criterion" in row else "",
    )


def _check_keys(row: Mapping[str, Any], keys: set[str], place: str) -> None:
    if unknown := [key for key in row if key not in keys]:
        known = ", ".join(sorted(keys))
        raise TaskError(f"{place}: there is no key {unknown[0]!r:.40}", f"the keys are {known}")


def _text(row: Mapping[str, Any], key: str, place: str) -> str:
    value = row.get(key)
    if not isinstance(value, str):
        raise TaskError(f"{place}: {key}: must be a text, got {value!r:.40}")
    return value


def _winner(value: Any, key: str, place: str) -> Winner:
    if value is None or (type(value) is int and value in (0, 1)):
        return value
    raise TaskError(f"{place}: {key}: must be 0, 1 or null, got {value!r:.40}", "null: a tie, or unreadable")


def _grade(value: Any, key: str, place: str) -> Grade:
    if value is None or (type(value) is int and value >= 1):
        return value
    raise TaskError(
        f"{place}: {key}: must be a grade from 1 or null, got {value!r:.40}", "1 is the worst level"
    )


def _two(row: Mapping[str, Any], key: str, place: str, kind: str, fits: Callable[[Any], bool]) -> Any:
    match row.get(key):
        case None:
            return None
        case [one, other] if fits(one) and fits(other):
            return one, other
        case value:
            raise TaskError(f"{place}: {key}: must be {kind}, got {value!r:.40}")
