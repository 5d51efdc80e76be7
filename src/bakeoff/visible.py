"""Text of unknown origin, made safe to show: nothing a model can smuggle in."""

import re

# Escape sequences could move the cursor or rename the window; bidirectional controls and zero-width
# characters could make text read as something else. Both are shown instead of sent.
_UNSAFE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\ufffe\uffff"
    r"\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """`text` with control, bidirectional and zero-width characters spelt out; line ends and tabs stay."""
    safe = _UNSAFE.sub(_spelt_out, text.replace("\r\n", "\n"))
    return safe.encode("utf-8", "backslashreplace").decode()


def _spelt_out(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
