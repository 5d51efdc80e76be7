"""How wide a text is on the screen, without its font."""

import unicodedata

SIZE = 12.0
"""Pixels: the size of text in a chart."""
_NARROW, _WIDE = frozenset("iljtfrI.,:;'|!()[] -"), frozenset("mwMWO@%QGÆŒ—…")


def width(text: str, size: float = SIZE) -> float:
    """Pixels that `text` takes in the usual fonts of a system, rather too many than too few."""
    return size * sum(map(_ems, text))


def shortened(text: str, most: float) -> str:
    """`text`, cut to `most` pixels with an ellipsis where it is longer."""
    if width(text) <= most:
        return text
    kept = len(text)
    while kept and width(text[:kept]) + SIZE > most:
        kept -= 1
    return f"{text[:kept].rstrip()}…"


def _ems(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.1
    if letter in _NARROW:
        return 0.42
    return 1.0 if letter in _WIDE else 0.68
