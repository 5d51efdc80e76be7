"""Conditions from sentence to sentence."""

import re
from itertools import pairwise

from bakeoff.score.instructions.sentences import sentences
from bakeoff.score.instructions.words import EDGES, bare


def alliteration_increment(text: str) -> bool:
    """Each sentence has more words in alliteration with a neighbour than the sentence before."""
    counts = [_alliterating(sentence) for sentence in sentences(text)]
    return all(left < right for left, right in pairwise(counts))


def increment(text: str, *, small_n: int) -> bool:
    """Each sentence has exactly `small_n` words more than the sentence before."""
    lengths = [len(bare(sentence).split()) for sentence in sentences(text)]
    return all(right == left + small_n for left, right in pairwise(lengths))


def keyword(text: str, *, word: str, n: int) -> bool:
    """The `n`-th sentence has the word, as a word by itself. Case does not matter."""
    found = sentences(text)
    if not 1 <= n <= len(found):
        return False
    return re.search(rf"\b{re.escape(word)}\b", found[n - 1], re.IGNORECASE) is not None


def _alliterating(sentence: str) -> int:
    """Words that begin like a neighbour, each counted once: as a run of k, k."""
    words = [word for word in (word.lstrip(EDGES) for word in sentence.lower().split()) if word]
    count, within = 0, False
    for left, right in pairwise(words):
        alike = left[0] == right[0]
        count += (1 if within else 2) if alike else 0
        within = alike
    return count
