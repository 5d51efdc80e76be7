"""Words and letters that must or must not occur. Case does not matter."""

import re

from bakeoff.errors import TaskError
from bakeoff.score.instructions.counting import Relation, holds


def existence(text: str, *, keywords: tuple[str, ...]) -> bool:
    """Every keyword occurs, within a longer word too."""
    return all(_occurrences(keyword, text) > 0 for keyword in keywords)


def frequency(text: str, *, keyword: str, frequency: int, relation: Relation) -> bool:
    """The keyword occurs so often, within longer words too."""
    return holds(_occurrences(keyword.strip(), text), relation, frequency)


def forbidden_words(text: str, *, forbidden_words: tuple[str, ...]) -> bool:
    """None of the words occurs as a word by itself."""
    return not any(
        re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE) is not None for word in forbidden_words
    )


def letter_frequency(text: str, *, letter: str, let_frequency: int, let_relation: Relation) -> bool:
    """The letter occurs so often.

    Key 1122 of IFEval asks for `#`. The published checker replaces any letter outside a-z by a random one;
    here the character asked for is counted.

    Raises:
        TaskError: `letter` is not one character.
    """
    if len(letter) != 1:
        raise TaskError(f"keywords:letter_frequency: `letter` must be one character, got {letter!r:.40}")
    return holds(text.lower().count(letter.lower()), let_relation, let_frequency)


def _occurrences(keyword: str, text: str) -> int:
    return sum(1 for _ in re.finditer(re.escape(keyword), text, re.IGNORECASE))
