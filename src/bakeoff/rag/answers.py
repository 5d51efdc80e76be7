"""The answers of a run, as a system that retrieves passages and answers from them, or says that it cannot."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, Literal

from bakeoff.errors import BakeoffError
from bakeoff.judging import Case
from bakeoff.nouns import FinishReason, Outcome, Sample
from bakeoff.rag.abstention import abstention
from bakeoff.score.extract.reasoning import part_reasoning
from bakeoff.store import read_samples
from bakeoff.verdicts.cases import Shown, subject

Ended = Literal["answered", "abstained", "refused", "empty", "cut off", "failed"]
"""`abstained`: it says that it does not know, or that the passages do not; `refused`: it will not say."""
_UNANSWERED: Mapping[Outcome, Ended] = {
    Outcome.TOO_LONG: "failed",
    Outcome.MODEL_ERROR: "failed",
    Outcome.EMPTY: "empty",
    Outcome.TRUNCATED: "cut off",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """The first answer to an item.

    `words` are those that decided, for abstentions. `answerable` is the item's own word, None where it has
    none. `value` is the run's own score. `case` has the question, the passages and the reference; None where
    there is no text. `ranking` has the ids of the passages in their order, `gains` those that were needed:
    None where the pipeline, or the item, does not say.
    """

    item: str
    group: str | None
    text: str
    ended: Ended
    words: str
    answerable: bool | None
    value: float | None
    case: Case | None
    ranking: tuple[str, ...] | None
    gains: Mapping[str, float] | None


@dataclass(frozen=True, slots=True)
class Answers:
    """All items of a run in the order of their ids. `repeats` is the highest number of answers to one."""

    answers: tuple[Answer, ...]
    repeats: int


def read_answers(folder: Path) -> Answers:
    """The first answer to each item of a run.

    `metadata.answerable`, true or false, says whether the passages there are hold the answer;
    `metadata.relevant`, ids or {id: gain}, which of them are needed.

    Raises:
        BakeoffError: metadata of another form.
        StoreError: the run cannot be read.
    """
    found, repeats = [], 0
    for sample in read_samples(folder):
        repeats = max(repeats, sample.repeat + 1)
        if sample.repeat == 0:
            found.append(_answer(sample))
    return Answers(tuple(found), repeats)


def text_of(sample: Sample) -> str:
    """The answer without its reasoning."""
    return part_reasoning(sample.turns[-1].response.text).answer.strip()


def _answer(sample: Sample) -> Answer:
    ended, words = _ended(sample)
    found = subject(sample, Shown())
    return Answer(
        item=sample.item_id,
        group=sample.group,
        text=text_of(sample),
        ended=ended,
        words=words,
        answerable=_answerable(sample),
        value=sample.score.value,
        case=None if found is None else found.case,
        ranking=_ranking(sample),
        gains=_gains(sample),
    )


def _ended(sample: Sample) -> tuple[Ended, str]:
    response = sample.turns[-1].response
    if response.failure is not None:
        return "failed", ""
    if ended := _UNANSWERED.get(sample.score.outcome):
        return ended, ""
    if response.refusal or response.finish is FinishReason.CONTENT_FILTER:
        return "refused", ""
    if part_reasoning(response.text).unclosed:
        return "cut off", ""
    text = text_of(sample)
    if not text:
        return "empty", ""
    if words := abstention(text):
        return "abstained", words
    return ("refused" if sample.score.outcome is Outcome.REFUSED else "answered"), ""


def _answerable(sample: Sample) -> bool | None:
    value = sample.metadata.get("answerable")
    if value is not None and not isinstance(value, bool):
        raise _odd(sample, "answerable", value, "true or false")
    return value


def _ranking(sample: Sample) -> tuple[str, ...] | None:
    passages = sample.turns[-1].response.stages.get("passages")
    if not isinstance(passages, list):
        return None
    ids = [str(each["id"]) for each in passages if isinstance(each, Mapping) and "id" in each]
    # What came twice was retrieved once.
    return tuple(dict.fromkeys(ids)) if len(ids) == len(passages) else None


def _gains(sample: Sample) -> Mapping[str, float] | None:
    value = sample.metadata.get("relevant")
    if value is None:
        return None
    if isinstance(value, Mapping):
        gains = dict(value.items())
    elif isinstance(value, list | tuple):
        gains = dict.fromkeys(map(str, value), 1.0)
    else:
        raise _odd(sample, "relevant", value, "a list of passage ids, or {id: gain}")
    if not all(map(_is_gain, gains.values())):
        raise _odd(sample, "relevant", value, "a list of passage ids, or {id: gain}")
    return {str(name): float(gain) for name, gain in gains.items()}


def _is_gain(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _odd(sample: Sample, key: str, value: Any, wanted: str) -> BakeoffError:
    return BakeoffError(
        f"item {sample.item_id}: metadata.{key} is {value!r:.60}", f"it is {wanted}: mend the data"
    )
