"""Writing to the terminal: text for people, JSON for machines."""

import sys
from collections.abc import Mapping
from typing import Any

import orjson
from rich.console import Console

from bakeoff.errors import BakeoffError


def stdout() -> Console:
    """A console for results. Markup in the text is never interpreted."""
    return Console(markup=False, highlight=False, emoji=False)


def stderr() -> Console:
    """A console for progress and remarks."""
    return Console(stderr=True, markup=False, highlight=False, emoji=False)


def print_names(described: Mapping[str, str], *, width: int = 0, indent: str = "") -> None:
    """A line for each name, with what it is; plain text, for pipes. Names take `width`, or what they need."""
    width = width or max(map(len, described), default=0)
    for name, description in described.items():
        print(f"{indent}{name:<{width}}  {description}")  # noqa: T201


def print_json(value: Any) -> None:
    """`value` as indented JSON on standard output."""
    sys.stdout.buffer.write(
        orjson.dumps(
            value,
            option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS,
            default=_plain,
        )
    )
    sys.stdout.flush()


def _plain(value: Any) -> Any:
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    return str(value)


def check_reveal(json: bool) -> None:
    """Refuse to reveal the texts of a private task anywhere but on a terminal.

    Raises:
        BakeoffError: the output is JSON, or goes to a file or a pipe.
    """
    if json or not sys.stdout.isatty():
        raise BakeoffError(
            "--reveal shows the texts of a private task on a terminal only",
            "leave out --json, and do not send the output to a file or a pipe",
        )


def percent(value: float | None) -> str:
    """A share as a percentage with one decimal, or a dash."""
    return "–" if value is None else f"{100 * value:.1f}"


def duration(seconds: float | None) -> str:
    """Seconds in the unit that reads best."""
    if seconds is None:
        return "–"
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s"
