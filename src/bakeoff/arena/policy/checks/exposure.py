"""Counts of closed days stay as they are, and a warning stands where shares are far from fair."""

from collections.abc import Iterator

from bakeoff.arena.policy.finding import Finding
from bakeoff.arena.policy.ledger import Ledger
from bakeoff.arena.policy.sampling import CLOSED, as_date, read
from bakeoff.arena.policy.shares import Exposure, Share
from bakeoff.arena.policy.shares import exposure as shares
from bakeoff.digest import digest


def exposure(ledger: Ledger) -> Iterator[Finding]:
    """Days whose counts changed or were never closed; pairs shown more often than was stated; models,
    providers and classes shown too often or seldom.
    """
    yield from _days(ledger)
    for pair in ledger.overshown:
        yield Finding(
            "sampling",
            f"{pair.first} and {pair.second}",
            f"were shown {pair.shown:,} times of {pair.total:,} on {as_date(pair.day)}, and by the stated "
            f"propensity about {pair.propensity * pair.total:,.0f} times (p < {pair.bound:.1g})",
            "find out what the sampler did: weights by these propensities are wrong",
            severity="warning",
        )
    found = exposure_of(ledger)
    for what, group in (("model", found.models), ("provider", found.providers), ("licence", found.licences)):
        for each in group:
            yield from _unfair(ledger, what, each, found.appearances)


def exposure_of(ledger: Ledger) -> Exposure:
    """The shares of all days."""
    return shares(
        ((each.day, name, each.shown) for name, days in ledger.shown.items() for each in days),
        ledger.due(),
        {name: each.provider for name, each in ledger.histories.items()},
        {name: each.licence for name, each in ledger.histories.items()},
    )


def _days(ledger: Ledger) -> Iterator[Finding]:
    counts = {each.day: each.digest for each in ledger.days}
    closed: set[int] = set()
    for entry in ledger.entries:
        if entry.kind == CLOSED and (day := read(entry)) is not None:
            closed.add(day.day)
            if counts.get(day.day, digest([])) != day.digest:
                yield Finding(
                    "sampling",
                    str(as_date(day.day)),
                    "the counts of this day were changed after it was closed",
                    "put them back from a copy; no rating from them can be believed until then",
                    entry.number,
                )
    for each in sorted(counts.keys() - closed):
        if each < ledger.today - 1:
            yield Finding(
                "sampling",
                str(as_date(each)),
                "the day is over, and its counts can still be changed unseen",
                "close days daily",
                severity="warning",
            )


def _unfair(ledger: Ledger, what: str, each: Share, appearances: int) -> Iterator[Finding]:
    rule = ledger.policy.sampling
    if each.fair * appearances < rule.appearances:
        return
    if each.ratio >= rule.factor or each.ratio <= 1 / rule.factor:
        yield Finding(
            "sampling",
            f"{what} {each.name}",
            f"has {100 * each.share:.1f} % of appearances, {each.ratio:.2f} times its fair share of "
            f"{100 * each.fair:.1f} %; at most {100 * each.most:.1f} % on one day, {as_date(each.most_day)}",
            "let the sampler show all alike, or state in the policy why not",
            severity="warning",
        )
