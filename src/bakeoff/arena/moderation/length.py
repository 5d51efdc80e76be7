"""Prompts that say nothing, or too much."""

import re
from typing import ClassVar, Literal

from pydantic import Field

from bakeoff.arena.moderation.filter import ALLOWED, Verdict
from bakeoff.arena.moderation.invisible import NO_WIDTH
from bakeoff.task.spec import Spec

_UNSEEN = re.compile(rf"[\s\x00-\x1f\x7f-\x9f{NO_WIDTH}]*")


class Length(Spec):
    """Takes prompts of 1 to `most` characters that can be seen at all."""

    name: ClassVar[str] = "length"
    version: ClassVar[int] = 1
    filter: Literal["length"] = "length"
    most: int = Field(default=8_000, ge=1)

    async def judge(self, prompt: str) -> Verdict:
        """Refuses an empty prompt and a long one."""
        if _UNSEEN.fullmatch(prompt):
            return Verdict(allowed=False, reason="There is nothing in it: write what the models shall do.")
        if len(prompt) > self.most:
            return Verdict(
                allowed=False,
                reason=f"It has {len(prompt):,} characters, and {self.most:,} is the most.",
            )
        return ALLOWED
