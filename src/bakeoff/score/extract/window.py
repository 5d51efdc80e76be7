"""How much of a very long answer is searched."""

from typing import Literal

LONGEST = 200_000
"""Characters. A text of a million tokens in a loop must not cost minutes; the answer stands at its end."""


def window(text: str, take: Literal["first", "last"]) -> tuple[str, int]:
    """The end of `text` that `take` asks for, and its offset in `text`."""
    if len(text) <= LONGEST:
        return text, 0
    return (text[:LONGEST], 0) if take == "first" else (text[-LONGEST:], len(text) - LONGEST)
