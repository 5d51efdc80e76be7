"""What a judge is asked to decide."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic import model_validator as check
from pydantic_core import PydanticCustomError

from bakeoff.digest import digest
from bakeoff.errors import TaskError

FIRST, SECOND, TIE = "first", "second", "tie"
"""What a judge may say of a pair, by the place in which it read the answers."""


def _said(text: str) -> str:
    if not text.strip():
        raise PydanticCustomError("rubric", "must say something")
    return text


def _list_not_text(value: Any) -> Any:
    if isinstance(value, str):
        raise PydanticCustomError("rubric", "must be a list, from the worst level to the best")
    return value


def _name(text: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", text):
        raise PydanticCustomError("rubric", "must be a name such as answer_relevance")
    return text


Said = Annotated[str, AfterValidator(_said)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Criterion(_Model):
    """One question about an answer, or about a pair of them.

    `levels` say what each grade looks like, from the worst, which is grade 1, to the best. Two to ten of
    them to grade by; none to compare by.
    """

    name: Annotated[str, AfterValidator(_name)]
    question: Said
    levels: Annotated[tuple[Said, ...], BeforeValidator(_list_not_text)] = ()

    def value(self, grade: int) -> float:
        """A grade as a score in [0, 1]: 0 for the worst level, 1 for the best, the others evenly between.

        Raises:
            ValueError: no such level.
        """
        if not 1 <= grade <= len(self.levels):
            raise ValueError(f"{self.name} has the grades 1 to {len(self.levels)}, got {grade}")
        return (grade - 1) / (len(self.levels) - 1)


class Rubric(_Model):
    """How answers are judged: one by one by `grades`, or two side by side, `pairwise`.

    `reference` shows the judge a reference answer. `ties` lets it say of a pair that neither is better.
    """

    kind: Literal["grades", "pairwise"]
    criteria: tuple[Criterion, ...]
    reference: bool = False
    ties: bool = False

    @check(mode="after")
    def _fits_its_kind(self) -> "Rubric":
        if not self.criteria:
            raise PydanticCustomError("rubric", "needs a criterion or more")
        names = [each.name for each in self.criteria]
        if twice := [name for name in names if names.count(name) > 1]:
            raise PydanticCustomError(
                "rubric", "the criterion {name} is there twice", {"name": repr(twice[0])}
            )
        for each in self.criteria:
            if self.kind == "grades" and not 2 <= len(each.levels) <= 10:
                text = "{name} needs two to ten levels to grade by, and has {n}"
            elif self.kind == "pairwise" and each.levels:
                text = "{name} has levels, and pairs are compared without: leave them out, or kind: grades"
            elif len(set(each.levels)) < len(each.levels):
                text = "two levels of {name} read the same"
            else:
                continue
            raise PydanticCustomError("rubric", text, {"name": repr(each.name), "n": len(each.levels)})
        if self.ties and self.kind == "grades":
            raise PydanticCustomError("rubric", "ties are for pairs: leave them out, or kind: pairwise")
        return self

    @property
    def digest(self) -> str:
        """Names this rubric: what was measured about a judge with it holds for no other."""
        return digest(self.model_dump())

    def choices(self, criterion: Criterion) -> tuple[int, ...] | tuple[str, ...]:
        """All that a judge may answer to a criterion of this rubric."""
        if self.kind == "grades":
            return tuple(range(1, len(criterion.levels) + 1))
        return (FIRST, SECOND, TIE) if self.ties else (FIRST, SECOND)


def rubric_of(values: Mapping[str, Any], *, place: str = "rubric") -> Rubric:
    """The rubric of a mapping, as a task file holds it; `place` is for errors.

    Raises:
        TaskError: all mistakes in it, each with its field.
    """
    try:
        return Rubric.model_validate(values)
    except ValidationError as error:
        lines = [_line(place, each["loc"], each["msg"]) for each in error.errors(include_url=False)]
        hint = "docs/guide/judges.md has a rubric of each kind to start from"
        raise TaskError("\n".join(lines), hint) from None


def _line(place: str, steps: tuple[str | int, ...], problem: str) -> str:
    field = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return f"{place}{field}: {problem[:1].lower()}{problem[1:]}"
