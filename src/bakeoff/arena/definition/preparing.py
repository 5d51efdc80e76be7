"""From a definition to an arena that can be voted in: its rules in force, its candidates known."""

import secrets
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass

from pydantic import ValidationError
from sqlalchemy import Connection, insert, select, update

from bakeoff.arena.definition.artefacts import artefact_of, verified
from bakeoff.arena.definition.candidate import Candidate
from bakeoff.arena.definition.definition import Arena
from bakeoff.arena.moderation.screening import label
from bakeoff.arena.policy.adopting import adopt, subject
from bakeoff.arena.policy.life import SERVED, State
from bakeoff.arena.policy.variant import Artefact, Variant
from bakeoff.arena.policy.variants import get, move, register, release, variants
from bakeoff.database.clock import now
from bakeoff.database.log import lock, record
from bakeoff.database.tables import live_arena as table
from bakeoff.digest import canonical_json, digest
from bakeoff.errors import BakeoffError
from bakeoff.model.open import open_model
from bakeoff.model.protocol import Identity, Model

KIND = "arena definition"
_SEED_BITS = 62


@dataclass(frozen=True, slots=True)
class Prepared:
    """The candidates as they stand, in the order of the file. `left_out` are variants that could be shown
    and that the file does not name.
    """

    candidates: tuple[Variant, ...]
    left_out: tuple[str, ...]

    @property
    def shown(self) -> tuple[str, ...]:
        """Those that may be shown to voters."""
        return tuple(each.name for each in self.candidates if each.state in SERVED)

    @property
    def not_shown(self) -> Mapping[str, State]:
        """Those that may not, with the state that keeps them from it."""
        return {each.name: each.state for each in self.candidates if each.state not in SERVED}


def prepare(
    connection: Connection, arena: Arena, identities: Mapping[str, Identity], *, actor: str
) -> Prepared:
    """Put a definition into force: its policy, its candidates, itself. The same once more changes nothing.

    `identities` are what the models of the candidates, by their names, said once they were entered. New
    candidates are registered and released, private ones put under test. Secrets are made the first time.

    Raises:
        BakeoffError: the policy changed without a higher version, a candidate is another than the variant
            that has its name, or a model does not say which version it is. Nothing is changed then.
    """
    lock(connection)
    artefacts = {each.name: artefact_of(each, identities[each.name]) for each in arena.models}
    adopt(connection, arena.policy, actor=actor)
    there = {each.name: each for each in variants(connection, arena.name)}
    for each in arena.models:
        if each.name in there:
            _check_same(each, artefacts[each.name], there[each.name])
        else:
            _admit(connection, arena.name, each, artefacts[each.name], identities[each.name], actor)
    _store(connection, arena, artefacts, actor)
    named = tuple(get(connection, arena.name, each.name) for each in arena.models)
    names = {each.name for each in named}
    left_out = tuple(name for name, each in there.items() if name not in names and each.state in SERVED)
    return Prepared(named, left_out)


def announce(connection: Connection, arena: Arena, *, actor: str) -> None:
    """Make an arena known before its models were ever opened, so that voters can be invited: its policy is in
    force from then on, and nobody can vote yet. Of an arena that is known nothing changes.

    Raises:
        BakeoffError: another policy of its name is in force, without a lower version.
    """
    lock(connection)
    known = select(table.c.arena).where(table.c.arena == arena.name)
    if connection.execute(known).scalar() is None:
        adopt(connection, arena.policy, actor=actor)
        _insert(connection, arena, "")


def stored(connection: Connection, name: str) -> Arena:
    """The definition that is in force.

    Raises:
        BakeoffError: there is no live arena of that name, or an older or newer bakeoff wrote its definition.
    """
    written = connection.execute(select(table.c.definition).where(table.c.arena == name)).scalar()
    if written is None:
        raise BakeoffError(
            f"there is no live arena {name}", "it begins with its file: bakeoff arena serve FILE"
        )
    try:
        return Arena.model_validate_json(written)
    except ValidationError:
        raise BakeoffError(
            f"the definition of {name} in the database is not one that this bakeoff knows",
            "serve the arena once more from its file",
        ) from None


