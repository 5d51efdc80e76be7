"""What exactly a candidate is, as its model says once it was entered."""

from bakeoff.arena.definition.candidate import Candidate
from bakeoff.arena.policy.variant import Artefact
from bakeoff.digest import digest
from bakeoff.errors import BakeoffError
from bakeoff.model.protocol import Identity

HELD = frozenset({"gguf", "hf", "vllm", "recorded", "call"})
"""Engines whose revision names what runs on this machine; others say what an API tells of itself."""


def artefact_of(candidate: Candidate, identity: Identity) -> Artefact:
    """The artefact of a candidate, by what its engine recorded: the digest of weights, or an API's model and
    the date of its version, with digests of the system prompt and of all that moves an answer.

    The version of an engine is no part of it: a new one is no new model.

    Raises:
        BakeoffError: the model does not say which version it is, and the file does not either.
    """
    asked = {
        "engine": identity.engine,
        "precision": identity.precision,
        "chat_template": identity.chat_template,
        "endpoint": identity.endpoint,
        "settings": dict(identity.settings),
        "sampling": candidate.sampling.model_dump(mode="json"),
    }
    held = identity.engine in HELD
    date = candidate.api_date or identity.revision
    if held and not identity.revision:
        raise BakeoffError(
            f"{candidate.name}: {candidate.model} does not say which weights it has",
            "name a model whose revision or file is known",
        )
    if not held and not date:
        raise BakeoffError(
            f"{candidate.name}: {candidate.model} does not say of which date its version is",
            "write api_date: 2025-01-31, as its provider states it",
        )
    return Artefact(
        weights=identity.revision if held else "",
        api_model="" if held else identity.name,
        api_date="" if held else date,
        system_prompt=digest(candidate.system) if candidate.system else "",
        decoding=digest(asked),
    )


def verified(candidate: Candidate, identity: Identity) -> bool:
    """Whether the artefact was looked at here, and not taken from what an API says of itself."""
    return identity.engine in HELD and candidate.access == "public"
