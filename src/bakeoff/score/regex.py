"""What a pattern captures."""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, Literal

from bakeoff.errors import TaskError
from bakeoff.nouns import Item, Response, Score
from bakeoff.score.extract.extraction import Extraction, Nothing
from bakeoff.score.extract.number import read_number
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.targets import accepted_texts
from bakeoff.score.verdict import settle

_LONGEST = 20_000
"""Characters searched, from the end that `take` asks for. A pattern is the task author's, and Python's engine
can be slow on patterns with nested repetition; a cap keeps the ordinary ones quick on hostile text."""


@dataclass(frozen=True, slots=True)
class Regex:
    """The group that `pattern` captures equals an accepted text, as a text or as a number.

    The pattern has exactly one group and is searched as Python's `re` does, `.` and `^` `$` by line. `take`
    chooses among several matches. What the pattern finds is explicit: the task defines the form.
    """

    name: ClassVar[str] = "regex"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"

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
        found = self._extract(response.text)
        right = isinstance(found, Extraction) and self._equals(found.text, item, golds)
        return settle(self.id, response, found, float(right))

    def _extract(self, text: str) -> Extraction | Nothing:
        offset = max(0, len(text) - _LONGEST) if self.take == "last" else 0
        flags = re.MULTILINE | (re.IGNORECASE if self.ignore_case else 0)
        chosen = None
        for match in re.compile(self.pattern, flags).finditer(text[offset : offset + _LONGEST]):
            if match.group(1) is not None:
                chosen = match
                if self.take == "first":
                    break
        if chosen is None:
            return Nothing("the pattern matches nothing")
        start, end = offset + chosen.start(1), offset + chosen.end(1)
        return Extraction(chosen.group(1).strip(), "explicit", "captured", start, end)

    def _equals(self, text: str, item: Item, golds: tuple[str, ...]) -> bool:
        if self.compare == "number":
            return read_number(text) in {_gold(item.id, gold) for gold in golds}
        return self._folded(text) in {self._folded(gold.strip()) for gold in golds}

    def _folded(self, text: str) -> str:
        return text.casefold() if self.ignore_case else text


@lru_cache(maxsize=4096)
def _gold(item_id: str, text: str) -> Fraction:
    value = read_number(text)
    if value is None:
        raise TaskError(
            f"item {item_id}: cannot read one number from the target {text!r:.80}",
            "Write a single number, or use `compare: text`.",
        )
    return value
