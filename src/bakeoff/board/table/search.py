"""Searching the rows of a board: words, or a pattern."""

import re
from collections.abc import Sequence
from math import prod

import numpy as np

from bakeoff.board.table.ties import BoolArray
from bakeoff.errors import BakeoffError

LARGEST = 1000
"""Steps of a pattern, at most. With fifty times as many, patterns can be made that take minutes for the names
of 7,000 models; with these, half a second."""
_WIDE = re.compile(r"\.|\[|\\[WDS]")
"""What may stand for nearly every character: eleven steps, since characters are of up to four bytes."""
_REPEATED = re.compile(r"\{(\d+)(?:,(\d*))?\}")


def matching(texts: Sequence[str], search: str) -> BoolArray:
    """Which texts (rows,) contain every word of `search`, or match the pattern between its slashes; large and
    small letters are the same. `texts` are in lower case, their parts on lines of their own: `^` and `$` are
    the ends of a part.

    Patterns are RE2's, whose time grows with the length of the texts times the size of the pattern, whatever
    it says; so that size has a limit.

    Raises:
        BakeoffError: the pattern is none, is not among those that RE2 knows, or is too large.
    """
    if len(search) > 1 and search.startswith("/") and search.endswith("/"):
        return _pattern(texts, search[1:-1])
    words = search.casefold().split()
    return np.fromiter((all(word in text for word in words) for text in texts), np.bool_, len(texts))


def _pattern(texts: Sequence[str], pattern: str) -> BoolArray:
    import duckdb

    from bakeoff.store.database import small

    if not pattern:
        raise BakeoffError("search: there is no pattern between the slashes", "write /llama.*8b/")
    if _size(pattern) > LARGEST or re.search(r"\\[pP]", pattern):
        raise BakeoffError(
            f"search: /{pattern:.80}/ would take too long",
            "write a shorter pattern, without \\p and with smaller numbers in its {…}",
        )
    try:
        found = (
            small(threads=1)
            .execute("SELECT regexp_matches(unnest(?::VARCHAR[]), ?) AS met", [texts, f"(?mi){pattern}"])
            .fetchnumpy()
        )
    except duckdb.Error as error:
        said = str(error).splitlines()[0].partition(": ")
        raise BakeoffError(
            f"search: /{pattern}/ is no pattern: {(said[2] or said[0]).removesuffix(f': (?mi){pattern}')}",
            "write it as RE2 has it, without looking ahead or back; words need no slashes",
        ) from None
    return np.asarray(found["met"], dtype=np.bool_)


def _size(pattern: str) -> int:
    """The steps of a pattern at most, as if each of its repetitions were of all the others."""
    steps = len(pattern) + 10 * len(_WIDE.findall(pattern))
    counts = (max(int(low), int(high or 0), 1) for low, high in _REPEATED.findall(pattern))
    return steps * prod(counts)