async def entered(stack: AsyncExitStack, arena: Arena) -> dict[str, Model]:
    """The models of all candidates, by their names, open until the stack is closed. Candidates that differ
    only in how they are asked share one.

    Raises:
        ModelError: one cannot be opened.
    """
    models: dict[str, Model] = {}
    there: dict[bytes, Model] = {}
    for each in arena.models:
        key = canonical_json([each.model, each.settings])
        if key not in there:
            there[key] = await stack.enter_async_context(open_model(each.model, each.settings))
        models[each.name] = there[key]
    return models


def _admit(
    connection: Connection,
    arena: str,
    candidate: Candidate,
    artefact: Artefact,
    identity: Identity,
    actor: str,
) -> None:
    register(
        connection,
        arena,
        candidate.name,
        provider=candidate.provider,
        family=candidate.family,
        licence=candidate.licence,
        artefact=artefact,
        access=candidate.access,
        actor=actor,
    )
    if candidate.access == "private":
        move(connection, arena, candidate.name, State.TESTING, actor=actor)
    else:
        seen = verified(candidate, identity)
        release(connection, arena, candidate.name, artefact, verified=seen, actor=actor)


def _check_same(candidate: Candidate, artefact: Artefact, there: Variant) -> None:
    """A name stands for one model: votes on it must be votes on that."""
    said = (candidate.provider, candidate.family, candidate.licence, artefact)
    kept = (there.provider, there.family, there.licence, there.artefact)
    words = ("provider", "family", "licence", "model, its settings, its system prompt or its sampling")
    if changed := [word for word, one, other in zip(words, said, kept, strict=True) if one != other]:
        raise BakeoffError(
            f"{candidate.name} is registered in {there.arena} with another {', '.join(changed)}",
            "give what changed a name of its own: votes on the old one say nothing of it; or change it back",
        )


def _store(connection: Connection, arena: Arena, artefacts: Mapping[str, Artefact], actor: str) -> None:
    written = canonical_json(arena.model_dump(mode="json")).decode()
    last = connection.execute(select(table.c.definition, table.c.digest).where(table.c.arena == arena.name))
    row = last.one_or_none()
    if row is None:
        _insert(connection, arena, arena.digest)
    elif (row.definition, row.digest) != (written, arena.digest):
        changed = update(table).where(table.c.arena == arena.name)
        connection.execute(changed.values(definition=written, digest=arena.digest))
    if row is None or row.digest != arena.digest:
        facts = {"digest": arena.digest, "arena": _public(arena, artefacts)}
        record(connection, actor=actor, kind=KIND, subject=subject(arena.name), facts=facts)


def _insert(connection: Connection, arena: Arena, known_as: str) -> None:
    """The digest is "" as long as the log has no entry on the definition."""
    connection.execute(
        insert(table).values(
            arena=arena.name,
            definition=canonical_json(arena.model_dump(mode="json")).decode(),
            digest=known_as,
            salt=secrets.token_hex(32),
            seed=secrets.randbits(_SEED_BITS),
            created=now(),
        )
    )


def _public(arena: Arena, artefacts: Mapping[str, Artefact]) -> dict[str, object]:
    """What everybody may read in the log: no addresses, no system prompts, no lists of words or prompts."""
    rules = arena.model_dump(mode="json", exclude={"models", "policy", "prompts", "moderation"})
    return rules | {
        "models": {each.name: artefacts[each.name].digest for each in arena.models},
        "prompts": {
            "count": len(arena.prompts.texts),
            "only": arena.prompts.only,
            "digest": digest(list(arena.prompts.texts)),
        },
        "moderation": [label(each) for each in arena.moderation],
    }
