"""Rows are removed by stated rules alone, applied to open and closed models alike."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import comb

from bakeoff.arena.policy.finding import Finding
from bakeoff.arena.policy.history import History, Step
from bakeoff.arena.policy.ledger import Ledger
from bakeoff.arena.policy.life import PUBLIC, REMOVED, State
from bakeoff.arena.policy.sampling import day_of
from bakeoff.database.tables.arena import LICENCES

LEVEL = 0.01
"""Below this p the rates of removal of open and closed models are said to differ."""

_DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class Rates:
    """Removed rows of all that were ever public, by licence class; `p` is Fisher's exact test (two-sided) of
    open weights and open source together against proprietary, 1 where either has no rows.
    """

    removed: Mapping[str, tuple[int, int]]
    p: float


def removal(ledger: Ledger) -> Iterator[Finding]:
    """Removals by no rule, rows to which the rule of inactivity was not applied, and rates that differ."""
    for name, history in ledger.histories.items():
        for step in history.steps:
            if step.state is State.INACTIVE:
                yield from _too_early(ledger, name, history, step)
            if step.state is State.RETIRED:
                yield from _by_no_rule(ledger, name, step)
        yield from _spared(ledger, name, history)
    found = rates(ledger.histories)
    if found.p < LEVEL:
        said = ", ".join(f"{name} {removed} of {of}" for name, (removed, of) in found.removed.items())
        yield Finding(
            "removal",
            ledger.policy.name,
            f"open and closed models are removed at different rates: {said} (Fisher's exact test, "
            f"p = {found.p:.2g})",
            "look whether they are shown alike: who is not shown has no votes",
            severity="warning",
        )


def rates(there: Mapping[str, History]) -> Rates:
    """How many of the rows that were ever public are removed, by licence class."""
    ever = [each for each in there.values() if each.released]
    by_licence = {
        licence: [each.last.standing in REMOVED for each in ever if each.licence == licence]
        for licence in LICENCES
    }
    removed = {licence: (sum(each), len(each)) for licence, each in by_licence.items()}
    opened = (removed["open_weights"], removed["open_source"])
    return Rates(
        removed, fisher(removed["proprietary"], (sum(a for a, _ in opened), sum(b for _, b in opened)))
    )


def fisher(one: tuple[int, int], other: tuple[int, int]) -> float:
    """Fisher's exact test, two-sided, of two rates given as (removed, of all): the share of all ways to
    remove as many rows that are no likelier than this one. Counted in whole numbers; 1 where one has no rows.
    """
    (a, n), (b, m) = one, other
    ways = {k: comb(n, k) * comb(m, a + b - k) for k in range(max(0, a + b - m), min(n, a + b) + 1)}
    return sum(each for each in ways.values() if each <= ways[a]) / sum(ways.values())


def _too_early(ledger: Ledger, name: str, history: History, step: Step) -> Iterator[Finding]:
    rule, day = ledger.rules(step.entry).inactivity, day_of(step.at)
    votes = ledger.votes(name, day - rule.days, day - 1)
    since = _public_since(history, step.entry - 1)
    if votes < rule.votes and since is not None and since < day - rule.days:
        return
    yield Finding(
        "removal",
        name,
        f"became inactive with {votes:,} votes in {rule.days} days, and the rule is fewer than "
        f"{rule.votes:,} with as many days in public",
        "put it back: provisional, for that reason",
        step.entry,
    )


def _by_no_rule(ledger: Ledger, name: str, step: Step) -> Iterator[Finding]:
    rule = step.facts.get("rule")
    if rule not in ledger.rules(step.entry).retirement:
        said = f"under the rule {rule}, which is not stated" if rule else "under no rule"
        yield Finding(
            "removal", name, f"was retired {said}", "put it back, or retire it by a stated rule", step.entry
        )


def _spared(ledger: Ledger, name: str, history: History) -> Iterator[Finding]:
    """A row that by its votes is inactive since yesterday at least."""
    since = _public_since(history, history.last.entry)
    yesterday = [each.policy for each in ledger.adopted if each.at <= ledger.at - _DAY_S]
    if history.last.state not in PUBLIC or since is None or not yesterday:
        return
    rule = ledger.policy.inactivity
    for today, then in ((ledger.today, rule), (ledger.today - 1, yesterday[-1].inactivity)):
        if since >= today - then.days or ledger.votes(name, today - then.days, today - 1) >= then.votes:
            return
    yield Finding(
        "removal",
        name,
        f"is {history.last.state} with fewer than {rule.votes:,} votes in {rule.days} days: the rule was not "
        "applied to it",
        "apply it to all rows alike, every day",
        history.last.entry,
    )


def _public_since(history: History, entry: int) -> int | None:
    """The day from which on it was public without a break until an entry was written; None if it was not."""
    since = None
    for step in history.steps:
        if step.entry <= entry:
            since = None if step.state not in PUBLIC else day_of(step.at) if since is None else since
    return since
