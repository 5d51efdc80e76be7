"""Rules are stated before they are applied, and the policy that is shown is the one in force."""

from collections.abc import Iterator
from itertools import pairwise

from bakeoff.arena.policy.adopting import subject
from bakeoff.arena.policy.finding import Finding
from bakeoff.arena.policy.ledger import Ledger


def adoption(ledger: Ledger) -> Iterator[Finding]:
    """A policy that was never adopted, or late; one that is not in force; versions that do not rise."""
    arena = subject(ledger.policy.name)
    if not ledger.adopted:
        yield Finding(
            "adoption", arena, "no policy was ever adopted", "adopt it: bakeoff arena policy adopt FILE"
        )
        return
    first, last = ledger.adopted[0], ledger.adopted[-1]
    if last.policy != ledger.policy:
        yield Finding(
            "adoption",
            arena,
            f"version {last.policy.version} is in force, and version {ledger.policy.version} with other "
            "rules was asked about",
            "adopt it with a higher version, or ask about the one in force",
            last.entry,
        )
    if ledger.entries[0].number < first.entry:
        yield Finding(
            "adoption",
            arena,
            "things were done before a policy was adopted",
            "say openly under which rules they were done",
            ledger.entries[0].number,
        )
    for old, new in pairwise(ledger.adopted):
        if new.policy.version <= old.policy.version:
            yield Finding(
                "adoption",
                arena,
                f"version {new.policy.version} follows version {old.policy.version}",
                "adopt the rules anew with a higher version",
                new.entry,
            )
