"""Whether an arena keeps its own policy, by the log, its rows and its counts."""

import re
from collections.abc import Callable, Collection, Iterator

from sqlalchemy import Connection, select

from bakeoff.arena.policy.checks.adoption import adoption
from bakeoff.arena.policy.checks.caps import caps
from bakeoff.arena.policy.checks.data import data
from bakeoff.arena.policy.checks.exposure import exposure
from bakeoff.arena.policy.checks.form import form
from bakeoff.arena.policy.checks.identity import identity
from bakeoff.arena.policy.checks.life import life
from bakeoff.arena.policy.checks.preliminary import preliminary
from bakeoff.arena.policy.checks.registration import registration
from bakeoff.arena.policy.checks.removal import removal
from bakeoff.arena.policy.checks.retraction import retraction
from bakeoff.arena.policy.finding import Finding
from bakeoff.arena.policy.ledger import Ledger, before, read_ledger
from bakeoff.arena.policy.rules import Policy
from bakeoff.database.log import START, broken
from bakeoff.database.tables import event

CHECKS: tuple[Callable[[Ledger], Iterator[Finding]], ...] = (
    form,
    adoption,
    registration,
    life,
    caps,
    identity,
    preliminary,
    retraction,
    removal,
    exposure,
    data,
)


def check(
    connection: Connection, policy: Policy, *, published: Collection[str] = (), until: int | None = None
) -> tuple[Finding, ...]:
    """All that breaks the policy of an arena, or nothing; to be called in a transaction that reads. Counts
    are looked at up to the day `until` (days since 1970, UTC), without it; None for all.

    `published` are digests of entries of the log that were kept elsewhere: without one, a log that was
    written anew from some entry on looks whole. Where the log is broken nothing else is looked at, since
    nothing that it says can be believed.
    """
    if found := (*_log(connection), *_rewritten(connection, published)):
        return found
    ledger = read_ledger(connection, policy)
    ledger = ledger if until is None else before(ledger, until)
    return tuple(finding for each in CHECKS for finding in each(ledger))


def _log(connection: Connection) -> Iterator[Finding]:
    todo = "restore the database from a copy whose log is whole; nothing else was looked at"
    try:
        problem = broken(connection)
    except (TypeError, ValueError):
        yield Finding("log", "the log", "an entry of it is not as it was written, and cannot be read", todo)
        return
    if problem is not None:
        number = re.search(r"entry (\d+)", problem)
        yield Finding("log", "the log", problem, todo, int(number[1]) if number else None)


def _rewritten(connection: Connection, published: Collection[str]) -> Iterator[Finding]:
    there = set(connection.execute(select(event.c.digest).where(event.c.digest.in_(published))).scalars())
    for each in sorted(set(published) - there - {START}):
        yield Finding(
            "log",
            "the log",
            f"no entry has the digest {each}, which was published: the log was cut or written anew",
            "restore the database from a copy that has the entry",
        )
