"""Which choice is the right one."""

import string
from typing import Any

LETTERS = string.ascii_uppercase


def resolve_choice(value: Any, choices: tuple[str, ...], *, typed: bool = True) -> int:
    """The index of the choice that `value` names: an index from 0, a letter, or the choice's text.

    A number is always an index. A text is looked up as a choice's text, as a letter, then as an index in
    digits. Where two readings disagree nothing is guessed: with the choices "B", "A", the target "A" is an
    error. Digits that are a choice's text are that text, unless the file has texts only (`typed` False).

    Raises:
        LookupError: no such choice, or more than one reading.
    """
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise LookupError(f"{value!r:.60} names no choice")
    if isinstance(value, int):
        if not 0 <= value < len(choices):
            raise LookupError(f"there is no choice {value}: {len(choices)} choices count from 0")
        return value
    readings = {}
    if value in choices:
        readings["text"] = choices.index(value)
    if len(value) == 1 and (index := LETTERS.find(value)) != -1:
        if index < len(choices):
            readings["letter"] = index
        elif not readings:
            raise LookupError(
                f"the letter {value} is beyond the {len(choices)} choices (A to {LETTERS[len(choices) - 1]})"
            )
    if value.isascii() and value.isdigit() and ("text" not in readings or not typed):
        if int(value) < len(choices):
            readings["index"] = int(value)
        elif not readings:
            raise LookupError(f"there is no choice {value}: {len(choices)} choices count from 0")
    if not readings:
        shown = ", ".join(repr(choice) for choice in choices)
        raise LookupError(f"{value!r:.60} is not among the choices {shown:.200}")
    if len(set(readings.values())) > 1:
        ways = " and ".join(f"as {way} choice {index}" for way, index in readings.items())
        raise LookupError(f"{value!r} can be read {ways}")
    return next(iter(readings.values()))
