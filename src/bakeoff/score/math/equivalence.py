"""Whether two answers mean the same, as far as can be told without algebra."""

import re
from collections.abc import Sequence
from fractions import Fraction

from bakeoff.score.math.quantity import quantity

_ASSIGNED = re.compile(
    r"(?P<name>[A-Za-z](?:_(?:\w|\{\w+\}))?|[a-z]\([a-z]\)|\\[a-z]{2,8}|\([a-z](?:,[a-z])+\))(?:=(?!=)|\\in(?![a-z]))"
)
# f(x) = 2x is y = 2x.
_FUNCTION = re.compile(r"[a-z]\([a-z]\)")
_WANTED_LABEL = re.compile(r"\(([A-Ja-j])\)|([A-J])")
_LABEL = re.compile(r"\(([A-Ja-j])\).*|([A-J])(?:[.:)].*|\s.*)?|([a-j])[.)]?", re.DOTALL)
_BASED = re.compile(r"(?P<digits>[0-9A-Z]+)_(?P<base>\d|\{\d+\})")
_WORDS = re.compile(r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ' -]*")
_TRUTH = {"yes": "true", "no": "false", "t": "true", "f": "false"}
_LIST_ENDS = {"(": ")", "[": "]", r"\{": r"\}"}
_BRACKET = re.compile(r"\\[{}]|[()\[\]{}]")


def same(gold: str, answer: str, tolerance: Fraction) -> bool | None:
    """Whether `answer` means `gold`, both in the spelling of `tidy`; None where that needs algebra.

    Equal spellings are equal. Numbers are compared exactly up to `tolerance` (relative), words without case,
    labels of choices without brackets, numerals with a base by digit, and lists entry by entry: in order
    between brackets, in any order between braces or bare. `x=5` is 5, unless the target names its variable
    too. "=" chains and approximations count by their last exact part.
    """
    if gold == answer:
        return True
    if (found := _same_label(gold, answer)) is not None:
        return found
    if (found := _same_based(gold, answer)) is not None:
        return found
    gold, answer = _without_names(gold, answer)
    if gold == answer:
        return True
    gold_number, number = quantity(gold), quantity(answer)
    if gold_number is not None and number is not None:
        return number.equals(gold_number, tolerance)
    if (found := _same_words(gold, answer)) is not None:
        return found
    return _same_lists(gold, answer, tolerance)


def is_words(tidied: str) -> bool:
    """Whether an answer is words, not a product of variables."""
    return _WORDS.fullmatch(tidied) is not None and (len(tidied) > 3 or tidied.lower() in _TRUTH)


def _same_label(gold: str, answer: str) -> bool | None:
    """For targets like (C): whether the answer is C, (C) or "(C) 12"."""
    wanted, named = _WANTED_LABEL.fullmatch(gold), _LABEL.fullmatch(answer)
    if wanted is None or named is None:
        return None
    return wanted[wanted.lastindex or 0].upper() == named[named.lastindex or 0].upper()


def _same_based(gold: str, answer: str) -> bool | None:
    """For numerals with a base, 52_8: the digits as asked; the base may be left out, but not be another."""
    wanted, given = _BASED.fullmatch(gold), _BASED.fullmatch(answer)
    if wanted is not None and given is not None:
        return wanted["digits"] == given["digits"] and wanted["base"].strip("{}") == given["base"].strip("{}")
    if wanted is not None:
        return wanted["digits"] == answer if answer.isalnum() else None
    return False if given is not None and quantity(gold) is not None else None


def _without_names(gold: str, answer: str) -> tuple[str, str]:
    """Both sides without `x=` or `x\\in` where one has it alone, or both have the same."""
    gold, answer = _exact_part(gold), _exact_part(answer)
    work, _, result = answer.rpartition("=")
    if "=" not in gold and re.fullmatch(r"[\d\s.+*/()-]+", work):
        answer = result
    named, given = _ASSIGNED.match(gold), _ASSIGNED.match(answer)
    if named and given and _FUNCTION.sub("y", named["name"]) != _FUNCTION.sub("y", given["name"]):
        return gold, answer
    return (gold[named.end() :] if named else gold), (answer[given.end() :] if given else answer)


def _exact_part(text: str) -> str:
    """What stands before an approximation; of a chain of equations, its two ends."""
    text = text.partition(r"\approx")[0] or text
    first, *_, last = text.split("=") if text.count("=") > 1 and "," not in text else (text, "")
    return f"{first}={last}" if last else text


def _same_words(gold: str, answer: str) -> bool | None:
    if not is_words(gold):
        return None
    wanted, said = gold.casefold(), answer.casefold()
    return _TRUTH.get(wanted, wanted) == _TRUTH.get(said, said)


def _same_lists(gold: str, answer: str, tolerance: Fraction) -> bool | None:
    wanted, said = _entries(gold), _entries(answer)
    if wanted is None or said is None:
        return None
    (gold_opening, gold_closing, golds), (opening, closing, answers) = wanted, said
    if gold_opening and opening and (gold_opening, gold_closing) != (opening, closing):
        # (1, 2) and [1, 2] are different intervals; from three entries on brackets are only style.
        lists_alike = len(golds) > 2 and r"\{" not in (gold_opening, opening)
        if not lists_alike:
            return False
    if len(golds) != len(answers):
        # 1 \pm 2 is two entries.
        return None if r"\pm" in gold + answer else False
    if gold_opening in ("(", "["):
        return _in_order(golds, answers, tolerance)
    return _in_any_order(golds, answers, tolerance)


def _in_order(golds: Sequence[str], answers: Sequence[str], tolerance: Fraction) -> bool | None:
    found = [same(gold, answer, tolerance) for gold, answer in zip(golds, answers, strict=True)]
    return False if False in found else None if None in found else True


def _in_any_order(golds: Sequence[str], answers: Sequence[str], tolerance: Fraction) -> bool | None:
    """Each entry for one of the other side; None unless every comparison is settled."""
    left = list(answers)
    undecided = False
    for gold in golds:
        found = [same(gold, answer, tolerance) for answer in left]
        if True in found:
            left.pop(found.index(True))
        elif None in found:
            undecided = True
        else:
            return False
    return None if undecided else True


def _entries(text: str) -> tuple[str, str, tuple[str, ...]] | None:
    """The opening and closing bracket ("" for a bare list) and the entries; None for what is no list."""
    opening = next((bracket for bracket in _LIST_ENDS if text.startswith(bracket)), "")
    closing = next((bracket for bracket in (r"\}", ")", "]") if text.endswith(bracket)), "")
    if opening and closing and _depths_close_last(text):
        parts = _split(text[len(opening) : -len(closing)])
        return (opening, closing, parts) if len(parts) > 1 or opening != "(" else None
    parts = _split(text)
    return ("", "", parts) if len(parts) > 1 else None


def _depths_close_last(text: str) -> bool:
    """Whether the first bracket is closed by the last, so that they stand around the whole."""
    depth = 0
    for bracket in _BRACKET.finditer(text):
        depth += 1 if bracket.group()[-1] in "([{" else -1
        if depth == 0:
            return bracket.end() == len(text)
    return False


def _split(text: str) -> tuple[str, ...]:
    """`text` at its commas outside brackets; at none that stands between thousands."""
    parts, depth, start = [], 0, 0
    for mark in re.compile(r"\\[{}]|[()\[\]{},]").finditer(text):
        if mark.group() == ",":
            if depth == 0 and quantity(text[start:]) is None:
                parts.append(text[start : mark.start()])
                start = mark.end()
        else:
            depth += 1 if mark.group()[-1] in "([{" else -1
    parts.append(text[start:])
    return tuple(part.strip() for part in parts)
