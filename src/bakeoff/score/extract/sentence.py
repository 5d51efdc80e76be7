"""The sentences of an answer, by rule: no model that drops or merges some."""

import re

# A sentence ends with its line, or at a mark with a space behind it that is not that of "Mr." or an initial.
_NO_END = r"(?<!\b[A-Z]\.)(?<!\b(?:Mr|Dr|Ms|St|vs)\.)(?<!\b(?:Mrs|e\.g|i\.e)\.)"
_SENTENCE = re.compile(rf"[^\s.!?。！？][^\n]*?(?:(?<![.!?])[.!?]++(?=[\s\"')\]]){_NO_END}|[。！？]++|\n|\Z)")
_BULLET = re.compile(r"^[ \t]{0,8}(?:[-*•]|\d{1,3}[.)])[ \t]+", re.MULTILINE)


def sentences(text: str) -> tuple[str, ...]:
    """The sentences in order, without the bullets and numbers of list items; a line's end ends one too.

    Scripts without spaces between words are parted at 。！？.
    """
    return tuple(match.group().strip() for match in _SENTENCE.finditer(_BULLET.sub("", text)))
