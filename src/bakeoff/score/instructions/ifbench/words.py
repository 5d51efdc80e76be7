"""Conditions on every word, or on words in certain places."""

import string
from collections import Counter
from itertools import pairwise

from bakeoff.errors import TaskError
from bakeoff.score.instructions.sentences import sentences
from bakeoff.score.instructions.words import EDGES, bare, treebank_tokens, trimmed, word_tokens

_CONSONANTS = frozenset("bcdfghjklmnpqrstvwxyz")
_LONGEST_VERB = 40


def alphabet(text: str) -> bool:
    """Each word begins with the letter after that of the word before; `a` comes after `z`."""
    words = bare(text).lower().split()
    if not words or words[0][0] not in string.ascii_lowercase:
        return False
    first = string.ascii_lowercase.index(words[0][0])
    return all(word[0] == string.ascii_lowercase[(first + place) % 26] for place, word in enumerate(words))


def vowel(text: str) -> bool:
    """One paragraph with at most three different vowels."""
    return "\n" not in text.strip() and len(set("aeiou") & set(text.lower())) <= 3


def consonants(text: str) -> bool:
    """Every word has two consonants in a row."""
    return all(
        any(left in _CONSONANTS and right in _CONSONANTS for left, right in pairwise(word))
        for word in text.lower().split()
    )


def palindrome(text: str) -> bool:
    """At least ten palindromes of five letters or more; the same one may come again."""
    return sum(len(word) >= 5 and word == word[::-1] for word in bare(text).lower().split()) >= 10


def prime_lengths(text: str) -> bool:
    """Every word has a prime number of letters."""
    return all(_is_prime(len(word)) for word in bare(text).split())


def repeats(text: str, *, small_n: int) -> bool:
    """No word occurs more than `small_n` times."""
    return max(Counter(bare(text.lower()).split()).values(), default=0) <= small_n


def no_consecutive(text: str) -> bool:
    """No two words in a row begin with the same letter."""
    return all(left[0] != right[0] for left, right in pairwise(bare(text.lower()).split()))


def odd_even_syllables(text: str) -> bool:
    """Words of odd and even numbers of syllables alternate. By SyllaPy's dictionary, else its rules.

    Raises:
        TaskError: syllapy is not installed.
    """
    try:
        import syllapy  # type: ignore[import-untyped]
    except ModuleNotFoundError as error:
        raise TaskError(
            "the ifeval scorer needs syllapy to count syllables", "Install bakeoff[score]."
        ) from error
    odd = [syllapy.count(word) % 2 for word in bare(text).lower().split()]
    return all(left != right for left, right in pairwise(odd))


def start_verb(text: str) -> bool:
    """The first word is a form of an English verb.

    Looked up in a lexicon (LemmInflect's, from the NIH's SPECIALIST): a word that can be a verb gets the
    benefit of the doubt. The published checker tags the first word by a model that takes capitalised
    imperatives for names: "Build", "Understand" and "Conceive" are no verbs to it.
    """
    first = next(iter(word_tokens(text[:1000])), "").lower()
    return len(first) <= _LONGEST_VERB and _is_verb(first)


def last_first(text: str) -> bool:
    """The last word of each sentence is the first of the next. Neither case nor outer marks matter."""
    for left, right in pairwise(sentences(text)):
        last = left.rstrip(EDGES).split()
        first = right.lstrip(EDGES).split()
        if not last or not first or last[-1].lower() != first[0].lower():
            return False
    return True


def paragraph_last_first(text: str) -> bool:
    """Each line ends with the word it begins with. Neither case nor outer marks matter."""
    for line in text.lower().split("\n"):
        words = trimmed(line.strip()).split()
        if words and words[0] != words[-1]:
            return False
    return True


def keywords_specific_position(text: str, *, keyword: str, n: int, m: int) -> bool:
    """The `m`-th word of the `n`-th sentence is the keyword."""
    found = sentences(text)
    if not 1 <= n <= len(found):
        return False
    words = word_tokens(found[n - 1])
    return 1 <= m <= len(words) and words[m - 1].lower() == keyword.strip().lower()


def words_position(text: str, *, keyword: str) -> bool:
    """The second word and the last but one are the keyword; a mark at the end does not count as a word."""
    tokens = [token.lower() for token in treebank_tokens(text)]
    if tokens and tokens[-1] in string.punctuation:
        tokens = tokens[:-1]
    return len(tokens) >= 2 and tokens[1] == tokens[-2] == keyword.strip().lower()


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))


def _is_verb(word: str) -> bool:
    try:
        import lemminflect  # type: ignore[import-untyped]
    except ModuleNotFoundError as error:
        raise TaskError(
            "the ifeval scorer needs lemminflect to know verbs", "Install bakeoff[score]."
        ) from error
    return "VERB" in lemminflect.getAllLemmas(word)
