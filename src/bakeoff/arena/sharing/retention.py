"""Texts that an arena has kept for as long as it said: erased, and that is logged."""

from dataclasses import dataclass

from sqlalchemy import Connection

from bakeoff.arena.battles.erasing import erase
from bakeoff.arena.policy.adopting import subject
from bakeoff.database.clock import current
from bakeoff.database.log import record

KIND = "arena texts erased"
_DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class Erased:
    """The texts of so many `battles`, all that ended before a time (seconds since 1970)."""

    battles: int
    before: float


def erase_old(connection: Connection, arena: str, retention_days: int | None, *, actor: str) -> Erased | None:
    """Erase prompts, images and answers of battles that ended more than `retention_days` ago; None keeps all.

    Votes and counts stay. What is over already is erased at once when the days become fewer. Nothing is
    logged where nothing was erased.
    """
    if retention_days is None:
        return None
    before = current(connection) - retention_days * _DAY_S
    done = Erased(erase(connection, arena, before), before)
    if done.battles:
        facts = {"battles": done.battles, "before": before, "retention_days": retention_days}
        record(connection, actor=actor, kind=KIND, subject=subject(arena), facts=facts)
    return done
