"""The settings of an engine, as a user wrote them: checked by name and by value."""

import json
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from bakeoff.errors import ModelError


def check_names(engine: str, settings: Mapping[str, str], known: tuple[str, ...]) -> None:
    """Raise ModelError for the first setting that `engine` does not have, naming the nearest that it has."""
    for name in settings:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            guess = f"Did you mean {near[0]!r}? " if near else ""
            raise ModelError(
                f"the {engine} engine has no setting {name!r}", f"{guess}It has: {', '.join(known)}."
            )


TEMPLATE = "template."
"""What the names of arguments for a chat template begin with (`template.enable_thinking=false`)."""


def template_arguments(settings: Mapping[str, str]) -> tuple[dict[str, str], dict[str, Any]]:
    """`settings` without the arguments for the chat template, and those arguments."""
    return arguments_behind(TEMPLATE, settings)


def arguments_behind(prefix: str, settings: Mapping[str, str]) -> tuple[dict[str, str], dict[str, Any]]:
    """`settings` without those whose names begin with `prefix`, and the values of these by the rest of it.

    A value is `false`, `3` or `["a"]` as JSON says; anything else is the text itself.
    """
    plain = {name: value for name, value in settings.items() if not name.startswith(prefix)}
    arguments = {
        name.removeprefix(prefix): _json_or_text(value)
        for name, value in settings.items()
        if name.startswith(prefix)
    }
    return plain, arguments


def one_of(engine: str, settings: Mapping[str, str], name: str, words: tuple[str, ...]) -> str:
    """The setting `name` as one of a few words; the first is the default."""
    value = settings.get(name, words[0])
    if value not in words:
        raise ModelError(f"the {engine} setting {name} must be one of {', '.join(words)}, got {value!r}")
    return value


def number_or_none(engine: str, settings: Mapping[str, str], name: str, *, least: int = 1) -> int | None:
    """The setting `name` as `whole_number`; None where it is not given."""
    return whole_number(engine, settings, name, least, least=least) if name in settings else None


def whole_number(engine: str, settings: Mapping[str, str], name: str, default: int, *, least: int = 1) -> int:
    """The setting `name` as a whole number of at least `least`."""
    text = settings.get(name, str(default))
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if value < least:
        raise ModelError(
            f"the {engine} setting {name} must be a whole number of at least {least}, got {text!r}"
        )
    return value


def yes_or_no(engine: str, settings: Mapping[str, str], name: str, *, default: bool) -> bool:
    """The setting `name` as a truth value: true, yes, on, 1 or false, no, off, 0."""
    text = settings.get(name, "true" if default else "false").lower()
    if text in ("true", "yes", "on", "1"):
        return True
    if text in ("false", "no", "off", "0"):
        return False
    raise ModelError(f"the {engine} setting {name} must be true or false, got {text!r}")


def _json_or_text(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text
