"""Which label an answer names, and how sure it says it is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Item, Outcome, Response, Score
from bakeoff.score.labels import named_labels
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.verdict import scored, zero

# A sign counts only where it can be no dash: "spam-80 %" says 80, "spam: -80 %" less than nothing.
_NUMBER = re.compile(
    r"((?:(?<!\S)[-−])?(?<![\w.,])\d+(?:[.,]\d+)*)(?!\w)\s*(%|percent\b|per cent\b|/\s*100\b)?", re.IGNORECASE
)
_WRITTEN = re.compile(r"(.*), (\d+(?:\.\d+)?(?:e-\d+)?) %", re.DOTALL)


@dataclass(frozen=True, slots=True)
class LabelConfidence:
    """One label of the item and one confidence: "spam, 80 %". The value is that of the label.

    The labels are the item's choices or, without any, `metadata.labels`. What else the answer says does not
    matter, but two labels, two different numbers, none, or one outside 0 to 100 % are no answer. A number
    without a per cent sign is taken as one of 0 to 100 and, from 0 to 1, as too ambiguous to count;
    `scale: share` reads it as one of 0 to 1.
    """

    name: ClassVar[str] = "label_confidence"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"

    scale: Literal["percent", "share"] = "percent"
    ignore_case: bool = True

    @property
    def id(self) -> str:
        """`label_confidence@1`, with the options that differ from their defaults."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """Value 1 where the label is the right one, else 0; `extracted` is "LABEL, N %"."""
        labels, target = _labels(item)
        named = named_labels(labels, response.text, ignore_case=self.ignore_case)
        if response.finish is FinishReason.LENGTH:
            # Eight may have been about to be eighty.
            return zero(
                self.id, Outcome.TRUNCATED, "the token limit cut the answer", ", ".join(named) or None
            )
        if len(named) != 1:
            said = (
                f"names {len(named)} labels: {', '.join(named):.80}" if named else "names none of the labels"
            )
            return zero(self.id, Outcome.NO_ANSWER, said, ", ".join(named) or None)
        (label,) = named
        share = self._confidence(response.text, label)
        if isinstance(share, str):
            return zero(self.id, Outcome.NO_ANSWER, f"names {label:.60} and {share}", label)
        said = written(label, share)
        return scored(self.id, label == target, said, f"names one label with one confidence: {said:.80}")

    def _confidence(self, text: str, label: str) -> float | str:
        """The one confidence in [0, 1], or what is wrong."""
        # A label may hold a number of its own.
        spelt = r"\s+".join(map(re.escape, label.split()))
        rest = re.sub(rf"(?<!\w)(?:{spelt})(?!\w)", "·", text, flags=re.IGNORECASE)
        found = {(_value(match[1]), bool(match[2])) for match in _NUMBER.finditer(rest)}
        if not found:
            return "no confidence"
        shares = set[float]()
        for value, per_cent in found:
            if not per_cent and self.scale == "percent" and 0 < value <= 1:
                return f"the confidence {value:g}, which may be {value:g} % or {100 * value:g} %"
            share = value if self.scale == "share" and not per_cent else value / 100
            if not 0 <= share <= 1:
                return f"the confidence {value:g}{' %' * per_cent}, which is outside its scale"
            shares.add(share)
        if len(shares) > 1:
            return f"{len(shares)} confidences: {', '.join(f'{100 * share:g} %' for share in sorted(shares))}"
        return shares.pop()


def written(label: str, share: float) -> str:
    """A label with its confidence, a share in [0, 1], as one text: "spam, 80 %"."""
    return f"{label}, {100 * share:.6g} %"


def read_back(text: str) -> tuple[str, float] | None:
    """The label and the share that `written` put into a text; None if it did not."""
    match = _WRITTEN.fullmatch(text)
    return (match[1], float(match[2]) / 100) if match else None


def _value(text: str) -> float:
    """A number of any written form: 80, 80.5, 80,5, 1,000."""
    digits = re.sub(r"\s", "", text).replace("−", "-")
    if re.fullmatch(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?", digits):
        return float(digits.replace(",", ""))
    whole, *parts = re.split(r"[.,]", digits)
    # More than one separator is no decimal: 1.2.3 is outside any scale.
    return float(f"{whole}.{parts[0]}") if len(parts) == 1 else float(whole) if not parts else float("inf")


def _labels(item: Item) -> tuple[Sequence[str], str]:
    """The labels of an item, and the right one."""
    if item.choices:
        if isinstance(item.target, int) and 0 <= item.target < len(item.choices):
            return item.choices, item.choices[item.target]
    else:
        labels = item.metadata.get("labels")
        named = isinstance(labels, list | tuple) and all(isinstance(each, str) and each for each in labels)
        targets = item.target if isinstance(item.target, tuple) else ()
        if named and labels and len(targets) == 1 and targets[0] in labels:
            return tuple(labels), targets[0]
    raise TaskError(
        f"item {item.id}: the label_confidence scorer needs one right label among its labels, "
        f"got target {item.target!r:.80} and {item.choices or item.metadata.get('labels')!r:.80}",
        "set `fields.choices` and `fields.target`, or list the labels in metadata.labels",
    )
