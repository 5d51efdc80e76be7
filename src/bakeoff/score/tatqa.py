"""TAT-QA: numbers with a scale, and spans."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal

from bakeoff.errors import TaskError
from bakeoff.nouns import Item, Outcome, Response, Score
from bakeoff.score.drop import drop_exact, drop_f1, spans_said
from bakeoff.score.extract.characters import plain
from bakeoff.score.extract.extraction import Nothing
from bakeoff.score.extract.json_value import NotJsonError, parse_json
from bakeoff.score.extract.short import extract_short
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.targets import accepted_texts
from bakeoff.score.verdict import settle

_SCALES: Mapping[str, Fraction] = {
    "": Fraction(1),
    "percent": Fraction(1, 100),
    "thousand": Fraction(1000),
    "million": Fraction(10**6),
    "billion": Fraction(10**9),
}
# Accountants write losses in brackets: (5.2) is -5.2.
_AMOUNT = re.compile(
    r"(?P<open>\()?(?P<sign>-)?(?:US\s?)?[$€£¥]?\s?(?P<inner>-)?"
    r"(?P<digits>\d{1,3}(?:,\d{3})++(?:\.\d++)?|\d++(?:\.\d++)?|\.\d++)(?![\d/]|[.,:]\d)"
    r"\s?(?P<percent>%)?(?P<close>\))?(?P<after>%)?"
    r"(?:[\s(]{0,3}(?:in\s)?(?P<scale>percent|thousand|million|billion)s?\b\)?)?",
    re.IGNORECASE,
)
_LONGEST_NUMBER = 100


@dataclass(frozen=True, slots=True)
class TatQa:
    """TAT-QA's exact match, or F1: the number with its scale, in whatever scale it is written, or the spans.

    `metadata.scale` is "", thousand, million, billion or percent (Zhu et al. 2021): 5.2 with the scale
    million is "5.2 million" and "5,200,000", and not "5.2". A number in brackets is negative. Numbers are
    rounded to two decimals of that scale, or to as many as the target has. With
    `metadata.answer_type: multi-span` the targets are all wanted, in any order; F1 is DROP's. Targets may be
    a JSON list in one text.
    """

    name: ClassVar[str] = "tatqa"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"

    measure: Literal["exact", "f1"] = "exact"
    announced: bool = True

    @property
    def id(self) -> str:
        """`tatqa@1`, with the options that differ from their defaults."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """The value of the answer against the accepted one, in [0, 1]."""
        golds, unit = _golds(item), _unit(item)
        found = extract_short(response.text, announced=self.announced)
        if isinstance(found, Nothing):
            return settle(self.id, response, found, 0.0)
        several = item.metadata.get("answer_type") == "multi-span"
        said = spans_said(found.text, several=several)
        places = max(2, *(_places(gold) for gold in golds))
        accepted = [golds] if several else [[gold] for gold in golds]
        compare = drop_exact if self.measure == "exact" else drop_f1
        written = list(_said(said, unit, places))
        value = max(compare(written, list(_gold(spans, unit, places))) for spans in accepted)
        score = settle(self.id, response, found, value)
        if score.outcome is not Outcome.SCORED:
            return score
        return replace(score, reason=f"{self.measure} {value:.2f}; {score.reason}")


def _said(spans: Sequence[str], unit: Fraction, places: int) -> Iterator[str]:
    """The spans of an answer with numbers in the target's scale; "1, 2 and 3 million" has one for all."""
    scales = [scale for span in spans if (amount := _amount(span)) and (scale := amount[1])]
    shared = scales[0] if len(scales) == 1 and (last := _amount(spans[-1])) and last[1] else ""
    for span in spans:
        amount = _amount(span)
        yield _written(amount[0] * _SCALES[amount[1] or shared] / unit, places) if amount else span


def _gold(spans: Sequence[str], unit: Fraction, places: int) -> Iterator[str]:
    """The accepted spans, likewise: a number without a scale of its own has the item's."""
    for span in spans:
        amount = _amount(span)
        own = _SCALES[amount[1]] / unit if amount and amount[1] else Fraction(1)
        yield _written(amount[0] * own, places) if amount else span


def _amount(text: str) -> tuple[Fraction, str] | None:
    """The one number of a text that is a number, and its scale; None of a text that is more than that.

    "$5.2 million" is one, "in 2019 and 2018" is not; "a loss of $5 million" is: nothing else can be meant.
    """
    numbers = [match for match in _AMOUNT.finditer(plain(text)) if len(match["digits"]) <= _LONGEST_NUMBER]
    if len(numbers) != 1 or len(text) - len(numbers[0].group()) > 40:
        return None
    (number,) = numbers
    value = Fraction(number["digits"].replace(",", ""))
    negative = bool(number["sign"] or number["inner"]) or bool(number["open"] and number["close"])
    percent = "percent" if number["percent"] or number["after"] else ""
    return (-value if negative else value), (number["scale"] or percent).lower()


def _written(value: Fraction, places: int) -> str:
    """A decimal of so many places, without superfluous zeros."""
    text = f"{float(round(value, places)):.{places}f}"
    return text.rstrip("0").rstrip(".")


def _places(text: str) -> int:
    amount = _AMOUNT.fullmatch(plain(text).strip())
    return len(amount["digits"].partition(".")[2]) if amount else 0


def _golds(item: Item) -> list[str]:
    if not isinstance(item.target, int) and any(text.strip() for text in item.target):
        # A list of spans in TAT-QA has an empty one; it asks for nothing.
        texts = [text for text in item.target if text.strip()]
    else:
        texts = list(accepted_texts(item, "tatqa"))
    if len(texts) == 1 and texts[0].startswith("["):
        try:
            value = parse_json(texts[0])
        except NotJsonError:
            return texts
        if isinstance(value, list) and value:
            return [str(each) for each in value if str(each).strip()] or texts
    return texts


def _unit(item: Item) -> Fraction:
    scale = item.metadata.get("scale") or ""
    if scale not in _SCALES:
        raise TaskError(
            f"item {item.id}: `metadata.scale` is {scale!r:.40}",
            f"It must be one of {', '.join(repr(each) for each in _SCALES)}.",
        )
    return _SCALES[scale]
