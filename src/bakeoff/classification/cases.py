"""A run's samples as cases: the label that is right, the label the model gave, and its probabilities."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import exp
from pathlib import Path
from typing import Any

from bakeoff.errors import BakeoffError
from bakeoff.nouns import Outcome, Sample
from bakeoff.score.extract.label_rules import Labels, labels_of
from bakeoff.score.label_confidence import read_back
from bakeoff.store import read_manifest, read_samples

MOST_LABELS = 50
"""A task with more is taken for one of free answers."""
NO_LABEL = "no label"
"""The ending of an answer that was judged and is none of the labels, or names several."""
SCORERS = ("choice", "exact", "label_confidence", "labels", "loglikelihood")
"""The scorers that tell which label an answer gives."""
WITH_PROBABILITIES = ("label_confidence", "loglikelihood")
"""Those that tell how likely."""


@dataclass(frozen=True, slots=True)
class Case:
    """One answer to an item: `gold` is the item's label, `said` the model's, None where there is none.

    `ending` is "scored", `NO_LABEL`, or the outcome that left no label. `unit` is what must not be parted
    when items are split: the group, or whatever is asked in the same words. `probabilities` of the labels sum
    to 1: the softmax of the options' log-likelihoods or, of an answer that says how sure it is, that and for
    each other label an equal part of the rest; None for other answers. `text` is what was asked about: the
    input as sent, which may be private.
    """

    item_id: str
    unit: str
    gold: str
    said: str | None
    ending: str
    probabilities: Mapping[str, float] | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    group: str | None = None
    repeat: int = 0
    text: str = ""

    @property
    def cluster(self) -> str:
        """Answers of one cluster are not independent: those to one item, or to items of one group."""
        return f"item {self.item_id}" if self.group is None else f"group {self.group}"

    @property
    def counted(self) -> bool:
        """Whether the model had its chance: not one that failed, or that our side failed to judge."""
        return self.ending == NO_LABEL or not Outcome(self.ending).unscored


@dataclass(frozen=True, slots=True)
class Cases:
    """The cases of a run in the order of their ids, and its labels in alphabetical order.

    `repeats` is the highest number of answers to an item; each answer is a case. `scorer` is the name of the
    run's.
    """

    cases: tuple[Case, ...]
    labels: tuple[str, ...]
    repeats: int
    scorer: str = ""


def read_cases(folder: Path) -> Cases:
    """Every answer of a run as a case.

    Raises:
        BakeoffError: the scorer gives no labels, an item has several right ones, or the run has fewer than
            two labels or more than `MOST_LABELS`.
        StoreError: the run cannot be read.
    """
    scorer = read_manifest(folder).task.scorer
    name = scorer.partition("@")[0]
    if name not in SCORERS:
        raise BakeoffError(
            f"{folder}: the scorer {scorer} does not tell which label an answer gives",
            f"score the run with {', '.join(SCORERS[:-1])} or {SCORERS[-1]}: bakeoff rescore",
        )
    found, texts, spellings, repeats = list[Case](), set[str](), dict[str, str](), 0
    for sample in read_samples(folder):
        repeats = max(repeats, sample.repeat + 1)
        texts.update(_labels(sample))
        if not isinstance(sample.target, int):
            spellings.update(dict.fromkeys(sample.target[1:], sample.target[0]))
        found.append(_case(sample, name))
        if len(texts) > MOST_LABELS:
            raise BakeoffError(
                f"{folder} has more than {MOST_LABELS} different labels, so it is no classification",
                "labels are the targets, the choices of the items, and metadata.labels",
            )
    known = {_folded(text, scorer): text for text in sorted(texts)}
    labels = tuple(sorted(known.values()))
    if len(labels) < 2:
        raise BakeoffError(
            f"{folder} has {len(labels)} label{'s' * (len(labels) != 1)}, and two are the least",
            "labels are the targets, the choices of the items, and metadata.labels",
        )
    others = {_folded(text, scorer): known[_folded(label, scorer)] for text, label in spellings.items()}
    return Cases(tuple(_known(case, others | known, scorer) for case in found), labels, repeats, name)


def _case(sample: Sample, scorer: str) -> Case:
    """A case with texts in place of labels."""
    gold, said, outcome = _gold(sample), None, sample.score.outcome
    if outcome is Outcome.SCORED:
        # What the scorer called right is right, however it is spelt.
        said = gold if sample.score.value == 1 else _said(sample, scorer)
    return Case(
        sample.item_id,
        f"group {sample.group}" if sample.group is not None else sample.item_digest or sample.item_id,
        gold,
        said,
        outcome.value,
        _probabilities(sample, scorer) if outcome is Outcome.SCORED else None,
        sample.metadata,
        sample.group,
        sample.repeat,
        _text(sample),
    )


def _text(sample: Sample) -> str:
    asked = sample.turns[-1].input if sample.turns else ""
    return asked if isinstance(asked, str) else asked[-1].text if asked else ""


def _known(case: Case, known: Mapping[str, str], scorer: str) -> Case:
    """The case with its labels, each spelt in one way."""

    def label(text: str) -> str | None:
        return known.get(_folded(text, scorer))

    said = None if case.said is None else label(case.said)
    ending = NO_LABEL if case.ending == Outcome.SCORED and said is None else case.ending
    shares: dict[str, float] = {}
    for text, share in (case.probabilities or {}).items():
        shares[known[_folded(text, scorer)]] = shares.get(known[_folded(text, scorer)], 0.0) + share
    gold = known[_folded(case.gold, scorer)]
    return replace(case, gold=gold, said=said, ending=ending, probabilities=shares or None)


def _said(sample: Sample, scorer: str) -> str | None:
    text = sample.score.extracted
    if text is None or scorer not in ("choice", "label_confidence"):
        return text
    if scorer == "label_confidence":
        stated = read_back(text)
        return stated and stated[0]
    kind: Labels = "numbers" if "labels=numbers" in sample.score.scorer else "letters"
    signs = labels_of(len(sample.choices), kind)
    return sample.choices[signs.index(text)] if text in signs else None


def _labels(sample: Sample) -> Iterator[str]:
    yield _gold(sample)
    yield from sample.choices
    named = sample.metadata.get("labels")
    if isinstance(named, list | tuple):
        yield from (each for each in named if isinstance(each, str))


def _gold(sample: Sample) -> str:
    if isinstance(sample.target, int):
        return sample.choices[sample.target]
    several = sample.score.scorer.startswith("labels@") and len(sample.target) > 1
    if several or not sample.target:
        raise BakeoffError(
            f"item {sample.item_id} has {len(sample.target)} right labels, and a decision has one",
            "ask about one label at a time, with the targets yes and no",
        )
    # The others are further spellings of the first.
    return sample.target[0]


def _folded(text: str, scorer: str) -> str:
    """A text as the scorer compares it."""
    text = unicodedata.normalize("NFC", text)
    if re.search(r"ignore_case=true", scorer, re.IGNORECASE):
        text = unicodedata.normalize("NFC", text.casefold())
    if re.search(r"ignore_punctuation=true", scorer, re.IGNORECASE):
        text = re.sub(r"[^\w\s]|_", " ", text)
    return " ".join(text.split())


def _probabilities(sample: Sample, scorer: str) -> dict[str, float] | None:
    if scorer == "label_confidence":
        return _stated(sample)
    options = sample.turns[-1].response.options
    if len(options) != len(sample.choices) or not options:
        return None
    highest = max(option.logprob for option in options)
    weights = [exp(option.logprob - highest) for option in options]
    shares: dict[str, float] = {}
    for label, weight in zip(sample.choices, weights, strict=True):
        shares[label] = shares.get(label, 0.0) + weight / sum(weights)
    return shares


def _stated(sample: Sample) -> dict[str, float] | None:
    """The confidence that an answer states; the rest is spread evenly over the other labels."""
    found = read_back(sample.score.extracted or "")
    if found is None:
        return None
    said, share = found
    labels = set(sample.choices or sample.metadata.get("labels", ()))
    return {label: share if label == said else (1 - share) / (len(labels) - 1) for label in labels}
