"""Prompts that seem to hold somebody's personal details."""

from typing import ClassVar, Literal

from bakeoff.arena.moderation.filter import ALLOWED, Verdict
from bakeoff.arena.sharing.personal import without_personal
from bakeoff.task.spec import Spec

_WORDS = {
    "key": "a key or a token",
    "mail": "a mail address",
    "iban": "a bank account",
    "card": "the number of a card",
    "ip": "a network address",
    "phone": "a phone number",
}


class Details(Spec):
    """Warns of personal details, and refuses nothing: only the writer knows whose they are."""

    name: ClassVar[str] = "personal-details"
    version: ClassVar[int] = 1
    filter: Literal["personal-details"] = "personal-details"

    async def judge(self, prompt: str) -> Verdict:
        """Takes every prompt; the warning says what kinds of details it seems to hold."""
        removed = without_personal(prompt).removed
        if not removed:
            return ALLOWED
        seen = ", ".join(_WORDS[kind] for kind in removed)
        return Verdict(
            allowed=True, warning=f"It seems to hold {seen}. Two models and the arena's keepers will read it."
        )
