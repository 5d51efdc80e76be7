"""What a check found: which rule, on whom, by which entry of the log, and what to do."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["violation", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that is broken, or a warning that stands. `entry` is the number of the entry of the log that
    shows it; None where it is what is missing that does.
    """

    rule: str
    subject: str
    text: str
    todo: str
    entry: int | None = None
    severity: Severity = "violation"
