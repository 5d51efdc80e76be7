"""A written decimal number, read by a convention that the task can state."""

import re
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

from bakeoff.score.extract.characters import plain

Mark = Literal[".", ","]

_LONGEST = 60
"""Characters. No number or amount of an invoice is longer."""


def number_of(value: Any, mark: Mark = ".") -> Fraction | None:
    """The exact value of a JSON number, or of a text that is one number; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str):
        return _of_text(value, mark) if len(value) <= _LONGEST else None
    # By its shortest decimal: 0.1 is a tenth, as the text "0.1" is.
    return Fraction(repr(value))


@lru_cache(maxsize=4096)
def _of_text(text: str, mark: Mark) -> Fraction | None:
    text = plain(text.strip())
    sign, digits = (text[:1], text[1:].lstrip()) if text[:1] in ("-", "+") else ("", text)
    found = read_decimal(digits, mark)
    return -found if found is not None and sign == "-" else found


def read_decimal(digits: str, mark: Mark) -> Fraction | None:
    """The value of ASCII digits with separators of thousands and a decimal mark; None if they are not that.

    `mark` settles what could be either: 1,204 is 1204 with ".", and 1.204 with ",". What can only be read in
    the other convention is (1.204,50). Spaces and apostrophes also separate thousands, and Indian groups
    (12,34,567) are read.
    """
    other: Mark = "," if mark == "." else "."
    for point, thousands in ((mark, other), (other, mark)):
        match = _pattern(point, thousands).fullmatch(digits)
        if match is not None:
            whole = re.sub(r"\D", "", match[1])
            return Fraction(f"{whole}.{match[2]}" if match[2] else whole)
    return None


@lru_cache(maxsize=2)
def _pattern(point: str, thousands: str) -> re.Pattern[str]:
    by_three = rf"[1-9]\d{{0,2}}(?:[{thousands}' \u00a0]\d{{3}})+"
    indian = rf"[1-9]\d?(?:[{thousands}]\d\d)+[{thousands}]\d{{3}}"
    return re.compile(rf"({by_three}|{indian}|\d+)(?:[{point}](\d+))?", re.ASCII)
