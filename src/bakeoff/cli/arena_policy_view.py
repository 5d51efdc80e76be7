"""An arena's rules, its report and what a check found, for people."""

from collections.abc import Sequence
from datetime import UTC, datetime

from rich.console import Console
from rich.table import Table

from bakeoff.arena.policy.checks.removal import Rates
from bakeoff.arena.policy.finding import Finding
from bakeoff.arena.policy.releases import Given
from bakeoff.arena.policy.report import Report, Row
from bakeoff.arena.policy.rules import Policy
from bakeoff.arena.policy.sampling import as_date
from bakeoff.arena.policy.shares import Exposure
from bakeoff.arena.policy.variant import Rating
from bakeoff.visible import visible


def print_findings(console: Console, arena: str, found: Sequence[Finding], head: str) -> None:
    """A line or two for each finding, the violations first, then the digest to keep elsewhere."""
    for each in sorted(found, key=lambda each: each.severity == "warning"):
        entry = "" if each.entry is None else f" (entry {each.entry} of the log)"
        console.print(
            f"{each.severity}: {each.rule}: {visible(each.subject)}: {visible(each.text)}{entry}",
            soft_wrap=True,
        )
        console.print(f"  {visible(each.todo)}", soft_wrap=True)
    violations = sum(each.severity == "violation" for each in found)
    warnings = len(found) - violations
    said = f"{violations} violations" if violations else "no rule is broken"
    console.print(f"{visible(arena)}: {said}, {warnings} warnings", soft_wrap=True)
    console.print(f"the log ends with {head}: keep it elsewhere, for --published", soft_wrap=True)


def print_report(console: Console, found: Report) -> None:
    """The rules, then a table each of variants, shares, removals and releases."""
    _rules(console, found.policy)
    if not found.rows:
        console.print("no variant was registered yet")
        return
    _variants(console, found.rows)
    _exposure(console, found.exposure)
    _removed(console, found.removed)
    _given(console, found.given)


def _rules(console: Console, policy: Policy) -> None:
    console.print(f"{policy.name}, version {policy.version} · {policy.digest[7:19]}", soft_wrap=True)
    for each in (
        f"at most {policy.private_variants} private variants of one provider under test",
        f"provisional until {policy.preliminary.fresh_votes:,} fresh votes and an interval of at most "
        f"{policy.preliminary.width:g} points",
        f"inactive with fewer than {policy.inactivity.votes:,} votes in {policy.inactivity.days} days",
        f"retired by: {', '.join(policy.retirement) or 'no rule'}",
        f"votes are given out after {policy.releases.delay_days} days, "
        f"{100 * policy.releases.share:g} % of them, to all within {policy.releases.even_days} days",
        f"a warning stands from {policy.sampling.factor:g} times a fair share of appearances on, or below "
        f"one part in {policy.sampling.factor:g}",
    ):
        console.print(f"  {visible(each)}", soft_wrap=True)
    console.print()


def _variants(console: Console, rows: Sequence[Row]) -> None:
    table = _table(
        "variant", "provider", "licence", "state", "since", "best of", "haircut", "score", "fresh", "same"
    )
    for each in rows:
        table.add_row(
            *map(visible, (each.name, each.provider, each.licence, each.state, _day(each.since))),
            "–" if each.state == "withdrawn" and not each.sameness else f"{each.tested} ({each.of_provider})",
            "–" if each.haircut is None else f"−{each.haircut:.1f}",
            _rating(each.rating),
            f"{each.fresh:,}",
            visible(each.sameness) or "–",
        )
    console.print(table, crop=False)
    for each in rows:
        if each.reason:
            console.print(
                f"  {visible(each.name)} is {each.state} by {visible(each.by)}: {visible(each.reason)}",
                soft_wrap=True,
            )
    console.print(
        "Best of: tested of its family (private ones of its provider in all). Haircut: what having been "
        "chosen was worth in points when it was released; fresh votes, those of days after that, are free of "
        "it. Same: how it is known that the public model is the tested one.\n",
        soft_wrap=True,
    )


def _exposure(console: Console, found: Exposure) -> None:
    if not found.appearances:
        console.print("nothing was shown yet\n")
        return
    table = _table("shown", "appearances", "share %", "fair %", "times fair", "most on a day %", "on")
    for group in (found.licences, found.providers, found.models):
        for each in group:
            table.add_row(
                visible(each.name),
                f"{each.appearances:,}",
                f"{100 * each.share:.1f}",
                f"{100 * each.fair:.1f}",
                f"{each.ratio:.2f}",
                f"{100 * each.most:.1f}",
                str(as_date(each.most_day)),
            )
        table.add_section()
    console.print(table, crop=False)
    console.print(f"Gini's coefficient of models, in times their fair share: {found.gini:.2f}\n")


def _removed(console: Console, found: Rates) -> None:
    said = "; ".join(f"{name} {removed} of {of}" for name, (removed, of) in found.removed.items())
    console.print(
        f"Removed of those ever public: {said}. Open against closed: p = {found.p:.2g}", soft_wrap=True
    )


def _given(console: Console, found: Sequence[Given]) -> None:
    if not found:
        console.print("No votes were given out.")
        return
    table = _table("given to", "from", "to", "share %", "on")
    for each in found:
        table.add_row(
            visible(each.provider),
            str(as_date(each.since)),
            str(as_date(each.until)),
            f"{100 * each.share:g}",
            _day(each.at),
        )
    console.print(table, crop=False)


def _rating(found: Rating | None) -> str:
    return "–" if found is None else f"{found.score:.0f} [{found.low:.0f}, {found.high:.0f}]"


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat()


def _table(*heads: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="")
    for head in heads:
        table.add_column(head, overflow="fold")
    return table
