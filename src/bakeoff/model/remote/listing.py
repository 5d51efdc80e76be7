"""What a server says it serves, and whether an answer came from the model that was asked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from bakeoff.errors import ModelError


@dataclass(frozen=True, slots=True)
class Entry:
    """One model of a server's list: its id, the other names it goes by, and what the server knows of it."""

    id: str
    names: frozenset[str]
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def revision(self) -> str:
        """What identifies the weights: `root`, `parent`, digests and the sizes llama.cpp reads from the file.

        Times of creation are left out: most servers put the time of the request there.
        """
        meta = self.facts.get("meta")
        sizes = meta if isinstance(meta, dict) else {}
        found = {key: self.facts.get(key) for key in ("root", "parent", "digest", "sha256", "revision")}
        found |= {key: sizes.get(key) for key in ("n_params", "size", "ftype", "n_vocab", "n_embd")}
        said = {key: value for key, value in found.items() if value not in (None, "", self.id)}
        return " ".join(f"{key}={value}" for key, value in said.items())

    @property
    def context_length(self) -> int | None:
        """Tokens of context, under the names that vLLM, llama.cpp, OpenRouter and Groq give it."""
        meta = self.facts.get("meta")
        places = [self.facts, meta if isinstance(meta, dict) else {}]
        for key in ("max_model_len", "n_ctx", "context_length", "context_window", "max_context_length"):
            for place in places:
                value = place.get(key)
                if isinstance(value, int) and value > 0:
                    return value
        return None


@dataclass(frozen=True, slots=True)
class Listing:
    """The models of a server; without entries, one that does not tell."""

    entries: tuple[Entry, ...] = ()

    def find(self, asked: str) -> Entry | None:
        """The entry of the model `asked`: by id, by another of its names, or as a dated snapshot (newest)."""
        return max(self._fits(asked), key=lambda entry: entry.id, default=None)

    def snapshot(self, asked: str) -> str:
        """The dated snapshot that `asked` is or stands for; empty where the list leaves that open."""
        fits = self._fits(asked)
        return fits[0].id if len(fits) == 1 and _DATED.search(fits[0].id) else ""

    def missing(self, asked: str, url: str, said: str = "") -> ModelError:
        """The error for a model the server does not have, with those it has, nearest first."""
        ids = sorted(
            (entry.id for entry in self.entries),
            key=lambda id_: (-SequenceMatcher(None, asked.lower(), id_.lower()).ratio(), id_),
        )
        more = f" and {len(ids) - 10} more" if len(ids) > 10 else ""
        offer = f"It offers: {', '.join(ids[:10])}{more}." if ids else ""
        detail = f": {said}" if said else ""
        return ModelError(f"{url} has no model {asked!r}{detail}", offer)

    def _fits(self, asked: str) -> list[Entry]:
        exact = [entry for entry in self.entries if entry.id == asked]
        return exact or [
            entry
            for entry in self.entries
            if asked in entry.names or same_model(asked, entry.id) or _wildcard(entry.id, asked)
        ]


def read_listing(payload: Any) -> Listing:
    """The list in the reply to GET /models; entries we cannot read are skipped."""
    data = payload.get("data") if isinstance(payload, dict) else payload
    entries = []
    for fact in data if isinstance(data, list) else []:
        if isinstance(fact, dict) and isinstance(fact.get("id"), str):
            aliases = fact.get("aliases")
            names = [fact["id"], fact.get("root"), *(aliases if isinstance(aliases, list) else [])]
            entries.append(
                Entry(fact["id"], frozenset(name for name in names if isinstance(name, str)), fact)
            )
    return Listing(tuple(entries))


def same_model(asked: str, answered: str) -> bool:
    """Whether a server that answers as `answered` may be serving the model `asked`.

    It may when the names are equal but for case, an organisation or path in front that only one of them has,
    a file ending, or an Ollama or OpenRouter tag; and when `answered` is a dated snapshot of `asked`
    (gpt-4o, gpt-4o-2024-08-06; claude-sonnet-4-0, claude-sonnet-4-20250514). Never the other way round: who
    asks for a snapshot gets that snapshot. gpt-4o-mini is not gpt-4o.
    """
    ours, theirs = _plain(asked), _plain(answered)
    if "/" in ours and "/" in theirs and not ours.startswith("/") and not theirs.startswith("/"):
        return _equal_or_snapshot(ours, theirs)
    return _equal_or_snapshot(ours.rpartition("/")[2], theirs.rpartition("/")[2])


_DATED = re.compile(
    r"[-@:](\d{4}-\d{2}-\d{2}|\d{2}-\d{4}|\d{2}-\d{2}|\d{8}(-v\d+(:\d+)?)?|\d{6}|\d{4}|\d{3})$"
)


def _equal_or_snapshot(ours: str, theirs: str) -> bool:
    if ours == theirs or ours.partition(":")[0] == theirs:
        return True
    stems = {ours, re.sub(r"-(latest|0)$", "", ours)}
    return any(theirs.startswith(stem) and _DATED.fullmatch(theirs[len(stem) :]) for stem in stems)


def _plain(name: str) -> str:
    name = name.casefold().replace("\\", "/")
    for ending in (".gguf", ":latest"):
        name = name.removesuffix(ending)
    return name.removeprefix("models/")


def _wildcard(pattern: str, name: str) -> bool:
    """Gateways list `openai/*` for whatever they pass on."""
    return pattern.endswith("*") and name.startswith(pattern[:-1])
