"""What is public is what was tested."""

from collections.abc import Iterator
from itertools import pairwise

from bakeoff.arena.policy.finding import Finding
from bakeoff.arena.policy.ledger import Ledger
from bakeoff.arena.policy.life import PUBLIC, UNRELEASED


def identity(ledger: Ledger) -> Iterator[Finding]:
    """Releases of another artefact than was registered, or of one that nobody names."""
    for name, history in ledger.histories.items():
        for old, new in pairwise(history.steps):
            if old.standing not in UNRELEASED or new.state not in PUBLIC:
                continue
            public = new.facts.get("artefact")
            if public == history.artefact:
                continue
            said = "nobody says which artefact" if public is None else "another artefact than the tested one"
            yield Finding(
                "identity",
                name,
                f"was released, and {said} is public",
                "withdraw it, and register the public model as a variant of its own",
                new.entry,
            )
