"""From the samples of runs to what a judge is shown."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from bakeoff.errors import BakeoffError
from bakeoff.judging import Case, Rubric
from bakeoff.judging.units import numbering_of
from bakeoff.nouns import Outcome, Sample
from bakeoff.score.extract.reasoning import part_reasoning
from bakeoff.store import read_samples

_JUDGED = (Outcome.SCORED, Outcome.NO_ANSWER, Outcome.SCORER_ERROR)


@dataclass(frozen=True, slots=True)
class Shown:
    """Where the texts beside the answers come from: keys of the items' metadata, dotted paths if need be.

    Without `question` it is what the model was asked. Without `context` it is the passages that the system
    itself answered from, where it names them, else the item's `passages` or `context`, if there are any.
    """

    question: str | None = None
    context: str | None = None


@dataclass(frozen=True, slots=True)
class Subject:
    """One answer, or two side by side, to be judged."""

    item: str
    repeat: int
    group: str | None
    case: Case


def answer_of(sample: Sample) -> str | None:
    """The text a judge is shown, without reasoning; None where there is none to judge.

    An answer that is empty, cut off, refused or failed is counted as that, and no judge is asked about it.
    """
    if sample.score.outcome not in _JUDGED or sample.turns[-1].response.failure is not None:
        return None
    parted = part_reasoning(sample.turns[-1].response.text)
    return None if parted.unclosed or not parted.answer.strip() else parted.answer


def by_default(one: Sample, other: Sample) -> float | None:
    """Who wins a pair that needs no judge: 1 where only the first has an answer, 0 where only the second has,
    1/2 where both are empty, refused or cut off. None where both have one, or where one failed: then nobody.
    """
    sides = [_answered(one), _answered(other)]
    if None in sides or all(sides):
        return None
    return 0.5 + (bool(sides[0]) - bool(sides[1])) / 2


def _answered(sample: Sample) -> bool | None:
    """Whether there is an answer to judge; None where it failed, which is nobody's loss."""
    if answer_of(sample) is not None:
        return True
    return None if sample.score.outcome.unscored else False


def subjects(folder: Path, rubric: Rubric, shown: Shown) -> Iterator[Subject]:
    """The answers of one run that a judge is asked about, in the order of their items.

    Raises:
        BakeoffError: a key of `shown` is not in an item's metadata.
    """
    for sample in read_samples(folder):
        found = subject(sample, shown)
        if found is not None and scorable(found, rubric):
            yield found


def subject(sample: Sample, shown: Shown) -> Subject | None:
    """One answer to be judged; None where there is none."""
    answer = answer_of(sample)
    return None if answer is None else _subject(sample, (answer,), shown)


def scorable(found: Subject, rubric: Rubric) -> bool:
    """Whether there is anything in it that the rubric judges: a sentence, a passage."""
    numbering = numbering_of(rubric, found.case)
    return numbering is None or numbering.units > 0


def paired(first: Path, second: Path) -> Iterator[tuple[Sample, Sample]]:
    """The samples of two runs by item and repeat.

    Raises:
        BakeoffError: the runs hold other items or repeats, or an item that differs.
    """
    hint = "pairs need two runs of the same items: the same task, data, limit and repeats"
    for one, other in zip_longest(read_samples(first), read_samples(second)):
        if one is None or other is None or (one.item_id, one.repeat) != (other.item_id, other.repeat):
            odd = one if one is not None else other
            raise BakeoffError(f"item {odd.item_id if odd else '?'} is not in both runs", hint)
        if one.item_digest != other.item_digest:
            raise BakeoffError(f"item {one.item_id} is not the same in both runs", hint)
        yield one, other


def paired_subjects(first: Path, second: Path, shown: Shown) -> Iterator[Subject]:
    """The pairs of answers in which both can be judged.

    Raises:
        BakeoffError: as in `paired` and `subjects`.
    """
    for one, other in paired(first, second):
        answers = (answer_of(one), answer_of(other))
        if answers[0] is not None and answers[1] is not None:
            yield _subject(one, (answers[0], answers[1]), shown)


def _subject(sample: Sample, answers: tuple[str, ...], shown: Shown) -> Subject:
    case = Case(
        id=f"{sample.item_id}#{sample.repeat}",
        question=_question(sample, shown),
        answers=answers,
        context=_context(sample, shown),
        reference=_reference(sample),
    )
    return Subject(sample.item_id, sample.repeat, sample.group, case)


def _question(sample: Sample, shown: Shown) -> str:
    if shown.question is not None:
        found = _meta(sample, shown.question, "--question")
        if not isinstance(found, str):
            raise BakeoffError(
                f"item {sample.item_id}: --question {shown.question}: {found!r:.40} is no text"
            )
        return found
    asked = sample.turns[-1].input
    if isinstance(asked, str):
        return asked
    said = [message for message in asked if message.role != "system"]
    if len(said) == 1:
        return said[0].text
    return "\n\n".join(f"{message.role}: {message.text}" for message in said)


def _context(sample: Sample, shown: Shown) -> str | tuple[str, ...] | None:
    if shown.context is not None:
        return _texts(_meta(sample, shown.context, "--context"), sample, shown.context)
    stages: Mapping[str, Any] = getattr(sample.turns[-1].response, "stages", {})
    if "passages" in stages:
        return _texts(stages["passages"], sample, "passages")
    for key in ("passages", "context"):
        if sample.metadata.get(key) is not None:
            return _texts(sample.metadata[key], sample, key)
    return None


def _texts(value: Any, sample: Sample, name: str) -> str | tuple[str, ...]:
    """A text, or a list of texts or of mappings with a `text`."""
    if isinstance(value, str):
        return value
    texts = []
    for each in value if isinstance(value, list | tuple) else [None]:
        text = each.get("text") if isinstance(each, Mapping) else each
        if not isinstance(text, str):
            raise BakeoffError(
                f"item {sample.item_id}: {name}: {value!r:.60} is no context",
                "a text, or a list of texts or of {id, text}",
            )
        texts.append(text)
    return tuple(texts)


def _reference(sample: Sample) -> str | None:
    if isinstance(sample.target, int):
        return sample.choices[sample.target]
    return sample.target[0] if sample.target else None


def _meta(sample: Sample, path: str, option: str) -> Any:
    value: Any = sample.metadata
    for key in path.removeprefix("metadata.").removeprefix("meta.").split("."):
        if not isinstance(value, Mapping) or key not in value:
            there = ", ".join(map(str, sample.metadata)) or "none"
            raise BakeoffError(
                f"item {sample.item_id}: {option} {path}: there is no {key!r}",
                f"the keys of its metadata: {there}; a task file adds columns by fields.metadata",
            )
        value = value[key]
    return value
