"""Entries that nobody can read say nothing, and stand where something should be said."""

from collections.abc import Iterator

from bakeoff.arena.policy import adopting, ratings, releases, sampling
from bakeoff.arena.policy.finding import Finding
from bakeoff.arena.policy.ledger import Ledger
from bakeoff.arena.policy.rules import parse_policy


def form(ledger: Ledger) -> Iterator[Finding]:
    """Entries on policies, ratings, releases and closed days that hold none."""
    read = {
        adopting.KIND: lambda each: parse_policy(each.facts.get("policy")),
        ratings.KIND: ratings.read,
        releases.KIND: releases.read,
        sampling.CLOSED: sampling.read,
    }
    for each in ledger.entries:
        if each.kind in read and read[each.kind](each) is None:
            yield Finding(
                "form",
                each.subject,
                f"the entry ({each.kind}) cannot be read",
                "say what was done in a new entry",
                each.number,
            )
