"""What a judge said: a verdict in the form it was asked for, or the reason why there is none.

No word of prose is ever read as a grade, and nothing unreadable becomes the lowest grade.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from bakeoff.judging.rubric import Criterion, Rubric
from bakeoff.judging.schema import choice_key
from bakeoff.judging.units import Numbering
from bakeoff.score.extract.reasoning import part_reasoning

_LONGEST = 100_000
"""Characters of a verdict; one has a few hundred."""
_NAMED = 10
"""As many names as fit into a reason."""
_FENCE_OPENS = re.compile(r"(?:`{3,}+|~{3,}+)[\w+-]{0,20}+")
_FENCE_CLOSES = re.compile(r"(?:`{3,}+|~{3,}+)?")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Finding:
    """The choice on one criterion: a grade from 1, or `first`, `second` or `tie`; and the reason given.

    `unit` is the number of what was judged, where a rubric judges units; the choice is then the number of the
    level that was named, or `not_applicable`. `evidence` is the number of the passage that was named for it,
    None where none was.
    """

    criterion: str
    choice: int | str
    why: str
    unit: int | None = None
    evidence: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """One finding for each criterion, in the order of the rubric; for each unit, in the order of the text.

    `repaired` names what was taken off around the JSON, and is empty where the text was nothing else.
    """

    findings: tuple[Finding, ...]
    repaired: str = ""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """No verdict, and why. A failure of the judge (`scorer_error`), never of what it judged."""

    reason: str


class _NoVerdictError(Exception):
    """Why a text is no verdict."""


def read_verdict(
    text: str, rubric: Rubric, mark: str, numbering: Numbering | None = None
) -> Verdict | Unreadable:
    """The verdict on the case with this `mark`, held to what `verdict_schema` says.

    For a rubric of units there is exactly one verdict for each number of the `numbering`: a judge that leaves
    one out, or invents one, has not judged the case.

    The text is one JSON object, behind reasoning blocks if there are any. One repair: prose or a code fence
    in front of the object, and the end of the fence behind it, are taken off. Then the object must be all
    there is between braces, and nothing may follow that could take it back. Names that occur twice in an
    object, NaN and Infinity, and texts over 100,000 characters are refused. No text makes it raise.

    Raises:
        ValueError: a rubric of units without a numbering.
    """
    if rubric.kind == "units" and numbering is None:
        raise ValueError("a rubric of units needs the numbering of the case: numbering_of(rubric, case)")
    try:
        value, repaired = _value(text)
        return Verdict(_findings(value, rubric, mark, numbering), repaired)
    except _NoVerdictError as error:
        return Unreadable(str(error))


def _value(text: str) -> tuple[Any, str]:
    """A JSON value, and what had to be taken off to come to it."""
    if len(text) > _LONGEST:
        raise _NoVerdictError(f"{len(text):,} characters, where a verdict has a few hundred")
    if not text.strip():
        raise _NoVerdictError("the judge wrote nothing")
    # First as it is, so that a mark of reasoning quoted inside the JSON parts nothing.
    if (value := _whole(text)) is not None:
        return value, ""
    parted = part_reasoning(text)
    if parted.unclosed:
        raise _NoVerdictError("the reasoning was never closed")
    if not parted.answer.strip():
        raise _NoVerdictError("nothing came after the reasoning")
    if parted.reasoned and (value := _whole(parted.answer)) is not None:
        return value, ""
    return _only_object(parted.answer)


def _whole(text: str) -> Any:
    """The value of a text that is JSON and nothing else; None where it is not (or says null)."""
    try:
        return _decoded(text.strip(_WHITE), 0, whole=True)[0]
    except json.JSONDecodeError:
        return None


def _only_object(text: str) -> tuple[Any, str]:
    start = text.find("{")
    if start < 0:
        raise _NoVerdictError("there is no JSON object in it")
    try:
        value, end = _decoded(text, start)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        problem = "the JSON is cut off" if cut else f"not JSON: {error.msg} at character {error.pos}"
        raise _NoVerdictError(problem) from None
    before, after = text[:start], text[end:]
    if re.search(r"[{}]", before + after):
        raise _NoVerdictError("braces beside the JSON object: which one is the verdict cannot be told")
    if not _FENCE_CLOSES.fullmatch(after.strip()):
        raise _NoVerdictError("text follows the JSON object, and may take it back")
    return value, "a code fence" if _FENCE_OPENS.fullmatch(
        before.strip()
    ) else "text in front of the JSON object"


def _decoded(text: str, start: int, *, whole: bool = False) -> tuple[Any, int]:
    """The JSON value that begins at `start`, and where it ends.

    Raises:
        json.JSONDecodeError: none begins there or, if it is to be the `whole` text, more follows.
        _NoVerdictError: it is written as JSON, and still cannot be taken for a value.
    """
    try:
        value, end = _DECODER.raw_decode(text, start)
    except RecursionError:
        raise _NoVerdictError("nested too deep") from None
    except json.JSONDecodeError:
        raise
    except ValueError:  # Python's own limit on digits
        raise _NoVerdictError("a number of thousands of digits") from None
    if whole and end < len(text):
        raise json.JSONDecodeError("Extra data", text, end)
    return value, end


def _findings(value: Any, rubric: Rubric, mark: str, numbering: Numbering | None) -> tuple[Finding, ...]:
    verdict = _fields(value, ("case", "verdicts"), "the verdict")
    if verdict["case"] != mark:
        raise _NoVerdictError(f"it is for the case {verdict['case']!r:.40}, not for {mark!r}")
    if numbering is not None and rubric.kind == "units":
        numbers = tuple(str(number) for number in range(1, numbering.units + 1))
        verdicts = _fields(verdict["verdicts"], numbers, "verdicts")
        return tuple(_of_unit(verdicts[number], rubric, numbering, int(number)) for number in numbers)
    names = tuple(each.name for each in rubric.criteria)
    verdicts = _fields(verdict["verdicts"], names, "verdicts")
    return tuple(_finding(verdicts[each.name], rubric, each) for each in rubric.criteria)


def _finding(value: Any, rubric: Rubric, criterion: Criterion) -> Finding:
    key = choice_key(rubric)
    given = _fields(value, ("why", key), criterion.name)
    why = _text(given["why"], f"{criterion.name}.why")
    choice = _one_of(given[key], rubric.choices(criterion), f"{criterion.name}.{key}")
    return Finding(criterion.name, choice, why)


def _of_unit(value: Any, rubric: Rubric, numbering: Numbering, number: int) -> Finding:
    key = choice_key(rubric)
    given = _fields(value, ("why", "evidence", key) if rubric.evidence else ("why", key), str(number))
    why = _text(given["why"], f"{number}.why")
    evidence = None
    if rubric.evidence:
        evidence = _one_of(given["evidence"], numbering.evidence(), f"{number}.evidence")
    said = _one_of(given[key], numbering.said(rubric, number), f"{number}.{key}")
    choice = dict(zip(numbering.said(rubric, number), numbering.choices(rubric, number), strict=True))[said]
    return Finding(rubric.criteria[0].name, choice, why, number, evidence)


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str) or re.search(r"[\ud800-\udfff]", value):
        raise _NoVerdictError(f"{place}: {value!r:.40} is no text")
    return value


def _one_of(said: Any, allowed: Sequence[T], place: str) -> T:
    # True equals 1 in Python, and is no grade.
    if not isinstance(said, bool):
        for each in allowed:
            if each == said:
                return each
    named = [json.dumps(each) if each is None else str(each) for each in allowed]
    shown = ", ".join(named if len(named) <= _NAMED else [*named[:_NAMED], "…"])
    raise _NoVerdictError(f"{place}: {said!r:.40} is none of {shown}")


def _fields(value: Any, names: tuple[str, ...], place: str) -> Mapping[str, Any]:
    """An object with exactly these names."""
    if not isinstance(value, dict):
        raise _NoVerdictError(f"{place}: {value!r:.40} is no object")
    if missing := [name for name in names if name not in value]:
        more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
        raise _NoVerdictError(f"{place}: {', '.join(missing[:_NAMED])}{more} missing")
    if extra := [name for name in value if name not in names]:
        raise _NoVerdictError(f"{place}: {extra[0]!r:.40} was not asked for")
    return value


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise _NoVerdictError(f"{twice!r:.40} is there twice")
    return found


def _refuse(constant: str) -> Any:
    raise _NoVerdictError(f"{constant} is not JSON")


_WHITE = " \t\r\n"
_DECODER = json.JSONDecoder(object_pairs_hook=_distinct, parse_constant=_refuse)
