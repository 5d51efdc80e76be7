"""The transparency report of an arena: what was tested, shown, removed and given out, from its ledger."""

from collections.abc import Mapping
from dataclasses import dataclass

from bakeoff.arena.policy.best_of import best_of, haircut
from bakeoff.arena.policy.checks.exposure import exposure_of
from bakeoff.arena.policy.checks.removal import Rates, rates
from bakeoff.arena.policy.history import History
from bakeoff.arena.policy.ledger import Ledger
from bakeoff.arena.policy.releases import Given
from bakeoff.arena.policy.rules import Policy
from bakeoff.arena.policy.sampling import day_of
from bakeoff.arena.policy.shares import Exposure
from bakeoff.arena.policy.variant import Rating


@dataclass(frozen=True, slots=True)
class Row:
    """A variant, whatever its state. It was chosen from `tested` of its family, and its provider had tested
    `of_provider` private ones by then. `chosen` is its rating when it was released, `haircut` what the choice
    is worth in points (None where there was no rating). `fresh` counts votes of days after the release.
    `sameness` says how it is known that the public model is the tested one. `since` is in seconds since 1970.
    """

    name: str
    provider: str
    family: str
    licence: str
    access: str
    state: str
    since: float
    by: str
    reason: str
    tested: int
    of_provider: int
    chosen: Rating | None
    haircut: float | None
    rating: Rating | None
    fresh: int
    sameness: str


@dataclass(frozen=True, slots=True)
class Report:
    """The policy in force, all variants in the order of their registration, who was shown how often, who was
    removed, and what was given out.
    """

    policy: Policy
    rows: tuple[Row, ...]
    exposure: Exposure
    removed: Rates
    given: tuple[Given, ...]


def report(ledger: Ledger) -> Report:
    """The report of what is in the ledger."""
    return Report(
        policy=ledger.policy,
        rows=tuple(_row(ledger, name, ledger.histories) for name in ledger.histories),
        exposure=exposure_of(ledger),
        removed=rates(ledger.histories),
        given=ledger.given,
    )


def _row(ledger: Ledger, name: str, there: Mapping[str, History]) -> Row:
    history = there[name]
    found = best_of(there, name)
    released = history.released
    chosen = None if released is None else ledger.rating(name, released.entry)
    return Row(
        name=name,
        provider=history.provider,
        family=history.family,
        licence=history.licence,
        access=history.access,
        state=history.last.state.value,
        since=history.last.at,
        by=history.last.actor,
        reason=history.last.reason,
        tested=found.tested,
        of_provider=found.of_provider,
        chosen=chosen,
        haircut=None if chosen is None else haircut(chosen.se, found.tested),
        rating=ledger.rating(name, ledger.entries[-1].number + 1),
        fresh=0 if released is None else ledger.votes(name, day_of(released.at) + 1, ledger.today),
        sameness="" if released is None else str(released.facts.get("sameness", "no")),
    )
