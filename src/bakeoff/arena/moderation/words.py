"""Prompts with words of a list."""

import re
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field

from bakeoff.arena.moderation.filter import ALLOWED, Verdict
from bakeoff.arena.votes.pseudonym import normal
from bakeoff.errors import BakeoffError
from bakeoff.task.spec import Spec, Texts, mistake

LONGEST = 200
"""Characters of an entry."""


class Words(Spec):
    """Refuses prompts with a word or a phrase of the list, whatever its case, width of letters or spaces.

    Whole words only: "ass" is not in "class". The list is `words` and the lines of `file`.
    """

    name: ClassVar[str] = "words"
    version: ClassVar[int] = 1
    filter: Literal["words"] = "words"
    file: str = ""
    words: Texts = Field(default=(), repr=False)

    def read(self) -> "Words":
        """The same filter with the words of its file in it.

        Raises:
            pydantic_core.PydanticCustomError: no word at all, or one that is too long.
            BakeoffError: the file cannot be read, or a line of it is too long, with its number.
        """
        words = (*self.words, *(_lines(Path(self.file)) if self.file else ()))
        if not any(normal(each) for each in words):
            raise mistake("holds no word", "name a file with one word a line, or words")
        return self.model_copy(update={"words": words, "file": ""})

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        entries = sorted({normal(each) for each in self.words} - {""}, key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, entries))})(?!\w)")

    async def judge(self, prompt: str) -> Verdict:
        """Refuses without saying which word it was: a list that can be asked is soon known."""
        if not self._pattern.search(normal(prompt)):
            return ALLOWED
        return Verdict(allowed=False, reason="It holds a word that this arena does not take.")


def _lines(path: Path) -> tuple[str, ...]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BakeoffError(
            f"the words in {path} cannot be read: {error}", "one word or phrase a line"
        ) from None
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST:
            raise BakeoffError(f"{path}:{number}: a word has {len(line):,} characters", "one a line")
    return tuple(line.strip() for line in lines if line.strip())
