"""The settings of an engine, as a user wrote them: checked by name and by value."""

from collections.abc import Mapping
from difflib import get_close_matches

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
