"""The label of the choice an answer names."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

from bakeoff.score.extract.characters import plain
from bakeoff.score.extract.extraction import Extraction, Nothing
from bakeoff.score.extract.label_rules import (
    CUE,
    LOOKALIKES,
    OPENING,
    OPTION,
    Labels,
    Rules,
    labels_of,
    rules_for,
)
from bakeoff.score.extract.markup import blank_markup, marked_spans
from bakeoff.score.extract.phrases import words
from bakeoff.score.extract.window import window

_LONG = 200
"""Characters. In a longer text a lone letter is a variable, a unit or a name."""


def extract_label(
    text: str,
    choices: Sequence[str],
    *,
    labels: Labels = "letters",
    take: Literal["first", "last"] = "last",
) -> Extraction | Nothing:
    """The label of the one of `choices` that `text` names; `Extraction.text` is the label ("B").

    Explicit forms, in this order: nothing but the label; `\\boxed{B}` and `<answer>B</answer>`; "the answer
    is B" or the choice's own text there, "I choose B", in any language of `phrases`; "B is correct"; a line
    that is a label, alone or with its choice's text, if all such lines name the same; a text that opens with
    a label; nothing but a choice's text. Of several of one form the last counts: models correct themselves.
    With `take="first"` the first counts, and a first line that is a label comes before announcements: base
    models answer and run on into questions of their own.

    Without any, a label that opens a line, stands in brackets or, in a short text, alone, is weak, and counts
    only if it is the only one (in the last line, else in the whole text). "A" and "I" are words unless they
    cannot be. A label that the item does not have is no answer, nor are two at once. Of texts beyond 200,000
    characters only the last (or first) of them are read.
    """
    end_of_text, offset = window(text, take)
    found = _found_in(end_of_text, choices, labels, take)
    if offset == 0 or isinstance(found, Nothing):
        return found
    return replace(found, start=offset + found.start, end=offset + found.end)


def _found_in(
    text: str, choices: Sequence[str], labels: Labels, take: Literal["first", "last"]
) -> Extraction | Nothing:
    readable = blank_markup(plain(text)).replace("$", " ")
    context = _Context(text, readable, choices, labels_of(len(choices), labels), rules_for(labels))
    forms = _FORMS if take == "last" else (_first_line, *_FORMS)
    for form in forms:
        found = list(form(context))
        if found:
            return _settled(context, found[0] if take == "first" else found[-1])
    return _weak(context)


@dataclass(frozen=True, slots=True)
class _Context:
    text: str
    readable: str
    choices: Sequence[str]
    known: tuple[str, ...]
    rules: Rules


@dataclass(frozen=True, slots=True)
class _Found:
    """A label as written (it may not exist), or two (`also`), found by one form."""

    label: str
    how: str
    start: int
    end: int
    also: str = ""


_NEXT_WORD = re.compile(r"\s+([^\W\d_]+)")
_BECAUSE = re.compile(rf"(?:{words('because')})", re.IGNORECASE)
_EDGES = " \t\n\r\"'.,;:!?()[]{}*。、"


def _whole(context: _Context) -> Iterator[_Found]:
    if len(context.readable) < 80 and (match := context.rules.whole.match(context.readable)):
        yield _of(match, "the whole text")


def _marked(context: _Context) -> Iterator[_Found]:
    text = plain(context.text)
    for start, end in marked_spans(text):
        inside = replace(context, readable=blank_markup(text[start:end]).replace("$", " "))
        forms = (form(inside) for form in (_whole, _opens, _choice_text, _announced))
        if (found := next(chain.from_iterable(forms), None)) is not None:
            yield replace(found, how="marked as the answer", start=start + found.start, end=start + found.end)


def _announced(context: _Context) -> Iterator[_Found]:
    """Labels announced; else choices announced by their text; else labels that do not exist."""
    named: list[_Found] = []
    strange: list[_Found] = []
    any_label = False
    for cue in CUE.finditer(context.readable):
        found = _after(context, cue.end())
        if found is None:
            continue
        if found.how == _BY_TEXT:
            named.append(found)
        elif found.label.translate(LOOKALIKES).upper() in context.known:
            any_label = True
            yield found
        elif found.label.isupper() or found.label.isdigit():
            strange.append(found)
    if not any_label:
        yield from named or strange


def _after(context: _Context, cue_end: int) -> _Found | None:
    """What an announcement announces: a choice by its text, which may begin like a label, or a label."""
    text = context.readable
    starts = _starts(text, cue_end)
    if (named := _choice_at(context, *starts)) is not None:
        return named
    for start in starts:
        match = context.rules.after_cue.match(text, start)
        if match and _is_label(context, match):
            other = context.rules.another.match(text, match.end())
            also = other["label"] if other and _is_label(context, other) else ""
            return _of(match, "announced", also if also != match["label"] else "")
    return None


def _starts(text: str, cue_end: int) -> list[int]:
    """Where the announced may begin, the furthest first: behind "the option", and at each word of it, for a
    word may itself be the label ("la A")."""
    starts: list[int] = []
    word = OPENING.match(text, cue_end)
    while word is not None and len(starts) < 5:
        starts.insert(0, word.end())
        word = OPTION.match(text, word.end())
    return starts


def _called_correct(context: _Context) -> Iterator[_Found]:
    found = []
    for match in context.rules.correct.finditer(context.readable):
        label = match["label"] or match["line"]
        if label in context.known and (match["line"] or match["noun"] or _is_label(context, match)):
            found.append((label, match.end()))
    if found:
        label, end = found[-1]
        others = {other for other, _ in found} - {label}
        yield _Found(label, "called correct", end - 1, end, ", ".join(sorted(others)))


def _own_lines(context: _Context) -> Iterator[_Found]:
    """Lines that are a label, alone or with the text of its choice; not where they list several."""
    found = [line for line in _lines(context) if _is_own(context, line)]
    if len({line["label"] for line in found}) == 1:
        yield from (_of(line, "on a line of its own") for line in found)


def _first_line(context: _Context) -> Iterator[_Found]:
    first = next(_lines(context), None)
    if first is not None and not context.readable[: first.start()].strip() and _is_own(context, first):
        yield _of(first, "on the first line")


def _opens(context: _Context) -> Iterator[_Found]:
    """A text that opens with a label; not the first of several that it goes through."""
    lines = list(_lines(context))
    if lines and not context.readable[: lines[0].start()].strip() and _agree(context, lines):
        yield _of(lines[0], "the text opens with it")


def _lines(context: _Context) -> Iterator[re.Match[str]]:
    """The lines that open with one label of the item: "B", "B. Paris", "(B) Paris"; not "A, C"."""
    for line in context.rules.line.finditer(context.readable):
        other = context.rules.another.match(context.readable, line.end("label"))
        if line["label"] in context.known and not (other and other["label"] in context.known):
            yield line


def _agree(context: _Context, lines: list[re.Match[str]]) -> bool:
    """Whether all lines, and all labels in brackets, name the same."""
    return (
        len({match["label"] for match in (*lines, *context.rules.bracketed.finditer(context.readable))}) == 1
    )


def _is_own(context: _Context, line: re.Match[str]) -> bool:
    rest = _bare_words(line["rest"] or "")
    return not rest or rest == _bare_words(plain(context.choices[context.known.index(line["label"])]))


def _choice_text(context: _Context) -> Iterator[_Found]:
    longest = max(map(len, context.choices), default=0)
    if len(context.readable) > longest + 40:
        return
    said = _bare_words(context.readable)
    same = [i for i, choice in enumerate(context.choices) if said and _bare_words(plain(choice)) == said]
    if len(same) == 1:
        length = len(context.readable.rstrip())
        yield _Found(context.known[same[0]], "the whole text is this choice's", 0, length)


def _choice_at(context: _Context, *starts: int) -> _Found | None:
    """The choice whose text is written at one of `starts`; the longest, if it is no label itself."""
    best: _Found | None = None
    for start in starts:
        while start < len(context.readable) and context.readable[start] in " \t\n\"'([:*":
            start += 1
        for index, choice in enumerate(context.choices):
            text = plain(choice).strip(_EDGES)
            if not text or text.upper() in context.known:
                continue
            end = start + len(text)
            follows = context.readable[end : end + 1]
            written = context.readable[start:end].casefold() == text.casefold() and not follows.isalnum()
            if written and (best is None or end - start > best.end - best.start):
                best = _Found(context.known[index], _BY_TEXT, start, end)
    return best


def _weak(context: _Context) -> Extraction | Nothing:
    """A label that nothing announces: it must be the only one."""
    text, rules = context.readable, context.rules
    lines = list(_lines(context))
    if lines and _agree(context, lines):
        return Extraction(
            lines[0]["label"], "fallback", "the only label that opens a line", *lines[0].span("label")
        )
    listed = {line.start("label") for line in lines} if len(lines) > 1 else set()
    seen = {line["label"] for line in lines}
    for where, begin in (("in the last line", text.rstrip().rfind("\n") + 1), ("in the text", 0)):
        # Where there is mathematics, a lone letter is a variable; a lone number is a number anywhere.
        plain_words = len(text) - begin <= _LONG and not any(sign in text[begin:] for sign in "=\\^")
        bare = rules.bare.finditer(text, begin) if plain_words and rules.bare is not None else ()
        for what, matches in (
            ("in brackets", rules.bracketed.finditer(text, begin)),
            ("alone", (match for match in bare if _is_label(context, match))),
        ):
            known = (match for match in matches if match["label"] in context.known)
            found = [match for match in known if match.start("label") not in listed]
            distinct = {match["label"] for match in found}
            if len(distinct) == 1:
                how = f"the only label {what} {where}"
                return Extraction(found[-1]["label"], "fallback", how, *found[-1].span("label"))
            seen |= distinct
    if seen:
        return Nothing(f"ambiguous: it names {', '.join(sorted(seen))} and announces none")
    return Nothing("no choice is named")


def _settled(context: _Context, found: _Found) -> Extraction | Nothing:
    label = found.label.translate(LOOKALIKES).upper()
    if found.also:
        return Nothing(f"ambiguous: it names {found.also} and {label} ({found.how})")
    if label not in context.known:
        return Nothing(f"it names {label}, which is none of the {len(context.known)} choices ({found.how})")
    return Extraction(label, "explicit", found.how, found.start, found.end)


def _is_label(context: _Context, match: re.Match[str]) -> bool:
    """Whether a letter is a label here, not the article "a", the pronoun "I" or another word."""
    label, text = match["label"], context.readable
    if label not in "AIOEYaiАВСЕН" and not label.islower():
        return True
    following = _NEXT_WORD.match(text, match.end("label"))
    if following is None:
        return True
    if label.islower() or label in "АВСЕН":
        return "\n" in text[match.end("label") : following.start(1)]
    if label in context.known:
        own = plain(context.choices[context.known.index(label)]).strip(_EDGES)
        if own and text.startswith(own, following.start(1)):
            return True
    return "\n" in following.group() or _BECAUSE.fullmatch(following.group(1)) is not None


def _of(match: re.Match[str], how: str, also: str = "") -> _Found:
    return _Found(match["label"], how, match.start("label"), match.end("label"), also)


def _bare_words(text: str) -> str:
    return " ".join(text.strip(_EDGES).casefold().split())


_FORMS = (_whole, _marked, _announced, _called_correct, _own_lines, _opens, _choice_text)
_BY_TEXT = "its text announced"
