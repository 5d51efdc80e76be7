"""Markdown, LaTeX and HTML around an answer. What is blanked becomes spaces, so offsets stay true."""

import re
from collections.abc import Iterator

_PLAIN_MARKS = re.compile(
    r"(?<!\d)\*\*|\*\*(?!\d)|__|~~|`+|\\[()\[\]]|\\(?:left|right|displaystyle)(?![A-Za-z])|</?(?:b|i|u|em|strong|code|p|span|sup)>"
    r"|<br\s?/?>",
    re.IGNORECASE,
)
_ANY_MARK = re.compile(r"[*_`~\\<]")
_ITALIC = re.compile(
    r"(?<![A-Za-z0-9_À-ɏ\u0370-\u04ff*])\*(?=[^\s*])([^*\n]{0,80}[^\s*])\*(?![A-Za-z0-9_À-ɏ\u0370-\u04ff*])"
)
_TEXT_COMMAND = re.compile(
    r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|mathsf|boldsymbol|bm|operatorname|mbox|bold)\s{0,2}"
    r"\{([^{}]{0,200})\}"
)
_MARKED_START = re.compile(r"\\f?box(?:ed)?\s{0,2}\{|<(answer|final_answer|solution)>", re.IGNORECASE)
_LONGEST_MARKED = 500
_BRACE = re.compile(r"[{}]")


def blank_markup(text: str) -> str:
    """`text` with emphasis, code marks, math delimiters and `\\text{…}` wrappers as spaces; contents stay.

    A single `*` is emphasis only around words: `3*4*5` and `10**5` stay.
    """
    if "\\" in text:
        text = _TEXT_COMMAND.sub(_keep_inside, text)
    if _ANY_MARK.search(text) is not None:
        text = _PLAIN_MARKS.sub(lambda match: " " * len(match.group()), text)
        if "*" in text:
            text = _ITALIC.sub(_keep_inside, text)
    return text


def marked_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the contents of each `\\boxed{…}` and `<answer>…</answer>` lie, in order.

    Unclosed ones are left out, and contents longer than 500 characters: no answers, and this stays linear.
    """
    if "box" not in text and "<" not in text:
        return
    for opening in _MARKED_START.finditer(text):
        start = opening.end()
        if opening.group(1):
            end = text.find("<", start, start + _LONGEST_MARKED)
            end = end if text.startswith("</", end) else -1
        else:
            end = _closing_brace(text, start)
        if end >= 0:
            yield start, end


def _closing_brace(text: str, start: int) -> int:
    depth = 1
    for brace in _BRACE.finditer(text, start, start + _LONGEST_MARKED):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return brace.start()
    return -1


def _keep_inside(match: re.Match[str]) -> str:
    before = match.start(1) - match.start()
    after = match.end() - match.end(1)
    return " " * before + match.group(1) + " " * after
