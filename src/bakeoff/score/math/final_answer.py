"""The final answer of a mathematical text, as it was written."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from bakeoff.score.extract.characters import plain
from bakeoff.score.extract.extraction import Extraction, Nothing
from bakeoff.score.extract.number import extract_number
from bakeoff.score.extract.phrases import ANNOUNCEMENT, words
from bakeoff.score.extract.window import window

LONGEST = 1_000
"""Characters. No longer expression is an answer."""

_BRACE = re.compile(r"(?P<box>\\f?box(?:ed)?\s{0,2}\{)|\\.|[{}]", re.DOTALL)
_BARE_BOX = re.compile(r"\\f?box(?:ed)?\s{1,2}(\\?[A-Za-z]+(?:\{[^{}\n]{0,100}\}){0,2}|[^\s$,{}\\]{1,100})")
# "\boxed{1} and x = \boxed{-2}": what may stand between boxes that are one answer.
_JOINT = re.compile(
    r"[\s$.;\\()\[\]]{0,6}(?:,|(?:\\text\s?\{\s?)?\b(?:and|or)\b(?:\s?\})?)[\s$\\()\[\]]{0,6}"
    r"(?:[A-Za-z](?:_\{?\w\}?)?\s?=\s?)?"
)
_TAG = re.compile(r"<(answer|final_answer|solution)>", re.IGNORECASE)
_HASHES = re.compile(r"####([^\n#]{0,200})")
_CUE = re.compile(ANNOUNCEMENT, re.IGNORECASE | re.MULTILINE)
_AFTER_CUE = re.compile(rf"[\s:*_]{{0,8}}(?:(?:{words('about')})[\s:*_]{{1,4}}){{0,2}}", re.IGNORECASE)
# A sentence ends at a full stop before a space, not at that of 3.5.
_SENTENCE = re.compile(r"[^\n]{1,200}?(?=\.?\*{0,2}(?:\s*\Z|\n|\.\s))")
_DELIMITER = re.compile(r"\$\$?|\\.|\n", re.DOTALL)
_CLOSING = {"$": "$", "$$": "$$", r"\(": r"\)", r"\[": r"\]"}
_WORD = re.compile(r"(?<![A-Za-z\\])[A-Za-z]{2,}")

_Span = tuple[int, int]


def final_answer(
    text: str, *, take: Literal["last", "first"] = "last", fallback: bool = True
) -> Extraction | Nothing:
    """The expression that `text` gives as its answer, as it is written there.

    The first of these forms that occurs; of several of one form the last (or the first): `\\boxed{…}` with
    balanced braces, where boxes joined by a comma, "and" or "or" are one answer; `<answer>…</answer>`;
    `#### …`; "the final answer is …" in any language of `phrases`, up to the end of the `$…$` or the
    sentence; a single line of at most three words. Otherwise, if `fallback`, the last `$…$` or else the last
    number, which are weak. Of texts beyond 200,000 characters only the last (or first) of them are read.
    """
    end_of_text, offset = window(text, take)
    found = _found(end_of_text, 0 if take == "first" else -1, fallback)
    if isinstance(found, Nothing):
        return found
    return replace(found, start=offset + found.start, end=offset + found.end)


def _found(text: str, which: int, fallback: bool) -> Extraction | Nothing:
    for form in (_boxed, _tagged, _hashed, _announced, _whole):
        if found := list(form(text)):
            return found[which]
    if not fallback:
        return Nothing("no answer is marked or announced")
    if formulas := list(_formulas(text)):
        return _of(text, *formulas[-1], "the last formula", "fallback")
    number = extract_number(text)
    return number if isinstance(number, Nothing) else number.extraction


def _boxed(text: str) -> Iterator[Extraction]:
    groups: list[list[_Span]] = []
    for start, end in sorted(_boxes(text)):
        if not text[start:end].strip(" {}$"):
            continue
        if groups and _JOINT.fullmatch(_between(text, groups[-1][-1][1], start)):
            groups[-1].append((start, end))
        else:
            groups.append([(start, end)])
    for group in groups:
        written = ", ".join(text[start:end].strip() for start, end in group)
        yield Extraction(written, "explicit", "marked as the answer", group[0][0], group[-1][1])


def _boxes(text: str) -> Iterator[_Span]:
    """The contents of every closed box that holds no other one."""
    opened: list[re.Match[str]] = []
    innermost = 0
    for brace in _BRACE.finditer(text):
        if brace.group()[-1] == "{" and (brace["box"] or len(brace.group()) == 1):
            opened.append(brace)
        elif brace.group() == "}" and opened:
            opening = opened.pop()
            if opening["box"] and opening.end() >= innermost and brace.start() - opening.end() <= LONGEST:
                yield opening.end(), brace.start()
                innermost = brace.end()
    yield from (bare.span(1) for bare in _BARE_BOX.finditer(text))


def _between(text: str, end: int, start: int) -> str:
    """What stands between two boxes; a text that joins nothing where they are far apart."""
    if start - end > 60:
        return text[end:start][:60]
    return re.sub(r"\A\}|\\f?box(?:ed)?\s{0,2}\{?\Z", "", text[end:start])


def _tagged(text: str) -> Iterator[Extraction]:
    for tag in _TAG.finditer(text):
        end = text.find(f"</{tag.group(1)}", tag.end(), tag.end() + LONGEST)
        if end >= 0 and text[tag.end() : end].strip():
            yield _of(text, tag.end(), end, "marked as the answer")


def _hashed(text: str) -> Iterator[Extraction]:
    for hashes in _HASHES.finditer(text):
        if hashes.group(1).strip():
            yield _of(text, *hashes.span(1), "after ####")


def _announced(text: str) -> Iterator[Extraction]:
    readable, formulas = plain(text), list(_formulas(text))
    for cue in _CUE.finditer(readable):
        gap = _AFTER_CUE.match(readable, cue.end())
        start = gap.end() if gap else cue.end()
        sentence = _SENTENCE.match(readable, start)
        end = sentence.end() if sentence else start
        # "the answer is clearly $5$": the formula of the sentence, where it has one.
        following = bisect_left(formulas, (start, 0))
        if following < len(formulas) and formulas[following][0] <= max(end, start + 2):
            start, end = formulas[following]
        if text[start:end].strip(" .:*_$"):
            yield _of(text, start, end, "announced")


def _whole(text: str) -> Iterator[Extraction]:
    said = text.strip()
    short = "\n" not in said and len(said) <= 200 and "\\box" not in said and len(_WORD.findall(said)) <= 3
    if short and any(map(str.isalnum, said)):
        start = text.index(said)
        yield _of(text, start, start + len(said), "the whole text")


def _formulas(text: str) -> Iterator[_Span]:
    """What stands between `$…$` on one line, `$$…$$`, `\\(…\\)` and `\\[…\\]`, in order."""
    closing, start = "", 0
    for mark in _DELIMITER.finditer(text):
        if closing and mark.group() == closing:
            if 0 < mark.start() - start <= LONGEST:
                yield start, mark.start()
            closing = ""
        elif closing == "$" and mark.group() == "\n":
            closing = ""
        elif not closing and mark.group() in _CLOSING:
            closing, start = _CLOSING[mark.group()], mark.end()


def _of(
    text: str, start: int, end: int, how: str, strength: Literal["explicit", "fallback"] = "explicit"
) -> Extraction:
    return Extraction(text[start:end].strip(), strength, how, start, end)
