"""Variants: registered before anybody votes on them, moved step by step, and never gone.

Every step is an entry of the log. A variant that was withdrawn stays, with the score that it had: to test
many, show the best and take back the rest is how an arena is gamed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

import orjson
from sqlalchemy import Connection, Row, insert, select, update

from bakeoff.arena.policy.adopting import in_force
from bakeoff.arena.policy.evidence import checked_evidence
from bakeoff.arena.policy.inactivity import checked_idle
from bakeoff.arena.policy.life import UNRELEASED, State, check_move
from bakeoff.arena.policy.releases import EVERYONE
from bakeoff.arena.policy.rules import Policy
from bakeoff.arena.policy.variant import Access, Artefact, Licence, Rating, Variant
from bakeoff.database.clock import now
from bakeoff.database.log import lock, record
from bakeoff.database.tables import variant as table
from bakeoff.database.tables.arena import ACCESS, LICENCES
from bakeoff.digest import canonical_json
from bakeoff.errors import BakeoffError

LONGEST = 200
"""Characters of a name."""


def register(
    connection: Connection,
    arena: str,
    name: str,
    *,
    provider: str,
    family: str,
    licence: Licence,
    artefact: Artefact,
    access: Access = "public",
    actor: str,
) -> Variant:
    """Make a variant known, before it is shown to anybody. `family` is what its provider chooses one of: the
    variants of a coming model are one family. One with the artefact of another is linked to it, not refused.

    Raises:
        BakeoffError: the arena has no policy, the name is taken or no name, the provider or family is known
            in another spelling, or the provider has as many private variants under test as it may.
    """
    lock(connection)  # or two at once could both be the last that the cap allows
    policy = in_force(connection, arena)
    name, provider, family = (
        _plain(text, what) for text, what in ((name, "name"), (provider, "provider"), (family, "family"))
    )
    if provider.casefold() == EVERYONE:
        raise BakeoffError(f"{provider} is no name of a provider", "data for all is given out under it")
    if licence not in LICENCES:
        raise BakeoffError(
            f"licence is none of an arena's classes: {licence!r}", f"they are {', '.join(LICENCES)}"
        )
    if access not in ACCESS:
        raise BakeoffError(f"access must be one of {', '.join(ACCESS)}, got {access!r}")
    there = tuple(variants(connection, arena))
    _check_spelling(there, name, provider, family)
    if access == "private":
        _check_cap(there, provider, policy)
    written = canonical_json(asdict(artefact)).decode()
    connection.execute(
        insert(table).values(
            arena=arena,
            name=name,
            provider=provider,
            family=family,
            licence=licence,
            access=access,
            artefact=written,
            state=State.REGISTERED.value,
            created=now(),
            changed=now(),
        )
    )
    facts = {
        "provider": provider,
        "family": family,
        "licence": licence,
        "access": access,
        "artefact": artefact.digest,
    }
    if same := [each.name for each in there if each.artefact == artefact]:
        facts["same_as"] = same[0]
    record(connection, actor=actor, kind="variant registered", subject=subject(arena, name), facts=facts)
    return get(connection, arena, name)


def release(
    connection: Connection,
    arena: str,
    name: str,
    public: Artefact,
    *,
    verified: bool,
    actor: str,
    reason: str = "",
) -> Variant:
    """Make a variant public, as provisional. From now on its votes are fresh. `public` is what everybody can
    run; `verified` says that it was looked at, and not taken from what its provider says.

    Raises:
        BakeoffError: it is not before its release, or the public artefact is another than the registered one.
    """
    lock(connection)
    found = get(connection, arena, name)
    if not _unreleased(found):
        raise BakeoffError(f"{name} is {found.state}, and was released already", "move it")
    if public != found.artefact:
        raise BakeoffError(
            f"the public model is not the variant {name} that was registered",
            "register what is public as a variant of its own: it has no votes yet",
        )
    facts = {"artefact": public.digest, "sameness": "verified" if verified else "claimed"}
    return _moved(connection, found, State.PROVISIONAL, actor=actor, reason=reason, facts=facts)


def move(
    connection: Connection,
    arena: str,
    name: str,
    then: State,
    *,
    actor: str,
    reason: str = "",
    rule: str = "",
) -> Variant:
    """Put a variant into another state. `rule` names that of the policy under which a row is retired.

    Raises:
        BakeoffError: there is none of that name, the move is not one of its life, a reason is missing, or the
            policy does not allow it: a public variant is not tested; too few fresh votes or too wide an
            interval to be listed, too many votes to be inactive, no such rule to be retired by.
    """
    lock(connection)
    policy = in_force(connection, arena)
    found = get(connection, arena, name)
    check_move(found.state, then, reason, found.before)
    facts: dict[str, Any] = {}
    if then is State.TESTING and found.access == "public":
        raise BakeoffError(
            f"{name} was registered as public, and is released without a test",
            "register what is to be tested before its release as private",
        )
    if then is State.PROVISIONAL and _unreleased(found):
        raise BakeoffError(f"{name} was not released yet", "release it, with the artefact that is public")
    if then is State.LISTED:
        facts = checked_evidence(connection, found, policy.preliminary)
    if then is State.INACTIVE:
        facts = checked_idle(connection, found, policy.inactivity)
    if then is State.RETIRED:
        if rule not in policy.retirement:
            raise BakeoffError(
                f"the policy of {arena} has no rule {rule!r} under which a row is retired",
                f"it has {', '.join(policy.retirement) or 'none'}",
            )
        facts = {"rule": rule}
    return _moved(connection, found, then, actor=actor, reason=reason, facts=facts)


def get(connection: Connection, arena: str, name: str) -> Variant:
    """One variant.

    Raises:
        BakeoffError: there is none of that name.
    """
    query = select(table).where(table.c.arena == arena, table.c.name == name)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise BakeoffError(f"there is no variant {name} in {arena}", "it is registered before it is shown")
    return _variant(row)


def variants(connection: Connection, arena: str) -> Iterator[Variant]:
    """All variants of an arena, withdrawn ones too, in the order in which they were registered."""
    query = select(table).where(table.c.arena == arena).order_by(table.c.created, table.c.name)
    yield from map(_variant, connection.execute(query))


def states(connection: Connection, arena: str) -> dict[str, State]:
    """The state of each variant of an arena, by its name."""
    query = select(table.c.name, table.c.state).where(table.c.arena == arena)
    return {row.name: State(row.state) for row in connection.execute(query)}


def subject(arena: str, name: str) -> str:
    """What entries of the log on a variant are on."""
    return f"variant {arena}/{name}"


def _moved(
    connection: Connection, found: Variant, then: State, *, actor: str, reason: str, facts: Mapping[str, Any]
) -> Variant:
    check_move(found.state, then, reason, found.before)
    before = (found.before or found.state).value if then is State.DISPUTED else None
    connection.execute(
        update(table)
        .where(table.c.arena == found.arena, table.c.name == found.name)
        .values(state=then.value, before=before, changed=now())
    )
    record(
        connection,
        actor=actor,
        kind=f"variant {then}",
        subject=subject(found.arena, found.name),
        reason=" ".join(reason.split()),
        facts={"from": found.state.value} | dict(facts),
    )
    return get(connection, found.arena, found.name)


def _unreleased(found: Variant) -> bool:
    return (found.before or found.state) in UNRELEASED


def _check_cap(there: tuple[Variant, ...], provider: str, policy: Policy) -> None:
    under_test = [
        each.name
        for each in there
        if (each.provider, each.access) == (provider, "private") and _unreleased(each)
    ]
    if len(under_test) >= policy.private_variants:
        raise BakeoffError(
            f"{provider} has {len(under_test)} private variants under test, and may have "
            f"{policy.private_variants}: {', '.join(under_test) or 'none'}",
            "release or withdraw one first; a variant that was withdrawn stays in sight",
        )


def _check_spelling(there: tuple[Variant, ...], name: str, provider: str, family: str) -> None:
    """One name in two spellings would be two providers, each with a cap of its own."""
    for each in there:
        if each.name.casefold() == name.casefold():
            raise BakeoffError(f"there is a variant {each.name}", "give the new one a name of its own")
        if each.provider != provider and each.provider.casefold() == provider.casefold():
            raise BakeoffError(f"the provider {provider} is known as {each.provider}", "write it so")
        ours = each.provider == provider and each.family != family
        if ours and each.family.casefold() == family.casefold():
            raise BakeoffError(f"the family {family} is known as {each.family}", "write it so")


def _plain(text: str, what: str) -> str:
    """A name in one line, without what no database keeps."""
    plain = " ".join(text.split())
    if not plain or len(plain) > LONGEST:
        raise BakeoffError(f"{what} must have 1 to {LONGEST} characters, got {len(plain)}")
    if not plain.isprintable():
        raise BakeoffError(f"{what} is not plain text", "it holds a character that nobody can see")
    return plain


def _variant(row: Row[Any]) -> Variant:
    return Variant(
        arena=row.arena,
        name=row.name,
        provider=row.provider,
        family=row.family,
        licence=row.licence,
        access=row.access,
        artefact=Artefact(**orjson.loads(row.artefact)),
        state=State(row.state),
        before=State(row.before) if row.before else None,
        rating=Rating(**orjson.loads(row.rating)) if row.rating else None,
        created=row.created,
        changed=row.changed,
    )
