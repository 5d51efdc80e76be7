"""One reading of written numbers, for gold answers and for predictions alike."""

import re
from fractions import Fraction

_LONGEST = 400
"""Digits. Nothing longer is an answer, and Python itself refuses to read 4,300."""
_LARGEST_EXPONENT = 400

_CURRENCY = r"(?:\\?\$|[€£¥￥₹₩₽]|(?:US|A|C|HK|NT)\$|R\$|(?:USD|EUR|GBP|CHF|JPY|INR|Rs\.?|RM)(?=[\s\d]))"
# Thousands: 1,234  1.234.567  1'234  1 234 (any space)  1{,}234 and 1\,234 (LaTeX)  12,34,567 (Indian).
# A single point or a comma not followed by three digits is a decimal mark.
_GROUPED = (
    r"[1-9]\d{0,2}(?:(?:,\\!|\{,\}|\\,|,)\d{3})++(?:\.\d++)?(?![,']?\d)"
    r"|[1-9]\d{0,2}(?:\.\d{3})++,\d++(?![.,]?\d)"
    r"|[1-9]\d{0,2}(?:\.\d{3}){2,}+(?![.,]?\d)"
    r"|[1-9]\d{0,2}(?:'\d{3})++(?:[.,]\d++)?(?!['.,]?\d)"
    r"|[1-9]\d{0,2}(?:[ \u00a0]\d{3})++(?:[.,]\d++)?(?![.,]?\d)"
    r"|[1-9]\d?(?:,\d{2}(?!\d))++,\d{3}(?:\.\d++)?(?![.,]?\d)"
)
_DECIMAL = rf"(?:{_GROUPED}|(?<!\d,)\d++,\d++(?![,']?\d)|\d++(?:\.\d++)?|\.\d++)"
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_POWER = (
    r"(?:[eE](?P<e>[-+]?\d{1,6})(?![\w.])"
    r"|[ \u00a0]?(?:×|x|\*|·|⋅|\\times|\\cdot)\s?10(?:\s?(?:\^|\*\*)\s?\{?(?P<ten>[-+]?\d{1,6})\}?"
    rf"|(?P<super>[⁻⁺]?[{_SUPERSCRIPTS}]{{1,6}})))"
)
_VULGAR = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"
_FRACTION = (
    r"(?:(?P<whole>\d{1,9})(?:[ \u00a0]{0,2}(?=\\)|[ \u00a0]{1,2}))?"
    r"(?:\\[dtc]?frac\s?(?:\{\s?(?P<top>[-+]?\d++(?:\.\d++)?)\s?\}|(?P<top1>\d))"
    r"\s?(?:\{\s?(?P<bottom>\d++(?:\.\d++)?)\s?\}|(?P<bottom1>\d))"
    r"|(?<![\d/.,])(?P<over>\d++)\s?[/⁄∕]\s?(?P<under>\d++)(?![\d/]|[.,]\d))"
)

NUMERAL = re.compile(
    r"(?<![A-Za-zÀ-ɏ\u0370-\u04ff0-9_^\\])(?<!\d\.)(?<!\d')(?<!(?<!#)#)"
    rf"(?P<sign>(?<![\)\]\}}%])[-+](?:\s?{_CURRENCY}\s?)?|(?<![\)\]\}}%])[-+](?=\\[dtc]?frac|\.?\d))?"
    rf"(?:{_FRACTION}|(?P<mixed>\d{{1,9}})?\s?(?P<vulgar>[{_VULGAR}])|(?P<decimal>{_DECIMAL}){_POWER}?)"
)
"""One number in a text that went through `characters.plain`."""


def value_of(match: re.Match[str]) -> Fraction | None:
    """The exact value of a `NUMERAL` match; None where it has none (n/0) or is absurdly long."""
    if len(match.group()) > _LONGEST:
        return None
    value = _magnitude(match)
    sign = match["sign"]
    return -value if value is not None and sign and sign[0] == "-" else value


def _magnitude(match: re.Match[str]) -> Fraction | None:
    if (vulgar := match["vulgar"]) is not None:
        return int(match["mixed"] or 0) + _VULGAR_VALUES[vulgar]
    if (decimal := match["decimal"]) is None:
        top = match["over"] or match["top"] or match["top1"]
        bottom = Fraction(match["under"] or match["bottom"] or match["bottom1"])
        return None if bottom == 0 else int(match["whole"] or 0) + Fraction(top) / bottom
    exponent = match["e"] or match["ten"] or (match["super"] or "").translate(_FROM_SUPERSCRIPT)
    if not exponent:
        return Fraction(int(decimal) if decimal.isdecimal() else _pointed(decimal))
    if abs(int(exponent)) > _LARGEST_EXPONENT:
        return None
    return Fraction(_pointed(decimal)) * Fraction(10) ** int(exponent)


def _pointed(decimal: str) -> str:
    """The digits with a decimal point and without separators of thousands."""
    digits = re.sub(r"[' \u00a0{}\\!]", "", decimal)
    if "," in digits and "." in digits:
        thousands, mark = (".", ",") if digits.rindex(",") > digits.rindex(".") else (",", ".")
        return digits.replace(thousands, "").replace(mark, ".")
    if "," in digits:
        grouped = re.fullmatch(r"[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d{2})+,\d{3}", digits) is not None
        return digits.replace(",", "" if grouped else ".")
    return digits.replace(".", "") if digits.count(".") > 1 else digits


_FROM_SUPERSCRIPT = str.maketrans("⁻⁺" + _SUPERSCRIPTS, "-+0123456789")
_VULGAR_VALUES = {
    "½": Fraction(1, 2),
    "⅓": Fraction(1, 3),
    "⅔": Fraction(2, 3),
    "¼": Fraction(1, 4),
    "¾": Fraction(3, 4),
    "⅕": Fraction(1, 5),
    "⅖": Fraction(2, 5),
    "⅗": Fraction(3, 5),
    "⅘": Fraction(4, 5),
    "⅙": Fraction(1, 6),
    "⅚": Fraction(5, 6),
    "⅐": Fraction(1, 7),
    "⅛": Fraction(1, 8),
    "⅜": Fraction(3, 8),
    "⅝": Fraction(5, 8),
    "⅞": Fraction(7, 8),
    "⅑": Fraction(1, 9),
    "⅒": Fraction(1, 10),
}
