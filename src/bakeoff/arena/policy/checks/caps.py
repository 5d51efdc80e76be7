"""No provider has more private variants under test at the same time than the policy allows, at any moment."""

from collections.abc import Iterator

from bakeoff.arena.policy.finding import Finding
from bakeoff.arena.policy.ledger import Ledger


def caps(ledger: Ledger) -> Iterator[Finding]:
    """Each entry by which a provider came above the cap of then. Spelling makes no second provider."""
    steps = sorted(
        (
            (step.entry, each.under_test(step), each)
            for each in ledger.histories.values()
            for step in each.steps
        ),
        key=lambda step: step[0],
    )
    under_test: dict[str, set[str]] = {}
    for entry, tested, each in steps:
        of_provider = under_test.setdefault(each.provider.casefold(), set())
        if not tested:
            of_provider.discard(each.name)
        elif each.name not in of_provider:
            of_provider.add(each.name)
            cap = ledger.rules(entry).private_variants
            if len(of_provider) > cap:
                yield Finding(
                    "cap",
                    each.provider,
                    f"had {len(of_provider)} private variants under test with {each.name}, and {cap} are "
                    "allowed",
                    "withdraw those above the cap in sight, and show from how many each was chosen",
                    entry,
                )
