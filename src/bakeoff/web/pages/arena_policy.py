"""The rules of an arena, whether they are kept, who is shown how often, and the log."""

from collections.abc import Iterator
from dataclasses import dataclass
from time import time

from sqlalchemy import Connection

from bakeoff.arena.battles.waiting import tellable
from bakeoff.arena.policy.adopting import arenas, in_force
from bakeoff.arena.policy.checking import check
from bakeoff.arena.policy.finding import Finding
from bakeoff.arena.policy.ledger import before as ledger_before
from bakeoff.arena.policy.ledger import read_ledger
from bakeoff.arena.policy.report import Report, report
from bakeoff.arena.policy.sampling import as_date
from bakeoff.arena.policy.shares import Share
from bakeoff.database.log import Event, head
from bakeoff.errors import BakeoffError
from bakeoff.web.pages.arena_rule import rules, words
from bakeoff.web.pages.telling import Happening
from bakeoff.web.reading import Library

ENTRIES = 50


@dataclass(frozen=True, slots=True)
class Audit:
    """What was found at one moment: the report, what breaks the rules, and the log as it was read, whose last
    entry has the digest `head`.
    """

    report: Report
    findings: tuple[Finding, ...]
    entries: tuple[Event, ...]
    head: str


@dataclass(frozen=True, slots=True)
class Shown:
    """Who is shown how often: models, providers or licence classes."""

    title: str
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class ArenaPolicyPage:
    """`log` are entries, the newest first, of `total`; `older` is what to ask for those before."""

    arena: str
    rules: tuple[str, ...]
    report: Report
    broken: tuple[Finding, ...]
    warnings: tuple[Finding, ...]
    shown: tuple[Shown, ...]
    given: tuple[tuple[str, str, str, float, float], ...]
    log: tuple[Happening, ...]
    total: int
    older: int | None
    begun: bool
    head: str


def arena_policy_page(
    library: Library, connection: Connection, arena: str, *, before: int | None = None
) -> ArenaPolicyPage:
    """The page's data.

    Raises:
        BakeoffError: there is no such arena.
    """
    found = audited(library, connection, arena)
    exposure = found.report.exposure
    there = [each for each in found.entries if before is None or each.number < before]
    log = there[: -ENTRIES - 1 : -1]
    return ArenaPolicyPage(
        arena=arena,
        rules=tuple(rules(found.report.policy)),
        report=found.report,
        broken=tuple(each for each in found.findings if each.severity == "violation"),
        warnings=tuple(each for each in found.findings if each.severity == "warning"),
        shown=(
            Shown("Licence classes", exposure.licences),
            Shown("Providers", exposure.providers),
            Shown("Models", exposure.models),
        ),
        given=tuple(_given(found.report)),
        log=tuple(map(_happening, log)),
        total=len(found.entries),
        older=log[-1].number if len(there) > len(log) else None,
        begun=before is not None,
        head=found.head,
    )


def audited(library: Library, connection: Connection, arena: str) -> Audit:
    """The audit of an arena; made anew when the log has grown, and once a minute, since counts grow too.

    Raises:
        BakeoffError: there is no such arena.
    """
    if arena not in arenas(connection):
        raise BakeoffError(f"there is no arena {arena}", "the list of arenas has all there are")
    policy, last = in_force(connection, arena), head(connection)

    def made() -> Audit:
        until = tellable(connection, arena)
        findings = check(connection, policy, until=until)
        ledger = ledger_before(read_ledger(connection, policy), until)
        return Audit(report(ledger), findings, ledger.entries, last)

    return library.audits.get(f"{arena} {last} {int(time() // 60)}", made)


def _given(found: Report) -> Iterator[tuple[str, str, str, float, float]]:
    for each in found.given:
        yield each.provider, str(as_date(each.since)), str(as_date(each.until)), each.share, each.at


def _happening(entry: Event) -> Happening:
    return Happening(
        entry.number, entry.at, entry.actor, words(entry), entry.subject, entry.reason, entry.digest
    )
