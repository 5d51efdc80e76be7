"""What labels look like, and where they stand: the compiled forms that `letter` reads."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from bakeoff.score.extract.phrases import ANNOUNCEMENT, words

Labels = Literal["letters", "numbers"]
"""How the choices were labelled to the model: A, B, C… or 1, 2, 3…"""


@lru_cache(maxsize=64)
def labels_of(count: int, kind: Labels) -> tuple[str, ...]:
    """The labels of `count` choices. Raises ValueError for more choices than letters."""
    if kind == "numbers":
        return tuple(str(number) for number in range(1, count + 1))
    if count > 26:
        raise ValueError(f"there are 26 letters and {count} choices")
    return tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:count])


@dataclass(frozen=True, slots=True)
class Rules:
    """The compiled forms for one kind of label. In each, `label` is the label.

    `whole`: a text that is nothing else. `after_cue`: directly after an announcement. `another`: a second one
    after the first. `correct`: called correct (or `line`: it opens the line that does so). `line`: a line
    that opens with it, and the `rest`. `bracketed`; `bare`: alone among words.
    """

    whole: re.Pattern[str]
    after_cue: re.Pattern[str]
    another: re.Pattern[str]
    correct: re.Pattern[str]
    line: re.Pattern[str]
    bracketed: re.Pattern[str]
    bare: re.Pattern[str] | None


# What may stand directly before and after a label. CJK characters may: 答案是B选项.
_BEFORE = r"(?<![A-Za-z0-9_À-ɏ\u0370-\u04ff'°\\-])"
_AFTER = r"(?![A-Za-z0-9_À-ɏ\u0370-\u04ff+#]|'[A-Za-z]|-[A-Za-z]|\.[A-Za-z0-9])"
_DENIED = r"\s(?:is|was|ist|est|es)\s(?:not|n't|wrong|incorrect|false|nicht|falsch|incorrecta|incorrecte)"
_OPEN = r"[\s\"'(\[{<:=*#>→-]"
_CLOSE = r"[\s\"')\]}>*]"

CUE = re.compile(rf"{ANNOUNCEMENT}|{words('choose')}", re.IGNORECASE | re.MULTILINE)
OPTION = re.compile(rf"(?:{words('option')}){_OPEN}{{0,8}}", re.IGNORECASE)
OPENING = re.compile(rf"{_OPEN}{{0,16}}")
# Cyrillic capitals that look like labels and are written for them.
LOOKALIKES = str.maketrans("АВСЕН", "ABCEH")


@lru_cache(maxsize=2)
def rules_for(kind: Labels) -> Rules:
    """The forms for one kind of label, compiled once."""
    anywhere = r"(?P<label>[A-Za-zАВСЕН])" if kind == "letters" else r"(?P<label>\d{1,2})"
    capital = r"(?P<label>[A-Z])" if kind == "letters" else r"(?P<label>\d{1,2})"
    conjunction = rf"(?:,\s?)?(?:{words('or_')}|[,/&])"
    noun = rf"(?:{words('option')}|[(\[])"

    def form(pattern: str, flags: int = 0) -> re.Pattern[str]:
        return re.compile(pattern, flags)

    return Rules(
        whole=form(rf"{_OPEN}{{0,12}}{anywhere}[\s\"')\]}}.,:;!>*。]{{0,12}}\Z"),
        after_cue=form(rf"{anywhere}{_AFTER}(?!\s?[=^_≈])"),
        another=form(
            rf"{_CLOSE}{{0,3}}\s?(?i:{conjunction})[\s(\[\"']{{0,4}}(?i:(?:{words('option')})\s)?{capital}{_AFTER}"
            r"(?!\s(?:is|was|are|has|ist|est|es|è|é|would)\b)"
            if kind == "letters"
            else rf"{_CLOSE}{{0,3}}\s?(?i:{words('or_')})\s{capital}{_AFTER}"
        ),
        correct=form(
            rf"(?:(?i:(?P<noun>{noun})\s?)?{_BEFORE}{capital}{_AFTER}{_CLOSE}{{0,3}}"
            rf"|^{_OPEN}{{0,8}}(?i:{noun}\s?)?{capital.replace('label', 'line')}[.:)][^\n]{{0,120}}?)"
            rf"\s?(?i:{words('correct')})",
            re.MULTILINE,
        ),
        line=form(
            rf"^[ \t\"'(\[{{<*#>-]{{0,8}}{capital}(?:[ \t\"')\]}}.:>*]{{0,6}}$"
            rf"|(?:\s?[).:]{{1,3}}(?![A-Za-z0-9]\.)|[ \t]-[ \t]|,[ \t])(?P<rest>[^\n]*)$)",
            re.MULTILINE,
        ),
        bracketed=form(rf"(?<![\w\\^}}])(?<!not\s)\(\s?{capital}\s?\)(?!{_DENIED})"),
        # Neither a variable (E = …), nor a unit (2 A).
        bare=form(
            rf"{_BEFORE}(?<![=+/^<>|]\s)(?<!\d\s)(?<!not\s)(?<!not\s\(){capital}{_AFTER}(?!\s?[=+^_<>(*/|]|{_DENIED})"
        )
        if kind == "letters"
        else None,
    )
