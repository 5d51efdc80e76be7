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
NOT_APPLICABLE = "not_applicable"
"""What a judge may say of a unit that the question does not fit, where the rubric allows it."""


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
    them to grade by; none to compare by. Units are graded in words: their levels are a mapping, `supported:
    The passages say it.`, whose keys are the `names`.
    """

    name: Annotated[str, AfterValidator(_name)]
    question: Said
    levels: Annotated[tuple[Said, ...], BeforeValidator(_list_not_text)] = ()
    names: tuple[Annotated[str, AfterValidator(_name)], ...] = ()

    @check(mode="before")
    @classmethod
    def _with_names(cls, value: Any) -> Any:
        levels = value.get("levels") if isinstance(value, Mapping) else None
        if not isinstance(levels, Mapping):
            return value
        return {**value, "levels": tuple(levels.values()), "names": tuple(levels)}

    def named(self, choice: int | str) -> str:
        """How a judge of units says this choice: a level by its name."""
        return self.names[choice - 1] if isinstance(choice, int) else choice

    def value(self, grade: int) -> float:
        """A grade as a score in [0, 1]: 0 for the worst level, 1 for the best, the others evenly between.

        Raises:
            ValueError: no such level.
        """
        if not 1 <= grade <= len(self.levels):
            raise ValueError(f"{self.name} has the grades 1 to {len(self.levels)}, got {grade}")
        return (grade - 1) / (len(self.levels) - 1)


class Rubric(_Model):
    """How answers are judged: one by one (`grades`), two side by side (`pairwise`), or in pieces (`units`).

    `reference` shows the judge a reference answer. `ties` lets it say of a pair that neither is better.

    The `units` are numbered by rule, not by a model that may drop or merge some: the sentences of the answer,
    the passages of the context, or the sentences of the reference answer. Each gets a level of the one
    criterion. `not_applicable` says of which units it cannot be asked; without, the judge cannot say so.
    `evidence` asks for the number of the passage that bears a level out. With `citations`, a sentence that
    cites no passage there is ([2] is passage 2) can have no level but the worst. `summary` makes one value of
    them: the share of the units at the best level, or `average_precision` over passages in their order.
    """

    kind: Literal["grades", "pairwise", "units"]
    criteria: tuple[Criterion, ...]
    reference: bool = False
    ties: bool = False
    units: Literal["answer", "passages", "reference"] | None = None
    not_applicable: Said | None = None
    evidence: bool = False
    citations: bool = False
    summary: Literal["share", "average_precision"] = "share"

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
            if self.kind != "pairwise" and not 2 <= len(each.levels) <= 10:
                text = "{name} needs two to ten levels to grade by, and has {n}"
            elif self.kind == "pairwise" and each.levels:
                text = "{name} has levels, and pairs are compared without: leave them out, or kind: grades"
            elif len(set(each.levels)) < len(each.levels):
                text = "two levels of {name} read the same"
            else:
                continue
            raise PydanticCustomError("rubric", text, {"name": repr(each.name), "n": len(each.levels)})
        if self.ties and self.kind != "pairwise":
            raise PydanticCustomError("rubric", "ties are for pairs: leave them out, or kind: pairwise")
        if problem := self._units_problem():
            raise PydanticCustomError("rubric", "{problem}", {"problem": problem})
        return self

    def _units_problem(self) -> str:
        """What is wrong with the fields that are for units; empty where nothing is."""
        if self.kind != "units":
            fields = ("units", "not_applicable", "evidence", "citations", "summary")
            given = [name for name in fields if getattr(self, name) != type(self).model_fields[name].default]
            given += ["levels with names"] * any(each.names for each in self.criteria)
            return f"{given[0]} is for kind: units, and this is kind: {self.kind}" if given else ""
        if self.units is None:
            return "kind: units needs `units`: answer, passages or reference"
        if len(self.criteria) > 1:
            return "units are judged by one criterion: make a rubric of each"
        names = self.criteria[0].names
        if len(set(names)) != len(self.criteria[0].levels):
            return "units need levels with names: write `levels` as a mapping, from the worst to the best"
        if NOT_APPLICABLE in names:
            return f"{NOT_APPLICABLE} is no level: write it beside the criteria"
        if self.evidence and self.units == "passages":
            return "evidence names a passage, and here the passages are the units: leave it out"
        if self.citations and self.units != "answer":
            return "citations are those of an answer's sentences: leave them out, or units: answer"
        if self.summary == "average_precision" and self.units != "passages":
            return "average_precision is over passages in their order: leave it out, or units: passages"
        if self.reference and self.units == "reference":
            return "units: reference shows the reference answer already: leave `reference` out"
        return ""

    @property
    def digest(self) -> str:
        """Names this rubric: what was measured about a judge with it holds for no other."""
        return digest(self.model_dump())

    def choices(self, criterion: Criterion) -> tuple[int | str, ...]:
        """All that a judge may answer to a criterion of this rubric."""
        if self.kind == "pairwise":
            return (FIRST, SECOND, TIE) if self.ties else (FIRST, SECOND)
        levels = tuple(range(1, len(criterion.levels) + 1))
        return levels if self.not_applicable is None else (*levels, NOT_APPLICABLE)


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
