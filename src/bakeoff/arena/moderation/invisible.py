"""Text that people do not see and models read."""

import re
from typing import ClassVar, Literal

from bakeoff.arena.moderation.filter import ALLOWED, Verdict
from bakeoff.task.spec import Spec

NO_WIDTH = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2060-\u2065\u206a-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0100-\U000e01ef"
)
"""Letters that leave no mark of their own, as ranges of a pattern. One of them stands between the letters of
Persian, Hindi, Hebrew and emoji; several in a row are only there to hide something.
"""
# The flags of England, Scotland and Wales are a black flag and tags.
_FLAG = re.compile("\U0001f3f4[\U000e0061-\U000e007a]{2,6}\U000e007f")
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f"
    "\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
    f"|[{NO_WIDTH}]{{3,}}"
)


class Invisible(Spec):
    """Refuses control characters, letters that write from the other side, and runs of what has no width.

    Line ends, tabs and single joiners are taken: many scripts and emoji need them.
    """

    name: ClassVar[str] = "invisible"
    version: ClassVar[int] = 1
    filter: Literal["invisible"] = "invisible"

    async def judge(self, prompt: str) -> Verdict:
        """Refuses a prompt with hidden text, and names its first character by its code."""
        found = _HIDDEN.search(_FLAG.sub("", prompt))
        if found is None:
            return ALLOWED
        return Verdict(
            allowed=False,
            reason=f"It holds a character that nobody can see (U+{ord(found[0][0]):04X}): type it anew.",
        )
