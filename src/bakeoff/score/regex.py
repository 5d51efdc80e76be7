"""What a pattern captures."""

import atexit
import json
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Literal

from bakeoff.errors import TaskError
from bakeoff.nouns import Item, Outcome, Response, Score
from bakeoff.score.extract.extraction import Extraction, Nothing
from bakeoff.score.extract.number import read_number
from bakeoff.score.limited import Limited
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.targets import accepted_texts
from bakeoff.score.verdict import settle, unscored

_LONGEST = 20_000
"""Characters searched, from the end that `take` asks for; ordinary patterns are then quick on any text."""
_SECONDS = 2.0
"""Processor time a search. Patterns with nested repetition can take any time; they run in another process."""


@dataclass(frozen=True, slots=True)
class Regex:
    """The group that `pattern` captures equals an accepted text, as a text or as a number.

    The pattern has exactly one group and is searched as Python's `re` does, `.` and `^` `$` by line. `take`
    chooses among several matches. What the pattern finds is explicit: the task defines the form. A search of
    more than two processor seconds is ended, and the answer not scored.
    """

    name: ClassVar[str] = "regex"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"
    blocking: ClassVar[bool] = True

    pattern: str
    compare: Literal["text", "number"] = "text"
    ignore_case: bool = False
    take: Literal["last", "first"] = "last"

    def __post_init__(self) -> None:
        try:
            compiled = re.compile(self.pattern)
        except re.error as error:
            raise TaskError(
                f"scorer regex: the pattern {self.pattern!r:.80} does not compile: {error}",
                "In YAML, write patterns in single quotes.",
            ) from error
        if compiled.groups != 1:
            raise TaskError(
                f"scorer regex: the pattern {self.pattern!r:.80} has {compiled.groups} groups, it needs one",
                "Put the answer in (…) and other brackets as (?:…).",
            )

    @property
    def id(self) -> str:
        """`regex@1(pattern="…")`, with the options that differ from their defaults."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """Value 1 where the captured text equals an accepted one, else 0."""
        golds = accepted_texts(item, self.name)
        try:
            found = self._extract(response.text)
        except _TooSlow:
            reason = f"the pattern took more than {_SECONDS:g} s of processor time on this text"
            return unscored(self.id, Outcome.SCORER_ERROR, reason)
        right = isinstance(found, Extraction) and self._equals(found.text, item, golds)
        return settle(self.id, response, found, float(right))

    def _extract(self, text: str) -> Extraction | Nothing:
        offset = max(0, len(text) - _LONGEST) if self.take == "last" else 0
        flags = re.MULTILINE | (re.IGNORECASE if self.ignore_case else 0)
        searched = text[offset : offset + _LONGEST]
        answer = _searching().ask([self.pattern, int(flags), self.take, searched])
        if answer is None:
            raise _TooSlow
        span = json.loads(answer)
        if span is None:
            return Nothing("the pattern matches nothing")
        start, end = offset + span[0], offset + span[1]
        return Extraction(text[start:end].strip(), "explicit", "captured", start, end)

    def _equals(self, text: str, item: Item, golds: tuple[str, ...]) -> bool:
        if self.compare == "number":
            return read_number(text) in {_gold(item.id, gold) for gold in golds}
        return self._folded(text) in {self._folded(gold.strip()) for gold in golds}

    def _folded(self, text: str) -> str:
        return text.casefold() if self.ignore_case else text


class _TooSlow(Exception):  # noqa: N818 (a finding about a pattern and a text)
    """A search was ended."""


@lru_cache(maxsize=1)
def _searching() -> Limited:
    """The process of this one that searches; it ends with us."""
    script = Path(__file__).with_name("matching.py")
    shared = Limited(script, (str(_SECONDS),), lambda word: RuntimeError(f"searching did not start: {word}"))
    atexit.register(shared.close)
    return shared


@lru_cache(maxsize=4096)
def _gold(item_id: str, text: str) -> Fraction:
    value = read_number(text)
    if value is None:
        raise TaskError(
            f"item {item_id}: cannot read one number from the target {text!r:.80}",
            "Write a single number, or use `compare: text`.",
        )
    return value
