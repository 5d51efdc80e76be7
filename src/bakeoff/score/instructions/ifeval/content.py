"""Placeholders and postscripts."""

import re

_POSTSCRIPTS = {"P.P.S": r"p\.\s?p\.\s?s", "P.S.": r"p\.\s?s\."}


def number_placeholders(text: str, *, num_placeholders: int) -> bool:
    """At least so many `[placeholders]`, each on one line."""
    return sum(map(_brackets, text.split("\n"))) >= num_placeholders


def postscript(text: str, *, postscript_marker: str) -> bool:
    """The marker occurs, in capitals or not and with or without spaces after its first periods."""
    marker = postscript_marker.strip()
    pattern = _POSTSCRIPTS.get(marker, re.escape(marker.lower()))
    return re.search(pattern, text.lower()) is not None


def _brackets(line: str) -> int:
    """Pairs of square brackets, from left to right; a second opening one inside a pair is not another."""
    count, start = 0, 0
    while (opening := line.find("[", start)) >= 0 and (closing := line.find("]", opening)) >= 0:
        count, start = count + 1, closing + 1
    return count
