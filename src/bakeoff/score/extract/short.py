"""The short answer of a text: what it marks or announces as its answer, else all of it."""

import re

from bakeoff.score.extract.characters import plain
from bakeoff.score.extract.extraction import Extraction, Nothing
from bakeoff.score.extract.markup import blank_markup, marked_spans
from bakeoff.score.extract.phrases import ANNOUNCEMENT

_LONGEST = 50_000
"""Characters. What compares texts may take quadratic time, and no answer is longer."""
_NEAR = 80
"""Characters before an announcement that are read for the beginning of its sentence."""
_CUE = re.compile(ANNOUNCEMENT, re.IGNORECASE | re.MULTILINE)
_REST_OF_LINE = re.compile(r"[\s:=*\"'`]*([^\n]*)")


def extract_short(text: str, *, announced: bool = True) -> Extraction | Nothing:
    """The answer as a text, stripped.

    Explicit all three: the contents of the last `\\boxed{…}` or `<answer>…</answer>`; what the last
    announcement announces, to the end of its line ("So the answer is Paris.", "Réponse : Paris"; it begins
    its sentence, but for three words); else the whole text. Without `announced` always the whole text.
    """
    if len(text) > _LONGEST:
        return Nothing(f"longer than {_LONGEST:,} characters, and not compared")
    if announced:
        searched = plain(text)
        found = _last_marked(text, searched) or _last_announced(text, searched)
        if found is not None:
            return found
    return _piece(text, 0, len(text), "the whole text")


def _last_marked(text: str, searched: str) -> Extraction | None:
    spans = list(marked_spans(searched))
    return _piece(text, *spans[-1], "marked as the answer") if spans else None


def _last_announced(text: str, searched: str) -> Extraction | None:
    for cue in reversed(list(_CUE.finditer(searched))):
        if not _opens_a_sentence(searched, cue):
            continue
        rest = _REST_OF_LINE.match(searched, cue.end())
        if rest is not None and re.search(r"\w", rest[1]):
            return _piece(text, rest.start(1), rest.end(1), "announced")
    return None


def _opens_a_sentence(text: str, cue: re.Match[str]) -> bool:
    """Whether the cue announces ("So the answer is"), or is part of an answer ("as a result, it is")."""
    before = re.split(r"[.!?:\n]", text[max(0, cue.start() - _NEAR) : cue.start()])[-1].lower().split()
    return len(before) <= 3 and before[-2:] != ["as", "a"] and "," not in cue.group()


def _piece(text: str, start: int, end: int, how: str) -> Extraction:
    return Extraction(blank_markup(text[start:end]).strip(), "explicit", how, start, end)
