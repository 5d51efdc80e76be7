"""Format: what of an answer is Markdown rather than words."""

import re
from collections.abc import Sequence

from bakeoff.judging.position import Winner

# How often each has to stand in a text: one dash is as often a minus or a word of dialogue as a list.
_MARKS = {
    "headings": (1, re.compile(r"^ {0,3}#{1,6} +\S", re.MULTILINE)),
    "lists": (2, re.compile(r"^ {0,8}(?:[-*+•]|\d{1,3}[.)]) +\S", re.MULTILINE)),
    "emphasis": (
        1,
        re.compile(r"(?<![\w*])\*\*[^\s*][^*\n]*\*\*(?![\w*])|(?<!\w)__[^\s_][^_\n]*__(?!\w)"),
    ),
    "tables": (1, re.compile(r"^ {0,3}\|? *:?-+:? *(?:\| *:?-+:? *)+\|? *$", re.MULTILINE)),
    "code": (1, re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)),
}


def marks_of(text: str) -> frozenset[str]:
    """The kinds of Markdown in a text: headings, lists (two items or more), emphasis (bold), tables, code
    (fenced blocks).
    """
    return frozenset(
        name for name, (least, pattern) in _MARKS.items() if _occurs(pattern, text, least) >= least
    )


def formatted(text: str) -> bool:
    """Whether there is any Markdown in a text that a reader would see as format."""
    return bool(marks_of(text))


def only_formatted(both: Sequence[bool]) -> Winner:
    """Which of two answers is formatted; None where both are, or neither is."""
    one, other = both
    return None if one == other else int(other)


def _occurs(pattern: re.Pattern[str], text: str, most: int) -> int:
    return sum(1 for _, _ in zip(range(most), pattern.finditer(text), strict=False))
