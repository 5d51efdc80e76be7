"""Lists, bullets, lines, brackets, quotation marks and templates (`format`)."""

import re
import string
from itertools import pairwise

from bakeoff.errors import TaskError
from bakeoff.score.instructions.sentences import sentences
from bakeoff.score.instructions.words import bare, treebank_tokens, trimmed

_DEPTH = 5
_QUOTE_DEPTH = 3
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_TEMPLATE = ("My Answer:", "My Conclusion:", "Future Outlook:")
_ITALICS = re.compile(r"<(i|em)>")
_ENDS_OF_ITALICS = re.compile(r"</(i|em)>")
_LETTERED = re.compile(r"\W*[aA]\W*[bB]\W*[cC]\W*")


def parentheses(text: str) -> bool:
    """Brackets of any of the three kinds, five deep and properly closed."""
    open_, deepest = [], 0
    for mark in text:
        if mark in "([{":
            open_.append(mark)
            deepest = max(deepest, len(open_))
        elif mark in ")]}":
            if not open_ or _CLOSING[open_[-1]] != mark:
                open_, deepest = [], 0
                continue
            open_.pop()
            if deepest >= _DEPTH:
                return True
    return False


def quotes(text: str) -> bool:
    """Quotation marks within others, three deep, double and single ones in turn."""
    open_: list[str] = []
    deepest = 0
    for mark in text:
        if open_ and mark == open_[-1]:
            open_.pop()
            if deepest - len(open_) >= _QUOTE_DEPTH:
                return True
        elif mark in "\"'":
            open_.append(mark)
            deepest = max(deepest, len(open_))
    return False


def options(text: str, *, options: str) -> bool:
    """One of the options and nothing else.

    The options stand in one text, with `/`, "or" or commas between them. Lettered ones (`a), b), c)`) must be
    given to the letter; of others neither case nor outer marks matter.
    """
    separator = "/" if "/" in options else "or" if "or" in options else ","
    allowed = [option.strip() for option in options.split(separator)]
    if _LETTERED.match(options):
        return text in allowed
    return trimmed(text).lower() in {trimmed(option).lower() for option in allowed}


def newline(text: str) -> bool:
    """One word a line."""
    words = bare(text).strip()
    return sum(1 for line in words.split("\n") if line) == len(words.split())


def emoji(text: str) -> bool:
    """Every sentence ends with an emoji, or the next begins with one.

    Raises:
        TaskError: emoji is not installed.
    """
    said = [bare(sentence).strip() for sentence in sentences(text)]
    if not said or not all(said):
        return False
    for sentence, following in zip(said, [*said[1:], ""], strict=True):
        # The last character may be a variation selector.
        if not any(map(_is_emoji, (*sentence[-2:], *following[:1]))):
            return False
    return True


def line_indent(text: str) -> bool:
    """Each line is indented by more spaces than the one before. Blank lines do not count.

    All of them: the published checker forgets every second one.
    """
    indents = [len(line) - len(line.lstrip(" ")) for line in text.split("\n") if line.strip()]
    return all(left < right for left, right in pairwise(indents))


def list_(text: str, *, sep: str) -> bool:
    """The mark that stands for bullets occurs twice or more."""
    return text.count(sep) >= 2


def thesis(text: str) -> bool:
    """Something in HTML italics, and text after it."""
    opening = _ITALICS.search(text)
    closing = opening and _ENDS_OF_ITALICS.search(text, opening.end())
    if not opening or not closing:
        return False
    return bool(text[opening.end() : closing.start()].strip() and text[closing.end() :].strip())


def sub_bullets(text: str) -> bool:
    """A `-` after each `*` and before the next. No bullets, no duty."""
    return all("-" in part for part in text.split("*")[1:])


def no_bullets_bullets(text: str) -> bool:
    """Two sentences or more, then two lines or more that begin with `*`, and nothing else.

    Blank lines are nothing: the published checker fails on one between bullets, or between paragraphs.
    """
    count, bullets = 0, 0
    for line in filter(None, map(str.strip, text.split("\n"))):
        if line.startswith("*"):
            bullets += 1
            if count < 2:
                return False
        elif bullets:
            return False
        else:
            count += len(sentences(line))
    return bullets >= 2


def quote_unquote(text: str) -> bool:
    """Something unquoted follows every quotation: no two `"` in a row, and none at the end."""
    said = "".join(text.replace("“", '"').replace("”", '"').replace("'\"'", "").split())
    marks = string.digits + string.punctuation.replace('"', "")
    return '""' not in said and not said.strip(marks).endswith('"')


def title_case(text: str) -> bool:
    """No word is in small letters alone, or begins with a small letter before capitals."""
    return not any(_is_small(token) for token in treebank_tokens(text) if token[0].isalpha())


def output_template(text: str) -> bool:
    """The three headings of the template occur."""
    return all(heading in text for heading in _TEMPLATE)


def no_whitespace(text: str) -> bool:
    """No white space."""
    return not any(character.isspace() for character in text)


def _is_small(word: str) -> bool:
    rest = word[1:]
    return word[0].islower() and (not rest or rest.islower() or rest.isupper())


def _is_emoji(character: str) -> bool:
    try:
        from emoji import is_emoji
    except ModuleNotFoundError as error:
        raise TaskError("the ifeval scorer needs emoji to know emoji", "Install bakeoff[score].") from error
    return is_emoji(character)
