"""Every step is one of a variant's life, and who removes or disputes it says why."""

from collections.abc import Iterator
from itertools import pairwise

from bakeoff.arena.policy.finding import Finding
from bakeoff.arena.policy.ledger import Ledger
from bakeoff.arena.policy.life import State, following, needs_reason


def life(ledger: Ledger) -> Iterator[Finding]:
    """Steps that are none, and steps without a reason."""
    for name, history in ledger.histories.items():
        for old, new in pairwise(history.steps):
            if new.state is State.REGISTERED:
                continue  # a second registration, which is a finding of its own
            if new.state not in following(old.state, old.before):
                yield Finding(
                    "life",
                    name,
                    f"went from {old.state} to {new.state}",
                    "put it into a state that may follow, and say why",
                    new.entry,
                )
            if needs_reason(old.state, new.state) and not new.reason.strip():
                yield Finding(
                    "life", name, f"became {new.state} without a reason", "say the reason openly", new.entry
                )
