"""The number an answer states."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from bakeoff.score.extract.characters import plain
from bakeoff.score.extract.extraction import Extraction, Nothing
from bakeoff.score.extract.markup import blank_markup, marked_spans
from bakeoff.score.extract.numeral import NUMERAL, value_of
from bakeoff.score.extract.phrases import ANNOUNCEMENT, words
from bakeoff.score.extract.window import window

# The commonest texts by far, read without the rest: nothing but digits.
_ALONE = re.compile(r"\s*(-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,18})?)\s*", re.ASCII)
_FURTHEST = 80
"""Characters between an announcement and the end of what it announces."""
_FILLER = re.compile(
    r"[\s:=\"'(\[{<>≈~≃$€£¥￥₹₽\\]{0,24}"
    rf"(?:(?:{words('about')}|[a-z]\s?(?==|≈))[\s:=\"'(\[{{≈~$€£¥￥₹₽\\]{{0,12}}){{0,3}}",
    re.IGNORECASE,
)
_HASHES = re.compile(r"####([^\n#]{0,200})")
_CUE = re.compile(ANNOUNCEMENT, re.IGNORECASE | re.MULTILINE)
_WHOLE_BEFORE = re.compile(r"[\"'(\[{=≈~\s\\]{0,8}(?:[A-Z]{0,3}\s?[$€£¥￥₹₽]?)[\s\\]{0,3}")
_WHOLE_AFTER = re.compile(r"[^\w\n]{0,4}(?:[^\W\d_]{1,12}(?:[\s/^²³-]{1,2}[^\W\d_]{0,12}\d?)?)?[^\w\n]{0,4}")
# "16 - 7 = 9": what stands between the first number of a sum and its result.
_SUM = re.compile(r"(?:\s?[-+*/×÷·x^()%$€£]{1,3}\s?|\s?[\d.,]++\s?|\s)++=\s?")


@dataclass(frozen=True, slots=True)
class StatedNumber:
    """A number, exactly, and where it was found."""

    value: Fraction
    extraction: Extraction


def extract_number(
    text: str, *, take: Literal["first", "last"] = "last", fallback: bool = True
) -> StatedNumber | Nothing:
    """The number that `text` gives as its answer.

    Explicit are `\\boxed{18}`, `<answer>18</answer>`, `#### 18`, "The answer is 18" and "A: 18", in any
    language of `phrases`, and a text that is nothing but a number; of several the last counts (or the first).
    Where there is none, the last number of the text is taken if `fallback`, and is weak. Currency, percent
    signs and units around a number are not part of it. `take` does not move the fallback. Of texts beyond
    200,000 characters only the last (or first) of them are read.
    """
    if (alone := _ALONE.fullmatch(text)) is not None:
        start, end = alone.span(1)
        return StatedNumber(
            Fraction(alone[1]), Extraction(alone[1], "explicit", "the whole text", start, end)
        )
    end_of_text, offset = window(text, take)
    found = _found_in(end_of_text, take, fallback)
    if offset == 0 or isinstance(found, Nothing):
        return found
    there = found.extraction
    moved = replace(there, start=offset + there.start, end=offset + there.end)
    return StatedNumber(found.value, moved)


def _found_in(text: str, take: Literal["first", "last"], fallback: bool) -> StatedNumber | Nothing:
    searched = plain(text)
    readable = blank_markup(searched)
    announced = sorted(_announced(searched, readable), key=lambda number: number.position)
    if announced:
        number = announced[0 if take == "first" else -1]
        return StatedNumber(number.value, _extraction(text, number.match, "explicit", number.how))
    backwards = ((match, value_of(match)) for match in reversed(list(NUMERAL.finditer(readable))))
    last = next(((match, value) for match, value in backwards if value is not None), None)
    if last is None:
        return Nothing("there is no number in it")
    if _is_whole(readable, last[0]):
        return StatedNumber(last[1], _extraction(text, last[0], "explicit", "the whole text"))
    if not fallback:
        return Nothing("no number is announced as the answer")
    return StatedNumber(last[1], _extraction(text, last[0], "fallback", "the last number"))


def read_number(text: str) -> Fraction | None:
    """The one number of a gold answer; None where there is none, or several and none announced.

    The same reading as of predictions: "18", "$1,234.50", "3/4", "18 apples", "… #### 18".
    """
    if _ALONE.fullmatch(text) is not None:
        return Fraction(text)
    found = extract_number(text)
    if isinstance(found, Nothing):
        return None
    several = len(list(NUMERAL.finditer(blank_markup(plain(text))))) > 1
    return None if found.extraction.strength == "fallback" and several else found.value


@dataclass(frozen=True, slots=True)
class _Announced:
    position: int
    how: str
    match: re.Match[str]
    value: Fraction


def _announced(searched: str, readable: str) -> Iterator[_Announced]:
    for start, end in marked_spans(searched):
        if (found := _result(searched, start, end)) is not None:
            yield _Announced(start, "marked as the answer", *found)
    for hashes in _HASHES.finditer(readable):
        if (found := _result(readable, hashes.start(1), hashes.end(1))) is not None:
            yield _Announced(hashes.start(), "after ####", *found)
    for cue in _CUE.finditer(readable):
        if (found := _first_after(readable, cue.end())) is not None:
            yield _Announced(cue.start(), "announced", *found)


def _first_after(text: str, cue_end: int) -> tuple[re.Match[str], Fraction] | None:
    filler = _FILLER.match(text, cue_end, cue_end + _FURTHEST)
    start = filler.end() if filler else cue_end
    # The filler may have swallowed a currency sign that belongs to a number with a sign: -$5.
    for begin in range(start, max(cue_end, start - 4) - 1, -1):
        match = NUMERAL.match(text, begin)
        if match is not None and (value := value_of(match)) is not None:
            return _after_sum(text, match, value)
    return None


def _result(text: str, start: int, end: int) -> tuple[re.Match[str], Fraction] | None:
    """The number of a marked span: behind its last `=`, else its first."""
    equals = text.rfind("=", start, end)
    for begin in (equals + 1, start) if equals >= 0 else (start,):
        for match in NUMERAL.finditer(text, begin, end):
            if (value := value_of(match)) is not None:
                return match, value
    return None


def _after_sum(text: str, match: re.Match[str], value: Fraction) -> tuple[re.Match[str], Fraction]:
    """Where an announced number begins a sum ("16 - 7 = 9"), its result."""
    while (between := _SUM.match(text, match.end(), match.end() + _FURTHEST)) is not None:
        result = NUMERAL.match(text, between.end()) or NUMERAL.match(text, between.end() + 1)
        if result is None or (result_value := value_of(result)) is None:
            break
        match, value = result, result_value
    return match, value


def _is_whole(text: str, match: re.Match[str]) -> bool:
    """Whether nothing but currency before, and a unit of a word or two behind, stands around the number."""
    before, after = text[: match.start()].strip(), text[match.end() :].strip()
    return _WHOLE_BEFORE.fullmatch(before) is not None and _WHOLE_AFTER.fullmatch(after) is not None


def _extraction(
    text: str, match: re.Match[str], strength: Literal["explicit", "fallback"], how: str
) -> Extraction:
    end = match.end()
    # "18." at the very end of a cut text may have been going on to 18.5.
    if end + 1 == len(text) and text[end] in ".,/'’":
        end += 1
    return Extraction(text[match.start() : match.end()].strip(), strength, how, match.start(), end)
