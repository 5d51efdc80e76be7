"""The same character written in several ways, made one. Lengths never change, so offsets stay true."""

import unicodedata

_SAME = {
    **dict.fromkeys(map(ord, "−‐‑–﹣"), "-"),
    **dict.fromkeys(map(ord, "‘’ʼ′´"), "'"),
    **dict.fromkeys(map(ord, "“”„‟«»「」『』"), '"'),
    ord("【"): "[",
    ord("】"): "]",
    ord("٫"): ".",  # Arabic decimal separator
    ord("٬"): ",",  # Arabic thousands separator
    ord("，"): "，",  # separates clauses and list entries, never thousands
    0x3000: " ",
}


class _Characters(dict[int, str]):
    """A translation table that fills itself."""

    def __missing__(self, code: int) -> str:
        self[code] = found = _SAME.get(code) or _ascii(chr(code))
        return found


def plain(text: str) -> str:
    """`text` with digits of every script, full-width letters, minus signs and quotes in ASCII.

    Spaces that can separate thousands (no-break, narrow, thin, figure) all become U+00A0; other spaces and
    invisible characters become a space. Superscripts and vulgar fractions are left as they are.
    """
    return text if text.isascii() else text.translate(_TABLE)


def _ascii(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Nd":
        return str(unicodedata.decimal(char))
    if category == "Zs" and char != " ":
        return "\u00a0"
    if category == "Cf":
        return " "
    folded = unicodedata.normalize("NFKC", char)
    is_letter_or_mark = (
        len(folded) == 1 and folded.isascii() and not folded.isdigit() and folded.isprintable()
    )
    return folded if is_letter_or_mark else char


_TABLE = _Characters()
