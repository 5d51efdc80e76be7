"""One spelling for the many ways to write the same LaTeX."""

import re

from bakeoff.score.extract.characters import plain

# Commands bring a space, so that πr becomes \pi r.
_SYMBOLS = str.maketrans(
    {
        "π": r"\pi ",
        "θ": r"\theta ",
        "α": r"\alpha ",
        "β": r"\beta ",
        "λ": r"\lambda ",
        "∞": r"\infty ",
        "∅": r"\emptyset ",
        "±": r"\pm ",
        "×": r"\cdot ",
        "·": r"\cdot ",
        "⋅": r"\cdot ",
        "÷": r"\div ",
        "√": r"\sqrt ",
        "≤": r"\le ",
        "≥": r"\ge ",
        "≠": r"\ne ",
        "≈": r"\approx ",
        "∈": r"\in ",
        "∪": r"\cup ",
        "∩": r"\cap ",
        "ℝ": r"\mathbb{R}",
        "ℤ": r"\mathbb{Z}",
        "°": r"^\circ ",
        "⁄": "/",
        "²": "^2",
        "³": "^3",
        "⁴": "^4",
    }
)
_SAME = {
    r"\dfrac": r"\frac",
    r"\tfrac": r"\frac",
    r"\cfrac": r"\frac",
    r"\dbinom": r"\binom",
    r"\tbinom": r"\binom",
    r"\leq": r"\le",
    r"\leqslant": r"\le",
    r"\geq": r"\ge",
    r"\geqslant": r"\ge",
    r"\neq": r"\ne",
    r"\times": r"\cdot",
    r"\varnothing": r"\emptyset",
    r"\lbrace": r"\{",
    r"\rbrace": r"\}",
    r"\lbrack": "[",
    r"\rbrack": "]",
    r"\%": "%",
}
_NOTHING = re.compile(
    r"\s+|[$~]|\\(?:left|right|[bB]igg?[lr]?|displaystyle|textstyle|quad|qquad|limits|[,!;:$()\[\]\s])"
)
_TEXT = re.compile(
    r"\\(?:text|textbf|textit|textrm|textsf|mathrm|mathbf|mathit|mathsf|mbox|operatorname|boldsymbol|bm|underline)\s{0,2}"
    r"\{([^{}]{0,200})\}"
)
# "15\text{ cm}^2", "5.4 \mbox{ cents}": not the letter of 3 + 2\mathrm{i}.
_UNIT = re.compile(
    r"(?<=[\w}%)])\s*\\(?:text|textrm|mathrm|mbox)\s{0,2}\{\s*(?![ie]\s*\})(?!and\b|or\b)[^{}\d]{1,60}\}"
    r"(?:\s?\^\s?\{?\s?[23]\s?\}?)?[\s.]*\Z"
)
_DEGREES = re.compile(r"\^\s?\{?\s?\\circ\s?\}?(?![A-Za-z])|\s(?:degrees?|deg)\s*\Z")
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[A-Za-z]+|\d+|\s+|.", re.DOTALL)
_COMMAND = re.compile(r"\\[A-Za-z]+")
_ROOT = r"\sqrt"
_ARGUMENTS = {r"\frac": 2, r"\binom": 2, _ROOT: 1}
_ONE_IN_BRACES = re.compile(r"([\^_])\{([^{}\\]|\\[A-Za-z]+)\}")


def tidy(latex: str) -> str:
    """`latex` in one spelling: two answers that differ only in how they are written become equal.

    Delimiters, spacing, `\\left` and `\\right`, text commands and a unit at the end are gone; so are dollar
    and degree signs. `\\frac12` is `\\frac{1}{2}`, `^{2}` is `^2`, "and" is a comma. Nothing is computed.
    """
    text = plain(latex).translate(_SYMBOLS).replace("{,}", ",").strip(" \n\t*`\"'")
    text = _UNIT.sub("", text)
    for _ in range(2):  # one inside another
        text = _TEXT.sub(r" \1 ", text)
    text = _DEGREES.sub("", text.replace(r"\degree", r"^\circ "))
    return _unwrapped(_joined(_braced(_tokens(text)))).rstrip(".,;:").strip()


def _tokens(text: str) -> list[str]:
    """The tokens that mean something; a space where white space stood."""
    parts: list[str] = []
    listed = False
    for match in _TOKEN.finditer(text):
        part = _SAME.get(match.group(), match.group())
        if _NOTHING.fullmatch(part):
            part = " "
        elif part.lower() in ("and", "or"):
            part = ","
        if part != "," or not listed:
            parts.append(part)
        listed = part == "," or (listed and part == " ")
    return parts


def _braced(parts: list[str]) -> list[str]:
    """The same with braces around the arguments of commands that take them, as TeX would read them."""
    out: list[str] = []
    wanted, outer, in_index = 0, list[int](), False
    waiting = parts[::-1]
    while waiting:
        part = waiting.pop()
        if part == "{":
            outer.append(max(0, wanted - 1))
            wanted = 0
        elif part == "}":
            wanted = outer.pop() if outer else 0
        elif wanted and out[-1] == _ROOT and part == "[":
            in_index = True
        elif in_index:
            in_index = part != "]"
        elif wanted and part == " ":
            continue
        elif wanted:
            if part[0] != "\\" and len(part) > 1:
                waiting.append(part[1:])
                part = part[0]
            out += ["{", part, "}"]
            wanted -= 1
            continue
        out.append(part)
        wanted = _ARGUMENTS.get(part, wanted)
    return out


def _joined(parts: list[str]) -> str:
    """The parts as a text, with spaces only where words or numbers would run into one another."""
    out = [""]
    gap = False
    for part in parts:
        if part == " ":
            gap = True
            continue
        before = out[-1]
        runs_on = (
            (before[:1].isalpha() and part.isalpha() and gap)
            or (before[:1].isdigit() and gap and (part[0].isdigit() or (part.isalpha() and len(part) > 1)))
            or (_COMMAND.fullmatch(before) and part.isalpha())
        )
        out += [" ", part] if runs_on else [part]
        gap = False
    return _ONE_IN_BRACES.sub(r"\1\2", "".join(out))


def _unwrapped(text: str) -> str:
    """Without braces around the whole."""
    while text.startswith("{") and text.endswith("}") and "}" not in text[1:-1].replace(r"\}", ""):
        text = text[1:-1]
    return text
