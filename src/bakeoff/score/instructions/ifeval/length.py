"""Numbers of words, sentences and paragraphs."""

import re

from bakeoff.errors import TaskError
from bakeoff.score.instructions.counting import Relation, holds
from bakeoff.score.instructions.sentences import sentences
from bakeoff.score.instructions.words import runs


def number_words(text: str, *, num_words: int, relation: Relation) -> bool:
    """So many runs of letters and digits."""
    return holds(len(runs(text)), relation, num_words)


def number_sentences(text: str, *, num_sentences: int, relation: Relation) -> bool:
    """So many sentences."""
    return holds(len(sentences(text)), relation, num_sentences)


def number_paragraphs(text: str, *, num_paragraphs: int) -> bool:
    """Exactly so many paragraphs, with `***` between them; none of them blank."""
    paragraphs = [part.strip() for part in re.split(r"\s?\*\*\*\s?", text)]
    # A divider may open or close the text.
    inner = paragraphs[bool(not paragraphs[0]) :]
    if inner and not inner[-1]:
        inner = inner[:-1]
    return all(inner) and len(inner) == num_paragraphs


def nth_paragraph_first_word(text: str, *, num_paragraphs: int, nth_paragraph: int, first_word: str) -> bool:
    """Exactly so many paragraphs, with a blank line between them, and the n-th begins with the word.

    Raises:
        TaskError: there can be no n-th paragraph (the published checker draws another number at random).
    """
    if not 1 <= nth_paragraph <= num_paragraphs:
        raise TaskError(
            f"length_constraints:nth_paragraph_first_word: there is no paragraph {nth_paragraph} "
            f"of {num_paragraphs}"
        )
    parts = text.split("\n\n")
    # As published: blank parts are no paragraphs, but they take a place when counting to the n-th.
    if sum(1 for part in parts if part.strip()) != num_paragraphs or not parts[nth_paragraph - 1].strip():
        return False
    word = parts[nth_paragraph - 1].split()[0].lstrip("'").lstrip('"')
    return re.split(r"[.,?!'\"]", word, maxsplit=1)[0].lower() == first_word.lower()
