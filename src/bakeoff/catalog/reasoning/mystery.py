"""Small whodunits with four suspects, of whom exactly one fits the clues, made by rule."""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from bakeoff.seed import item_random

_SUSPECTS = 4


def cases(seed: int, n: int) -> Iterable[Mapping[str, Any]]:
    """Rows with `id`, `kind`, `story`, `question`, `choices` (four names), `answer` (index of the culprit).

    `suspects` maps each name to its traits, `clues` each clue's trait to the culprit's. With one clue, every
    suspect differs in that trait; with two, one innocent fits the first, one the second, nobody both. Cases
    of the two kinds take turns by twos. Of four cases (from a multiple of four on) the culprit is once in
    each position. Row i depends on (seed, i) alone.
    """
    for i in range(n):
        random = item_random(seed, "mystery", str(i), "item")
        names = random.sample(_NAMES, _SUSPECTS)
        culprit = _position(seed, i)
        if i // 2 % 2 == 0:
            kind, suspects = "one clue", _one_clue(random, names)
        else:
            kind, suspects = "two clues", _two_clues(random, names, culprit)
        clues = suspects[names[culprit]]
        thing = random.choice(_STOLEN)
        sentences = [f"The {thing} is gone."]
        sentences += [f"{name} {_and(traits)}." for name, traits in suspects.items()]
        sentences += [f"The thief {_and(clues)}."]
        yield {
            "id": f"mystery-{i}",
            "kind": kind,
            "story": " ".join(sentences),
            "question": f"Who took the {thing}?",
            "suspects": suspects,
            "clues": clues,
            "choices": names,
            "answer": culprit,
        }


def _position(seed: int, i: int) -> int:
    """Where the culprit of row i stands: for each block of rows, the positions shuffled."""
    positions = list(range(_SUSPECTS))
    item_random(seed, "mystery", f"block {i // _SUSPECTS}", "culprit").shuffle(positions)
    return positions[i % _SUSPECTS]


def _one_clue(random: Random, names: list[str]) -> dict[str, dict[str, str]]:
    """A different value for everybody, so whoever is the culprit, the clue fits nobody else."""
    trait = random.choice(sorted(_TRAITS))
    return {name: {trait: value} for name, value in zip(names, random.sample(_TRAITS[trait], 4), strict=True)}


def _two_clues(random: Random, names: list[str], culprit: int) -> dict[str, dict[str, str]]:
    """Two values of two traits, in all four combinations: each value is there twice and tells nothing."""
    first, second = random.sample(sorted(_TRAITS), 2)
    a, other_a = random.sample(_TRAITS[first], 2)
    b, other_b = random.sample(_TRAITS[second], 2)
    innocent = [(a, other_b), (other_a, b), (other_a, other_b)]
    random.shuffle(innocent)
    innocent.insert(culprit, (a, b))
    return {name: {first: x, second: y} for name, (x, y) in zip(names, innocent, strict=True)}


def _and(traits: Mapping[str, str]) -> str:
    return " and ".join(_SAYS[trait].format(value) for trait, value in traits.items())


_TRAITS = {
    "hat": ("red", "blue", "green", "yellow"),
    "pet": ("cat", "dog", "parrot", "goat"),
    "place": ("kitchen", "garden", "library", "attic"),
    "drink": ("tea", "coffee", "milk", "juice"),
}
_SAYS = {
    "hat": "wore a {} hat",
    "pet": "has a {}",
    "place": "was in the {}",
    "drink": "drank {}",
}
_NAMES = ("Anna", "Ben", "Carl", "Diana", "Emma", "Frank", "Grace", "Henry", "Ian", "Julia", "Kate", "Leo")
_STOLEN = ("crown", "painting", "ring", "violin", "map", "cake", "clock", "statue", "diary", "lamp")
