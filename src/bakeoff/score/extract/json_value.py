"""The JSON value an answer gives."""

import ast
import json
import re
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from bakeoff.score.extract.extraction import Extraction, Nothing

Kind = Literal["object", "array", "any"]

_DEEPEST = 200
"""Levels of nesting. No answer needs more, and what reads values later may recurse."""
_LONGEST_PROSE = 200_000
"""Characters of a text searched for a value that nothing marks."""
_LONGEST_MENDED = 20_000
_MOST_FENCES = 20
"""Fenced blocks tried, from the last."""
_FENCE = re.compile(
    r"^[ \t]{0,3}(`{3,}+|~{3,}+)[ \t]{0,4}+([\w+-]{0,20}+)[^\n`]*+\n(.*?)(?:^[ \t]{0,3}\1|\Z)",
    re.MULTILINE | re.DOTALL,
)
# Where a value may begin; a brace in front of anything else is not JSON.
_OBJECT, _ARRAY = r"\{(?=\s{0,99}[\"}])", r"\[(?=\s{0,99}(?:[\[{\"\]\d]|-\d|true|false|null))"
_OPENING = {
    kind: re.compile(pattern)
    for kind, pattern in {"object": _OBJECT, "array": _ARRAY, "any": f"{_OBJECT}|{_ARRAY}"}.items()
}
# In these, a string is matched whole (to the end, if it is never closed), so that nothing in it counts.
_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"?|[{}\[\]]', re.DOTALL)
_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*+"?)|//[^\n]*+|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING_COMMA = re.compile(r'("(?:[^"\\\n]|\\.)*+"?)|,(?=\s{0,99}[}\]])')


class NotJsonError(ValueError):
    """A text that is not one JSON value, and why."""


@dataclass(frozen=True, slots=True)
class StatedJson:
    """A JSON value and where it was found. `repaired` names what was mended, and is empty for JSON."""

    value: Any
    extraction: Extraction
    repaired: str = ""


def parse_json(text: str) -> Any:
    """The value of a text that is JSON by RFC 8259 and nothing else; of equal names in an object, the last.

    Raises:
        NotJsonError: not JSON (`NaN`, say); a number beyond a double or of over 4,300 digits; a lone
            surrogate, which is no character; nested deeper than 200.
    """
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise NotJsonError(f"{error.msg} at character {error.pos}") from None
    except RecursionError:
        raise NotJsonError(f"nested deeper than {_DEEPEST}") from None
    except ValueError as error:
        raise NotJsonError(str(error)[:80]) from None
    _check(value)
    return value


def extract_json(text: str, *, kind: Kind = "any") -> StatedJson | Nothing:
    """The JSON value of an answer: the whole text, else of a fenced block, else the first balanced one in it.

    Of several fenced blocks the last that is JSON counts. In running text only objects and arrays count, and
    of those only the `kind` asked for: the [1] of a citation is not the object that was wanted. This last
    one is weak. A whole text or block that would be JSON with its trailing commas, comments or Python
    notation mended comes back with `repaired` saying so; whether it counts is the caller's to say.
    """
    if (stated := _marked(text, parse_json)) is not None:
        return stated
    if (mended := _marked(text, _mended)) is not None:
        value, repaired = mended.value
        return StatedJson(value, mended.extraction, repaired)
    return _in_prose(text, kind)


def _marked(text: str, parse: Callable[[str], Any]) -> StatedJson | None:
    """The value of the whole text or of its last fenced block that has one."""
    for start, end, how in _candidates(text):
        try:
            value = parse(text[start:end])
        except NotJsonError:
            continue
        return StatedJson(value, _extraction(text, start, end, "explicit", how))
    return None


def _candidates(text: str) -> Iterator[tuple[int, int, str]]:
    yield 0, len(text), "the whole text"
    if "```" not in text and "~~~" not in text:
        return
    fences = deque(_FENCE.finditer(text), maxlen=_MOST_FENCES)
    for how, named in (("a fenced json block", True), ("a fenced block", False)):
        for fence in reversed(fences):
            if fence[2].lower().startswith("json") is named:
                yield fence.start(3), fence.end(3), how


def _in_prose(text: str, kind: Kind) -> StatedJson | Nothing:
    """The first bracketed value of running text. What stands inside broken JSON is not the answer."""
    searched = text[:_LONGEST_PROSE]
    broken, after = "", 0
    for opening in _OPENING[kind].finditer(searched):
        start = opening.start()
        if start < after:
            continue
        try:
            value, end = _DECODER.raw_decode(searched, start)
            _check(value)
        except (ValueError, RecursionError) as error:
            if isinstance(error, json.JSONDecodeError) and not searched[start + 1 : error.pos].strip():
                continue  # [1st]: no JSON begins here
            broken = broken or f"; what looks like it is broken at {searched[start : start + 30]!r}"
            after = _behind(searched, start)
            continue
        how = f"the first JSON {'value' if kind == 'any' else kind} in the text"
        return StatedJson(value, _extraction(text, start, end, "fallback", how))
    return Nothing(f"there is no JSON value in it{broken}")


def _behind(text: str, start: int) -> int:
    """Where the bracket at `start` is closed, not counting brackets in strings; the end if it never is."""
    depth = 0
    for mark in _BRACKET.finditer(text, start):
        depth += (mark.group() in "{[") - (mark.group() in "}]")
        if depth == 0:
            return mark.end()
    return len(text)


def _extraction(
    text: str, start: int, end: int, strength: Literal["explicit", "fallback"], how: str
) -> Extraction:
    piece = text[start:end]
    begin = start + len(piece) - len(piece.lstrip())
    stop = start + len(piece.rstrip())
    # An object or array ends with its bracket: a cut right behind it took nothing from the value.
    closed = stop > begin and text[stop - 1] in "}]"
    return Extraction(text[begin:stop], strength, how, begin, stop - 1 if closed else stop)


def _mended(text: str) -> tuple[Any, str]:
    """The value of what is almost JSON, and what was mended.

    Raises:
        NotJsonError: it still is not.
    """
    text = text.strip()
    if len(text) > _LONGEST_MENDED:
        raise NotJsonError("not JSON, and too long to mend")
    bare = _TRAILING_COMMA.sub(_only_strings, _COMMENT.sub(_only_strings, text))
    try:
        return parse_json(bare), "comments or trailing commas"
    except NotJsonError:
        pass
    if not text.startswith(("{", "[")):
        raise NotJsonError("neither JSON nor a Python literal")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            literal = ast.literal_eval(text)
        return parse_json(json.dumps(literal, allow_nan=False)), "Python notation"
    except (SyntaxError, TypeError, ValueError, RecursionError, MemoryError) as error:
        raise NotJsonError(f"{type(error).__name__}: {error}"[:80]) from None


def _only_strings(match: re.Match[str]) -> str:
    return match[1] or ""


def _check(value: Any) -> None:
    """Whether the value is shallow enough and all its texts are Unicode.

    Raises:
        NotJsonError: it is not.
    """
    level: list[Any] = [value]
    for _ in range(_DEEPEST):
        below: list[Any] = []
        for each in level:
            if isinstance(each, dict):
                below.extend(each.keys())
                below.extend(each.values())
            elif isinstance(each, list):
                below.extend(each)
            elif isinstance(each, str) and not each.isascii() and _SURROGATE.search(each):
                raise NotJsonError("a lone surrogate is not a character")
        if not below:
            return
        level = below
    raise NotJsonError(f"nested deeper than {_DEEPEST}")


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{digits:.40} is beyond the numbers that can be compared")
    return number


_SURROGATE = re.compile(r"[\ud800-\udfff]")
_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite)
