"""A number, wherever and however the answer states it."""

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, Literal

from bakeoff.errors import TaskError
from bakeoff.nouns import Item, Response, Score
from bakeoff.score.extract.extraction import Extraction, Nothing
from bakeoff.score.extract.number import StatedNumber, extract_number, read_number
from bakeoff.score.extract.short import extract_short
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.verdict import settle


@dataclass(frozen=True, slots=True)
class Number:
    """The number the answer states equals the target: `\\boxed{18}`, `#### 18`, "The answer is $18.00", 36/2.

    Gold and prediction are read by the same rules (thousands, decimals, fractions, scientific notation,
    digits of any script) and compared exactly, up to the absolute `tolerance`: answers printed as 17.9999999
    are 18. A percent sign is not a factor: 50% is 50. `take` chooses among several announced numbers (`first`
    for base models that run on into further questions); `fallback` allows the last number of a text that
    announces none. `unanswerable` is a word, say None: a target that is this word is met by an answer that
    gives it in place of a number ("Answer: None"), and any other target is not.
    """

    name: ClassVar[str] = "number"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"

    tolerance: float = 1e-6
    take: Literal["last", "first"] = "last"
    fallback: bool = True
    unanswerable: str = ""

    def __post_init__(self) -> None:
        if self.tolerance < 0:
            raise TaskError(f"scorer number: tolerance must be 0 or more, got {self.tolerance}")

    @property
    def id(self) -> str:
        """`number@1`, with the options that differ from their defaults."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """Value 1 where the number equals an accepted one, else 0."""
        unanswerable = self.unanswerable and item.target == (self.unanswerable,)
        golds = () if unanswerable else _golds(item)
        found = extract_number(response.text, take=self.take, fallback=self.fallback)
        if self.unanswerable and (said := _word_given(self.unanswerable, response.text, found)) is not None:
            return settle(self.id, response, said, float(not golds))
        if isinstance(found, Nothing):
            return settle(self.id, response, found, 0.0)
        right = found.value in golds or _close(found.value, golds, self.tolerance)
        return settle(self.id, response, found.extraction, float(right))


def _word_given(word: str, text: str, number: StatedNumber | Nothing) -> Extraction | None:
    """`word` where the answer is expected (boxed, announced, behind the last `####`, or alone), if no number
    is announced after it."""
    found = extract_short(text)
    if isinstance(found, Nothing):
        return None
    said = found.text.rpartition("####")[2].strip()
    # "None." and "None (the price is missing)", but not "None of them".
    if not re.match(rf"\W*{re.escape(word)}\b(?!\s+\w)", said, re.IGNORECASE):
        return None
    start = max(found.start, text.rfind("####"))
    stated = None if isinstance(number, Nothing) else number.extraction
    if stated and stated.strength == "explicit" and stated.start > start:
        return None
    return replace(found, text=said, start=start)


def _close(value: Fraction, golds: tuple[Fraction, ...], tolerance: float) -> bool:
    allowed = Fraction(tolerance)
    return any(abs(value - gold) <= allowed for gold in golds)


def _golds(item: Item) -> tuple[Fraction, ...]:
    if isinstance(item.target, int) or not item.target:
        raise TaskError(
            f"item {item.id}: the number scorer needs a number as its target, got {item.target!r:.80}",
            "Set `fields.target` to the column with the number, and leave out `fields.choices`.",
        )
    return tuple(_gold(item.id, text) for text in item.target)


@lru_cache(maxsize=4096)
def _gold(item_id: str, text: str) -> Fraction:
    value = read_number(text)
    if value is None:
        raise TaskError(
            f"item {item_id}: cannot read one number from the target {text!r:.80}",
            "Write a single number, such as 18, 1234.5, 3/4 or 6.02e23.",
        )
    return value
