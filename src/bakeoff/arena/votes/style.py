"""How an answer looks: its length and its Markdown."""

import re
from dataclasses import dataclass
from functools import cache

_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Style:
    """Counts of one answer, none negative.

    `length` is in the unit of where the votes come from: tokens in the arena's files, characters in
    AlpacaEval's, words where we counted. Compare lengths within one file only.
    """

    length: int
    headers: int = 0
    lists: int = 0
    bold: int = 0

    def __post_init__(self) -> None:
        for name in ("length", "headers", "lists", "bold"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} counts something and cannot be {getattr(self, name)}")


def style_of(answer: str) -> Style:
    """Words, Markdown headers, list items and bold spans of an answer; code blocks have only words.

    What counts as each is as in LMArena's style control: `#` to `######` with a space behind, a number with a
    point or one of `-*+` at the start of a line, `**…**` or `__…__` within one line.
    """
    plain = _CODE.sub("", answer)
    return Style(
        length=len(answer.split()),
        headers=len(_pattern(r"^#{1,6}\s").findall(plain)),
        lists=len(_pattern(r"^\s*(?:\d+\.|[-*+])\s").findall(plain)),
        bold=len(_pattern(r"\*\*[^*\n]+\*\*|__[^_\n]+__").findall(plain)),
    )


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE)
