"""DROP: numbers, dates and sets of spans."""

import re
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Literal

from bakeoff.errors import TaskError
from bakeoff.nouns import Item, Outcome, Response, Score
from bakeoff.score.extract.characters import plain
from bakeoff.score.extract.extraction import Nothing
from bakeoff.score.extract.json_value import NotJsonError, parse_json
from bakeoff.score.extract.short import extract_short
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.targets import accepted_texts
from bakeoff.score.verdict import settle

_MOST_SPANS = 100
# Words end at spaces and at hyphens inside them: 38-yard, 1990-1995. The minus of -5 is its sign.
_BETWEEN_WORDS = re.compile(r"\s+|(?<=\w)-(?=\w)|--+")
_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)")
_AROUND_NUMBER = string.punctuation + "€£¥₹°"
# What separates the digits of a time, a date or a fraction is part of it: 12:25 is not 1225.
_PUNCTUATION = re.compile(
    rf"(?<!\d)[{re.escape(string.punctuation)}]|[{re.escape(string.punctuation)}](?!\d)"
)
_ARTICLES = frozenset({"a", "an", "the"})
_LONGEST_NUMBER = 400
# A comma that separates the entries of a list has no digit behind it: 1,234.5.
_LISTED = re.compile(r"[;\n&]|,(?!\d)|\band\b")
_BULLET = re.compile(r"^[ \t]{0,8}(?:[-*•]|\d{1,2}[.)])[ \t]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Drop:
    """DROP's F1, or exact match: numbers must agree, and spans are paired one to one for the best sum.

    F1 is over the sets of words of two spans, without articles and punctuation; where the accepted span has
    numbers and none of them is said it is 0. The mean goes over the longer side and is rounded to two
    decimals (Dua et al. 2019). Numbers are read as numbers: 1,234.5 is 1234.5, "12.25." is 12.25 and not 12,
    and units, currency and percent signs beside them do not matter. `metadata.answer` (and
    `metadata.validated_answers`, a list) hold answers in DROP's form, {number, date, spans}; without them
    each target is an accepted answer of one span. Where several spans are accepted the answer is read as a
    list: JSON, lines, or entries with commas and "and".
    """

    name: ClassVar[str] = "drop"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"

    measure: Literal["f1", "exact"] = "f1"
    announced: bool = True

    @property
    def id(self) -> str:
        """`drop@1`, with the options that differ from their defaults."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """The highest value over the accepted answers, in [0, 1]."""
        golds = _golds(item, self.name)
        found = extract_short(response.text, announced=self.announced)
        if isinstance(found, Nothing):
            return settle(self.id, response, found, 0.0)
        compare = drop_f1 if self.measure == "f1" else drop_exact
        value = max(compare(spans_said(found.text, several=len(gold) > 1), gold) for gold in golds)
        score = settle(self.id, response, found, value)
        if score.outcome is not Outcome.SCORED:
            return score
        return replace(score, reason=f"{self.measure} {value:.2f}; {score.reason}")


def drop_f1(said: Sequence[str], gold: Sequence[str]) -> float:
    """The mean F1 of paired spans, in [0, 1], rounded to two decimals; unpaired spans count 0."""
    from scipy.optimize import linear_sum_assignment

    left, right = ([frozenset(_words(span)) for span in spans] for spans in (said, gold))
    scores = [[_bag_f1(one, other) for other in right] for one in left]
    rows, columns = linear_sum_assignment(scores, maximize=True)
    total = sum(scores[row][column] for row, column in zip(rows, columns, strict=True))
    return float(round(total / max(len(left), len(right)), 2))


def drop_exact(said: Sequence[str], gold: Sequence[str]) -> float:
    """1.0 where both are the same set of normalised spans, else 0.0."""
    left, right = ([" ".join(_words(span)) for span in spans] for spans in (said, gold))
    return float(set(left) == set(right) and len(left) == len(right))


def _bag_f1(said: frozenset[str], gold: frozenset[str]) -> float:
    numbers = {word for word in gold if _is_number(word)}
    if numbers and numbers.isdisjoint(said):
        return 0.0
    if not said or not gold:
        return float(said == gold)
    return 2 * len(said & gold) / (len(said) + len(gold))


def _words(span: str) -> Iterator[str]:
    """The words of a span, normalised: numbers as fractions, the rest in lower case without punctuation."""
    for piece in _BETWEEN_WORDS.split(plain(span)):
        number = _bare_number(piece)
        if len(number) <= _LONGEST_NUMBER and _NUMBER.fullmatch(number):
            yield str(Fraction(number.replace(",", "")))
        elif (word := _PUNCTUATION.sub("", piece).lower()) and word not in _ARTICLES:
            yield word


def _bare_number(piece: str) -> str:
    """A piece without what stands around a number, but for its sign and a leading point: `(-$.5).` is -.5."""
    body = piece.rstrip(_AROUND_NUMBER)
    digits = body.lstrip(_AROUND_NUMBER)
    before = body[: len(body) - len(digits)][-3:]
    return ("-" if "-" in before else "") + ("." if before.endswith(".") else "") + digits


def _is_number(word: str) -> bool:
    return re.fullmatch(r"-?\d+(?:/\d+)?", word) is not None


def spans_said(text: str, *, several: bool) -> list[str]:
    """The spans of an answer; one, unless several are accepted or it is a JSON list of texts."""
    if text.startswith("["):
        try:
            value = parse_json(text)
        except NotJsonError:
            value = None
        if isinstance(value, list) and value and all(isinstance(each, str | int | float) for each in value):
            return [str(each) for each in value[:_MOST_SPANS]]
    if not several:
        return [text]
    entries = (entry.strip() for entry in _LISTED.split(_BULLET.sub("", text)))
    return [entry for entry in entries if entry][:_MOST_SPANS] or [text]


def _golds(item: Item, scorer: str) -> list[list[str]]:
    answer = item.metadata.get("answer")
    if not isinstance(answer, Mapping):
        return [[text] for text in accepted_texts(item, scorer)]
    validated = item.metadata.get("validated_answers")
    others = [each for each in validated if isinstance(each, Mapping)] if isinstance(validated, list) else []
    golds = [spans for each in (answer, *others) if (spans := _gold_spans(each))]
    if not golds:
        raise TaskError(
            f"item {item.id}: `metadata.answer` has neither a number, nor a date, nor spans: {answer!r:.80}",
            'Write DROP\'s form, such as {"number": "3", "date": {}, "spans": []}.',
        )
    return golds


def _gold_spans(answer: Mapping[str, Any]) -> list[str]:
    number, spans, date = (answer.get(key) for key in ("number", "spans", "date"))
    if number not in (None, ""):
        return [str(number)]
    if isinstance(spans, list) and spans:
        return [str(span) for span in spans]
    parts = (
        [str(date.get(part) or "") for part in ("day", "month", "year")] if isinstance(date, Mapping) else []
    )
    written = " ".join(part for part in parts if part)
    return [written] if written else []
