"""What of a case is numbered for a judge of units: by rule, so that no statement is dropped or merged."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from bakeoff.errors import TaskError
from bakeoff.judging.case import Case
from bakeoff.judging.rubric import NOT_APPLICABLE, Rubric
from bakeoff.score.extract.sentence import sentences

_CITED = r"\[\d{1,3}(?:[ \t]{0,3},[ \t]{0,3}\d{1,3}){0,20}\]"
_CITATION = re.compile(_CITED)
# "It is 30 m high.[1] It was" – the citation belongs to the sentence in front of it.
_BEHIND_ITS_SENTENCE = re.compile(rf"([.!?])[ \t]{{0,3}}((?:{_CITED}){{1,20}})(?=\s|\Z)")


@dataclass(frozen=True, slots=True)
class Numbering:
    """How many units a judge has to judge, and how many passages it may name, each numbered from 1.

    `uncited` are the units that cite no passage there is, where the rubric asks about citations.
    """

    units: int
    passages: int = 0
    uncited: tuple[int, ...] = ()

    def choices(self, rubric: Rubric, unit: int) -> tuple[int | str, ...]:
        """What can be said of this unit: levels, and perhaps `not_applicable`."""
        allowed = rubric.choices(rubric.criteria[0])
        if unit not in self.uncited:
            return allowed
        return tuple(each for each in allowed if each in (1, NOT_APPLICABLE))

    def said(self, rubric: Rubric, unit: int) -> tuple[str, ...]:
        """The same in the words of a judge."""
        return tuple(map(rubric.criteria[0].named, self.choices(rubric, unit)))

    def evidence(self) -> tuple[int | None, ...]:
        """All that a judge may name as evidence."""
        return (None, *range(1, self.passages + 1))

    def as_metadata(self) -> dict[str, Any]:
        """As JSON, from which `numbering_from` makes it again."""
        return asdict(self) | {"uncited": list(self.uncited)}


def numbering_from(value: Mapping[str, Any]) -> Numbering:
    """The numbering in the metadata of a judge's item.

    Raises:
        TaskError: it is none.
    """
    try:
        return Numbering(
            int(value["units"]), int(value["passages"]), tuple(int(unit) for unit in value["uncited"])
        )
    except (KeyError, TypeError, ValueError):
        raise TaskError(
            f"metadata.numbering is none: {value!r:.80}",
            "a judge's items are made by: bakeoff judge run RUN --rubric RUBRIC --model JUDGE",
        ) from None


def numbering_of(rubric: Rubric, case: Case) -> Numbering | None:
    """How the case is numbered for this rubric; None for rubrics without units.

    Raises:
        TaskError: as `units_of`.
    """
    if rubric.kind != "units":
        return None
    units, passages = units_of(rubric, case), len(case.passages)
    uncited = [number for number, text in enumerate(units, 1) if not cited(text, passages)]
    return Numbering(len(units), passages, tuple(uncited) if rubric.citations else ())


def units_of(rubric: Rubric, case: Case) -> tuple[str, ...]:
    """The texts that get a verdict each. None at all is possible: an answer of "…", or no passage found.

    Sentences without a letter or digit are none. A citation behind a full stop is moved in front of it.

    Raises:
        TaskError: the case has no context or no reference, and the rubric is about it.
    """
    if case.context is None and (rubric.units != "answer" or rubric.evidence or rubric.citations):
        raise TaskError(
            f"item {case.id}: the rubric is about the context, and there is none",
            "passages come from the pipeline's stages or from metadata.context, a text or a list of texts",
        )
    if rubric.units == "passages":
        return case.passages
    if rubric.units == "reference":
        if case.reference is None:
            raise TaskError(
                f"item {case.id}: the rubric judges the sentences of a reference answer, and there is none",
                "give every item a target, or take another rubric",
            )
        return sentences_of(case.reference)
    return sentences_of(case.answers[0])


def cited(sentence: str, passages: int) -> tuple[int, ...]:
    """The numbers of the passages there are that a sentence cites as [2] or [1, 3], each once, in order."""
    numbers = (int(number) for found in _CITATION.findall(sentence) for number in re.findall(r"\d+", found))
    return tuple(dict.fromkeys(number for number in numbers if 1 <= number <= passages))


def sentences_of(text: str) -> tuple[str, ...]:
    """The sentences of an answer that hold a letter or digit, with the citations behind them."""
    parted = sentences(_BEHIND_ITS_SENTENCE.sub(r" \2\1", text))
    return tuple(each for each in parted if any(map(str.isalnum, each)))
