"""Writing to the terminal: text for people, JSON for machines, and nothing a model can smuggle in."""

import re
import sys
from typing import Any

import orjson
from rich.console import Console

# Escape sequences could move the cursor or rename the window; bidirectional controls and zero-width
# characters could make text read as something else. Both are shown instead of sent.
_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def visible(text: str) -> str:
    """`text` with control, bidirectional and zero-width characters spelt out; line ends and tabs stay."""
    safe = _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text.replace("\r\n", "\n"))
    return safe.encode("utf-8", "backslashreplace").decode()


def stdout() -> Console:
    """A console for results. Markup in the text is never interpreted."""
    return Console(markup=False, highlight=False, emoji=False)


def stderr() -> Console:
    """A console for progress and remarks."""
    return Console(stderr=True, markup=False, highlight=False, emoji=False)


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
