"""Numbers of words, names, numerals and marks."""

import re

from bakeoff.errors import TaskError
from bakeoff.score.instructions.words import bare, runs, treebank_tokens, trimmed

_CONJUNCTIONS = frozenset({"and", "but", "for", "nor", "or", "so", "yet"})
_INTERROBANGS = ("?!", "!?", "‽")
_NAMES = (  # noqa: SIM905 (words are read as words)
    "Emma Liam Sophia Jackson Olivia Noah Ava Lucas Isabella Mason Mia Ethan Charlotte Alexander Amelia "
    "Benjamin Harper Leo Zoe Daniel Chloe Samuel Lily Matthew Grace Owen Abigail Gabriel Ella Jacob Scarlett "
    "Nathan Victoria Elijah Layla Nicholas Audrey David Hannah Christopher Penelope Thomas Nora Andrew Aria "
    "Joseph Claire Ryan Stella Jonathan"
).split()
_PRONOUNS = frozenset(
    (  # noqa: SIM905 (words are read as words)
        # Personal, possessive, reflexive
        "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself "
        "she her hers herself it its itself they them their theirs themselves "
        # Demonstrative, interrogative, relative
        "this that these those who whom whose which what whoever whomever whatever whichever "
        # Indefinite ("one" is none)
        "anybody anyone anything everybody everyone everything nobody nothing somebody someone something "
        "each either neither both all some any none"
    ).split()
)
_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_TIMES = (1, 2, 3, 5, 7)


def word_count_range(text: str, *, min_words: int, max_words: int) -> bool:
    """From `min_words` to `max_words` runs of letters and digits."""
    return min_words <= len(runs(text)) <= max_words


def unique_word_count(text: str, *, n: int) -> bool:
    """At least `n` different words. Neither case nor punctuation at their ends matters."""
    return len({trimmed(word) for word in text.lower().split()}) >= n


def conjunctions(text: str, *, small_n: int) -> bool:
    """At least `small_n` different coordinating conjunctions.

    "And" and "and" are one (the published checker counts them, and "and,", as different).
    """
    return len(_CONJUNCTIONS & {trimmed(word).lower() for word in text.split()}) >= small_n


def person_names(text: str, *, n: int) -> bool:
    """At least `n` different ones of the fifty given names, in that spelling."""
    return sum(1 for name in _NAMES if re.search(rf"\b{name}\b", text)) >= n


def numbers(text: str, *, n: int) -> bool:
    """Exactly `n` runs of digits, once punctuation is gone: "1,234.5" is one."""
    return len(re.findall(r"\d+", bare(text))) == n


def punctuation(text: str) -> bool:
    """Every mark of `. , ! ? ; :`, and an interrobang beside them."""
    if not any(mark in text for mark in _INTERROBANGS):
        return False
    rest = text.replace("?!", "", 1) if "?!" in text else text.replace("!?", "", 1)
    return all(mark in rest for mark in ".,!?;:")


def pronouns(text: str, *, n: int) -> bool:
    """At least `n` pronouns; "she/her" are two."""
    return sum(1 for token in treebank_tokens(text.lower().replace("/", " ")) if token in _PRONOUNS) >= n


def keywords_multiple(
    text: str, *, keyword1: str, keyword2: str, keyword3: str, keyword4: str, keyword5: str
) -> bool:
    """The keywords occur 1, 2, 3, 5 and 7 times, within longer words too. Case does not matter."""
    keywords = (keyword1, keyword2, keyword3, keyword4, keyword5)
    small = text.lower()
    return all(
        small.count(keyword.strip().lower()) == times for keyword, times in zip(keywords, _TIMES, strict=True)
    )


def words_japanese(text: str, *, n: int) -> bool:
    """Every `n`-th word has a Japanese character, but for numbers and punctuation. No word, no duty.

    Raises:
        TaskError: `n` is 0.
    """
    if n < 1:
        raise TaskError("count:words_japanese: `N` must be at least 1")
    every = (trimmed(word) for word in text.split()[n - 1 :: n])
    return all(_JAPANESE.search(word) is not None for word in every if word and not word.isdigit())
