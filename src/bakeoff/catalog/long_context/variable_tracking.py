"""Chains of assignments in a long text, made by rule: which variables end up with a value?"""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from random import Random
from typing import Any

from bakeoff.catalog.long_context.haystack import characters, filler, hide
from bakeoff.errors import TaskError
from bakeoff.seed import item_random


def chains(
    seed: int, n: int, tokens: int = 4000, hops: int = 4, chains: int = 2
) -> Iterable[Mapping[str, Any]]:
    """Rows with `id`, `context`, `question`, `target` (the variables of one chain) and `meta`.

    Each of `chains` begins with a number and hands it on `hops` times, so that `hops` + 1 variables have it.
    Assignments stand in the order in which they happen, at depths drawn evenly; `depths` of the chain asked
    for are in `meta` with `tokens`, `characters`, `hops`, `chains` and `labels`, all variables. Row i depends
    on (seed, i, args) alone; its chains do not depend on `tokens`.

    Raises:
        TaskError: an argument out of range.
    """
    for name, value, most in (("hops", hops, 50), ("chains", chains, 20)):
        if not 1 <= value <= most:
            raise TaskError(f"{name} must be from 1 to {most}, got {value}")
    length = characters(tokens)
    for i in range(n):
        random = item_random(seed, "variable_tracking", str(i), "chains")
        names = _names(random, chains * (hops + 1))
        values = random.sample(range(10_000, 100_000), chains)
        groups = [names[k * (hops + 1) : (k + 1) * (hops + 1)] for k in range(chains)]
        depths = [sorted(round(random.uniform(0, 100), 1) for _ in group) for group in groups]
        hidden = [
            placed
            for group, value, at in zip(groups, values, depths, strict=True)
            for placed in zip(at, _assignments(group, value), strict=True)
        ]
        room = length - sum(len(sentence) + 1 for _, sentence in hidden)
        context = hide(filler(item_random(seed, "variable_tracking", str(i), "haystack"), room), hidden)
        yield {
            "id": f"variables-{i}",
            "context": context,
            "question": (
                f"Which variables hold the value {values[0]} at the end? "
                f"Answer with the {hops + 1} names only."
            ),
            "target": groups[0],
            "meta": {
                "tokens": tokens,
                "characters": len(context),
                "hops": hops,
                "chains": chains,
                "depths": depths[0],
                "labels": sorted(names),
            },
        }


def _assignments(names: list[str], value: int) -> list[str]:
    first = f"VAR {names[0]} = {value}."
    return [first, *(f"VAR {new} = VAR {old}." for old, new in pairwise(names))]


def _names(random: Random, n: int) -> list[str]:
    """Distinct names of five consonants, so that none is a word."""
    found: dict[str, None] = {}
    while len(found) < n:
        found["".join(random.choices("BCDFGHJKLMNPQRSTVWXZ", k=5))] = None
    return list(found)
