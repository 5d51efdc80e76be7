"""Text of unknown origin, made safe to show: nothing a model can smuggle in."""

import re

# Escape sequences could move the cursor or rename the window; bidirectional controls and zero-width
# characters could make text read as something else. Both are shown instead of sent.
_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def visible(text: str) -> str:
    """`text` with control, bidirectional and zero-width characters spelt out; line ends and tabs stay."""
    safe = _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text.replace("\r\n", "\n"))
    return safe.encode("utf-8", "backslashreplace").decode()
