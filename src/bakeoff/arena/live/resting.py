"""Models that fail again and again are left in peace for a while: each battle with one is lost on a voter."""

from collections.abc import Iterable

IN_A_ROW = 5
"""Failures without an answer between them, after which a model rests."""
VOTERS = 3
"""Of so many voters at least: nobody puts a model to rest with prompts of their own that it cannot answer."""
REST_S = 300.0


class Resting:
    """By the names of models. Whoever made a model, the rule is the same; times are in seconds."""

    def __init__(self) -> None:
        self._failures: dict[str, list[str]] = {}
        self._until: dict[str, float] = {}

    def failed(self, name: str, voter: str, now: float) -> None:
        """A model gave no answer to a voter's prompt."""
        of = self._failures.setdefault(name, [])
        of.append(voter)
        if len(of) >= IN_A_ROW and len(set(of)) >= VOTERS:
            self._until[name] = now + REST_S
            del of[:-IN_A_ROW]

    def answered(self, names: Iterable[str]) -> None:
        """Models answered."""
        for name in names:
            self._failures.pop(name, None)
            self._until.pop(name, None)

    def now(self, now: float) -> frozenset[str]:
        """Those that rest. After its rest a model is tried again, and rests if it fails."""
        return frozenset(name for name, until in self._until.items() if now < until)
