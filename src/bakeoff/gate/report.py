"""What a gate found, as data: every output reads this and computes nothing anew."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from bakeoff.gate.policy import Policy

Verdict = Literal["pass", "fail", "inconclusive"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule on one task.

    `reason` is one sentence, `help` says what would settle or mend it, or is empty. `p` is the one-sided p
    of the test that could fail the rule, None where it has none, and `adjusted_p` what it is after the
    correction for all tests of the gate (Holm). `value`, `low` and `high` are what was measured against
    `limit`: shares, dollars or seconds; `low` and `high` are one-sided bounds at 1 - alpha each.
    """

    task: str
    rule: str
    verdict: Verdict
    reason: str
    help: str = ""
    n: int = 0
    value: float | None = None
    low: float | None = None
    high: float | None = None
    limit: float | None = None
    p: float | None = None
    adjusted_p: float | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One run at the gate, and the baseline it was held against, if any.

    Scores are over the `n` items that count: scored in the run and, where there is one, in the baseline.
    `won` of them scored higher than in the baseline, `lost` lower, `tied` the same. `resolves` is the drop
    that the gate catches with probability 80 % on such items: None without a baseline, or where all items
    are in one group. `lost_items` are up to ten ids, those of the largest drops first.
    """

    task: str
    run: str
    run_id: str
    model: str
    score: float | None = None
    n: int = 0
    clusters: int | None = None
    baseline: str | None = None
    baseline_run_id: str | None = None
    baseline_model: str | None = None
    baseline_score: float | None = None
    won: int = 0
    lost: int = 0
    tied: int = 0
    resolves: float | None = None
    lost_items: tuple[str, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict and all that led to it.

    A rule that fails fails the gate; else one that is inconclusive leaves it inconclusive. `tests` is how
    many tests could have failed it, which is what p-values are corrected for.
    """

    verdict: Verdict
    policy: Policy
    entries: tuple[Entry, ...]
    findings: tuple[Finding, ...]
    tests: int
    notes: tuple[str, ...] = ()
    schema_version: int = 1

    def of(self, verdict: Verdict) -> tuple[Finding, ...]:
        """The findings with this verdict."""
        return tuple(finding for finding in self.findings if finding.verdict == verdict)
