"""Data is given out late enough, at the same share, and to all providers alike."""

from collections.abc import Iterator

from bakeoff.arena.policy.finding import Finding
from bakeoff.arena.policy.ledger import Ledger
from bakeoff.arena.policy.life import SERVED
from bakeoff.arena.policy.releases import EVERYONE, Given
from bakeoff.arena.policy.sampling import as_date, day_of


def data(ledger: Ledger) -> Iterator[Finding]:
    """What was given out too early or at another share, and providers that were left out."""
    for each in ledger.given:
        rule = ledger.rules(each.entry).releases
        age = day_of(each.at) - each.until
        if age <= rule.delay_days:
            yield Finding(
                "releases",
                each.provider,
                f"was given votes of {as_date(each.until)} after {age} days, and the delay is "
                f"{rule.delay_days}",
                "give the same to all others now, and say so",
                each.entry,
            )
        if each.share != rule.share:
            yield Finding(
                "releases",
                each.provider,
                f"was given {100 * each.share:g} % of the votes, and the share is {100 * rule.share:g} %",
                "give the same to all others now, and say so",
                each.entry,
            )
    yield from _left_out(ledger)


def _left_out(ledger: Ledger) -> Iterator[Finding]:
    """Each provider with a variant in the arena then, with the first release that it should have had too."""
    told: set[str] = set()
    for each in ledger.given:
        last = day_of(each.at) + ledger.rules(each.entry).releases.even_days
        if ledger.today <= last:
            continue
        for provider in sorted(_providers(ledger, each.entry) - told):
            if not _covered(ledger, provider, each, last):
                told.add(provider)
                yield Finding(
                    "releases",
                    provider,
                    f"was not given the votes of {as_date(each.since)} to {as_date(each.until)} that "
                    f"{each.provider} was",
                    "give it the same, or publish them for everyone",
                    each.entry,
                )


def _providers(ledger: Ledger, entry: int) -> set[str]:
    steps = ((each.provider, each.by(entry)) for each in ledger.histories.values())
    return {provider for provider, step in steps if step is not None and step.state in SERVED}


def _covered(ledger: Ledger, provider: str, whole: Given, last: int) -> bool:
    """Whether a provider had each day of a release, with no smaller share, by the end of that day."""
    days = set(range(whole.since, whole.until + 1))
    for each in ledger.given:
        if each.provider in (provider, EVERYONE) and day_of(each.at) <= last and each.share >= whole.share:
            days -= set(range(each.since, each.until + 1))
    return not days
