"""Which policy is in force: versions are entries of the log, and hold from there on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from bakeoff.arena.policy.rules import Policy, parse_policy
from bakeoff.database.log import Event, events, lock, record
from bakeoff.database.tables import event
from bakeoff.errors import BakeoffError

KIND = "arena policy"


@dataclass(frozen=True, slots=True)
class Adopted:
    """A version of a policy, with the number and time (seconds since 1970) of the entry of the log from which
    on it holds.
    """

    policy: Policy
    entry: int
    at: float


def adopt(connection: Connection, policy: Policy, *, actor: str) -> None:
    """Put a policy into force from now on; of the one that is in force nothing changes.

    Raises:
        BakeoffError: its version is in force with other rules, or a higher one is.
    """
    lock(connection)
    if there := adopted(connection, policy.name):
        last = there[-1].policy
        if last == policy:
            return
        if policy.version <= last.version:
            raise BakeoffError(
                f"version {last.version} of the policy of {policy.name} is in force, with other rules",
                f"a change needs a higher version than {last.version}",
            )
    record(
        connection,
        actor=actor,
        kind=KIND,
        subject=subject(policy.name),
        facts={"policy": policy.model_dump(mode="json"), "digest": policy.digest},
    )


def in_force(connection: Connection, arena: str) -> Policy:
    """The policy that holds now.

    Raises:
        BakeoffError: the arena has none.
    """
    there = adopted(connection, arena)
    if not there:
        raise BakeoffError(
            f"no policy of an arena {arena} is in force", "rules come first: bakeoff arena policy adopt FILE"
        )
    return there[-1].policy


def arenas(connection: Connection) -> tuple[str, ...]:
    """The names of the arenas that have a policy, in their order."""
    query = select(event.c.subject).where(event.c.kind == KIND).distinct()
    return tuple(sorted(each.removeprefix(subject("")) for each in connection.execute(query).scalars()))


def adopted(connection: Connection, arena: str) -> tuple[Adopted, ...]:
    """All versions of the policy that were ever in force, in their order."""
    return versions(events(connection, subject(arena)))


def versions(entries: Iterable[Event]) -> tuple[Adopted, ...]:
    """The policies that entries of the log tell of."""
    told = ((parse_policy(each.facts.get("policy")), each) for each in entries if each.kind == KIND)
    return tuple(Adopted(policy, each.number, each.at) for policy, each in told if policy is not None)


def at(there: Sequence[Adopted], entry: int, otherwise: Policy) -> Policy:
    """The policy in force when an entry was written; `otherwise` where there was none."""
    before = [each.policy for each in there if each.entry < entry]
    return before[-1] if before else otherwise


def subject(arena: str) -> str:
    """What entries of the log on an arena as a whole are on."""
    return f"arena {arena}"
