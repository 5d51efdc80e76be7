"""What one rule finds on one run, before it is known how many tests the gate makes in all."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bakeoff.gate.pairing import Paired
from bakeoff.gate.report import Verdict
from bakeoff.gate.side import Side


@dataclass(frozen=True, slots=True)
class Evidence:
    """One rule's measurement, and the sentence for each verdict it can end in.

    With a `settled` verdict it is a fact: no test decides it. Else `alarm` is the one-sided p against
    "nothing is wrong"; the rule fails where that holds up among all tests of the gate, passes where what it
    demands is `shown`, and is inconclusive otherwise. `needed` is how many more items would probably settle
    it.
    """

    rule: str
    says: Mapping[Verdict, str]
    settled: Verdict | None = None
    alarm: float | None = None
    shown: bool = False
    help: Mapping[Verdict, str] | None = None
    n: int = 0
    value: float | None = None
    low: float | None = None
    high: float | None = None
    limit: float | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A run at the gate, and what it is held against, if anything."""

    side: Side
    baseline: Side | None
    paired: Paired | None

    @property
    def title(self) -> str:
        """Its task, as the command line names it."""
        return self.side.title

    @property
    def folder(self) -> Path:
        """Where its samples lie."""
        assert self.side.folder is not None
        return self.side.folder


def fact(
    rule: str,
    verdict: Verdict,
    sentence: str,
    hint: str = "",
    *,
    n: int = 0,
    value: float | None = None,
    limit: float | None = None,
) -> Evidence:
    """Evidence that no test decides."""
    return Evidence(rule, {verdict: sentence}, verdict, help={verdict: hint}, n=n, value=value, limit=limit)


def one_group(rule: str, n: int) -> Evidence:
    """Evidence where nothing can be estimated."""
    return fact(
        rule,
        "inconclusive",
        "all items are in one group, which says nothing of other groups",
        "add items of other groups",
        n=n,
    )
