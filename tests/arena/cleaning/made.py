"""Votes to clean: by hand, and of simulated people and bots."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from bakeoff.arena.votes.battle import Battle
from bakeoff.arena.votes.coded import Coded
from bakeoff.arena.votes.pseudonym import pseudonym
from bakeoff.arena.votes.votes import Votes, votes_of


def battle(name: str, **fields: Any) -> Battle:
    """A battle of `m` and `n` that `a` won, unless told otherwise; `voter` and `prompt` in clear."""
    for key in ("voter", "prompt"):
        if fields.get(key) is not None:
            fields[key] = pseudonym(fields[key])
    return Battle(**{"id": name, "model_a": "m", "model_b": "n", "outcome": "a"} | fields)


def votes(*battles: Battle) -> Votes:
    return votes_of(battles)


def shuffled(found: Votes, seed: int = 0) -> tuple[Votes, Any]:
    """The same votes in another order, and the places they came from."""
    order = np.random.default_rng(seed).permutation(len(found))
    said = list(found.texts)
    return (
        Votes(
            found.models,
            found.model_a[order],
            found.model_b[order],
            found.outcome[order],
            found.key[order],
            found.voter[order],
            found.prompt[order],
            found.at[order],
            Coded(found.language.names, found.language.codes[order]),
            Coded(found.tags.names, found.tags.codes[order]),
            found.blind[order],
            found.gold[order],
            found.share[order],
            found.style[order],
            tuple(said[row] for row in order),
        ),
        order,
    )


@dataclass(frozen=True)
class Crowd:
    """Simulated votes, and what each voter is; the voter of place v has the pseudonym v + 1."""

    votes: Votes
    kinds: tuple[str, ...]

    def found(self, mask: Any, kind: str) -> float:
        """The share of voters of a kind who lost their votes."""
        bad = set(self.votes.voter[mask].tolist())
        of_kind = [number for number, each in enumerate(self.kinds, 1) if each == kind]
        return sum(number in bad for number in of_kind) / len(of_kind)


def crowd(
    seed: int,
    *,
    people: int = 100,
    bots: tuple[str, ...] = (),
    models: int = 12,
    each: int = 60,
    ties: float = 0.2,
    careless: float = 0.0,
    lean: float = 0.0,
    spread: float = 0.9,
) -> Crowd:
    """People vote by Bradley-Terry strengths of standard deviation `spread` and call so many ties.

    Each clicks at random in a share of cases that is uniform up to `careless`, and leans to the first answer
    by log-odds of standard deviation `lean`. Bots click at `random`, choose the `first` or `second` answer in
    97 % of cases, `stuff` one middling model (all their battles have it), or go `contrary` to people.
    """
    rng = np.random.default_rng(seed)
    strength = rng.normal(0, spread, models)
    kinds = ("person",) * people + bots
    voter = np.repeat(np.arange(len(kinds)), each)
    n = len(voter)
    a = rng.integers(0, models, n)
    b = (a + rng.integers(1, models, n)) % models
    target = int(np.argsort(strength)[models // 2])
    kind = np.array(kinds)[voter]
    stuffing = kind == "stuff"
    other = (target + rng.integers(1, models, n)) % models
    swap = rng.random(n) < 0.5
    a = np.where(stuffing, np.where(swap, target, other), a)
    b = np.where(stuffing, np.where(swap, other, target), b)
    by_strength = 1 / (1 + np.exp(-(strength[a] - strength[b] + rng.normal(0, lean, len(kinds))[voter])))
    clicking = rng.uniform(0, careless, len(kinds))[voter] if careless else np.zeros(n)
    first = by_strength * (1 - clicking) + clicking / 2
    first = np.select(
        [kind == "random", kind == "first", kind == "second", stuffing, kind == "contrary"],
        [0.5, 0.97, 0.03, (a == target).astype(float), 1 - by_strength],
        first,
    )
    outcome = np.where(rng.random(n) < first, 0, 1)
    human = (kind == "person") | (kind == "random") | (kind == "contrary")
    outcome = np.where(human & (rng.random(n) < ties), 2, outcome)
    none = Coded((), np.full(n, -1, dtype=np.int32))
    found = Votes(
        models=tuple(f"m{number:02}" for number in range(models)),
        model_a=a.astype(np.int32),
        model_b=b.astype(np.int32),
        outcome=outcome.astype(np.int8),
        key=rng.permutation(np.arange(1, n + 1)).astype(np.uint64),
        voter=(voter + 1).astype(np.uint64),
        prompt=np.zeros(n, dtype=np.uint64),
        at=np.full(n, "NaT", dtype="datetime64[us]"),
        language=none,
        tags=none,
        blind=np.ones(n, dtype=np.int8),
        gold=np.full(n, -1, dtype=np.int8),
        share=np.full(n, np.nan),
        style=np.full((n, 2, 4), np.nan, dtype=np.float32),
        texts=[()] * n,  # type: ignore[arg-type]
    )
    return Crowd(found, kinds)
