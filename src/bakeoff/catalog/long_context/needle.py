"""Needles in a haystack, made by rule: numbers to find by their owner, people by what is implied."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from bakeoff.catalog.long_context.haystack import characters, depth_of, filler, hide
from bakeoff.errors import TaskError
from bakeoff.seed import item_random

KINDS = ("single", "multi_key", "multi_value", "multi_query", "no_overlap")


def needles(
    seed: int, n: int, tokens: int = 4000, needles: int = 4, kind: str = "all"
) -> Iterable[Mapping[str, Any]]:
    """Rows with `id`, `context`, `question`, `target` (all texts to name) and `meta`.

    `tokens` is the length of the context (`haystack.characters`), `needles` how many a context with several
    holds, and `kind` one of `KINDS`, or `all` for the first four in turn:

    | kind | the context holds | the answer is |
    |---|---|---|
    | `single` | one number | the number |
    | `multi_key` | numbers of several owners | the number of one |
    | `multi_value` | several numbers of one owner | all of them |
    | `multi_query` | numbers of several owners | the number of each |
    | `no_overlap` | people by landmarks of several cities | who is in one of the cities |

    In `meta`: `kind`, `tokens`, `characters` of the context, `depth` of the first needle asked for, in per
    cent of the sentences before it, `depths` of all, and `labels`, the answers of all needles. The first
    needle stands at each of eleven depths equally often, and the others are spread evenly from there. Row i
    depends on (seed, i, args) alone; its needles do not depend on `tokens`.

    Raises:
        TaskError: an argument out of range.
    """
    if kind not in (*KINDS, "all"):
        raise TaskError(f"kind must be one of {', '.join(KINDS)} or all, got {kind!r}")
    if not 2 <= needles <= len(_CITIES):
        raise TaskError(f"needles must be from 2 to {len(_CITIES)}, got {needles}")
    kinds = KINDS[:4] if kind == "all" else (kind,)
    length = characters(tokens)
    for i in range(n):
        kind_here = kinds[i % len(kinds)]
        hidden = _MAKERS[kind_here](item_random(seed, "needle", str(i), kind_here), needles)
        first = depth_of(seed, f"needle {kind_here}", i // len(kinds))
        depths = [first + 100 * k / len(hidden.sentences) for k in range(len(hidden.sentences))]
        depths = [round(depth if depth <= 100 else depth - 100, 1) for depth in depths]
        room = length - sum(len(each) + 1 for each in hidden.sentences)
        sentences = filler(item_random(seed, "needle", str(i), "haystack"), room)
        context = hide(sentences, zip(depths, hidden.sentences, strict=True))
        yield {
            "id": f"needle-{i}",
            "context": context,
            "question": hidden.question,
            "target": list(hidden.answers),
            "meta": {
                "kind": kind_here,
                "tokens": tokens,
                "characters": len(context),
                "depth": first,
                "depths": depths,
                "labels": list(hidden.labels),
            },
        }


@dataclass(frozen=True, slots=True)
class _Hidden:
    """`sentences` to hide, the first of which is asked for, and what is asked of them."""

    sentences: Sequence[str]
    question: str
    answers: Sequence[str]
    labels: Sequence[str]


def _single(random: Random, _: int) -> _Hidden:
    return _of_one(random, 1)


def _multi_key(random: Random, needles: int) -> _Hidden:
    owners, numbers = _owners(random, needles), _numbers(random, needles)
    return _Hidden(_said(owners, numbers), _ask(owners[0]), numbers[:1], numbers)


def _multi_value(random: Random, needles: int) -> _Hidden:
    return _of_one(random, needles)


def _of_one(random: Random, needles: int) -> _Hidden:
    owner, numbers = _owners(random, 1)[0], _numbers(random, needles)
    if needles == 1:
        return _Hidden(_said([owner], numbers), _ask(owner), numbers, numbers)
    sentences = [f"One access number of the {owner} is {number}." for number in numbers]
    question = f"What are all the access numbers of the {owner}? Answer with the {needles} numbers only."
    return _Hidden(sentences, question, numbers, numbers)


def _multi_query(random: Random, needles: int) -> _Hidden:
    owners, numbers = _owners(random, needles), _numbers(random, needles)
    *most, last = [f"of the {owner}" for owner in random.sample(owners, needles)]
    question = f"What are the access numbers {', '.join(most)} and {last}? Answer with the numbers only."
    return _Hidden(_said(owners, numbers), question, numbers, numbers)


def _no_overlap(random: Random, needles: int) -> _Hidden:
    """What is asked and what is hidden share no word: a city, and a landmark of it."""
    names = random.sample(_PEOPLE, needles)
    cities = random.sample(sorted(_CITIES), needles)
    sentences = [
        f"{name} keeps a small shop beside {_CITIES[city]}." for name, city in zip(names, cities, strict=True)
    ]
    question = f"Which person works in {cities[0]}? Answer with that person's name only."
    return _Hidden(sentences, question, names[:1], names)


_MAKERS = {
    "single": _single,
    "multi_key": _multi_key,
    "multi_value": _multi_value,
    "multi_query": _multi_query,
    "no_overlap": _no_overlap,
}


def _ask(owner: str) -> str:
    return f"What is the access number of the {owner}? Answer with the number only."


def _said(owners: Sequence[str], numbers: Sequence[str]) -> list[str]:
    return [
        f"The access number of the {owner} is {number}."
        for owner, number in zip(owners, numbers, strict=True)
    ]


def _owners(random: Random, n: int) -> list[str]:
    """Distinct owners; none shares a word with another."""
    pairs = zip(random.sample(_COLOURS, n), random.sample(_ANIMALS, n), strict=True)
    return [f"{colour} {animal}" for colour, animal in pairs]


def _numbers(random: Random, n: int) -> list[str]:
    """Distinct numbers of seven digits."""
    return [str(number) for number in random.sample(range(1_000_000, 10_000_000), n)]


_COLOURS = (
    "amber", "azure", "crimson", "emerald", "indigo", "ivory", "jade", "lilac", "magenta", "maroon",
    "ochre", "olive", "orange", "scarlet", "silver", "teal", "turquoise", "violet", "white", "yellow",
)  # fmt: skip
_ANIMALS = (
    "badger", "beaver", "camel", "cobra", "dolphin", "falcon", "gecko", "heron", "ibex", "jackal",
    "koala", "lynx", "marmot", "otter", "panther", "raven", "salmon", "tapir", "walrus", "zebra",
)  # fmt: skip
_PEOPLE = (
    "Akira", "Beatriz", "Chidi", "Dagny", "Eszter", "Fatima", "Giulia", "Henrik", "Ingrid", "Joaquin",
    "Katya", "Leilani", "Mateus", "Nkechi", "Oksana", "Priya", "Rashid", "Svetlana", "Tomasz", "Yolanda",
)  # fmt: skip
_CITIES = {
    "Agra": "the Taj Mahal",
    "Athens": "the Parthenon",
    "Barcelona": "the Sagrada Familia",
    "Beijing": "the Forbidden City",
    "Berlin": "the Brandenburg Gate",
    "Cairo": "the Great Sphinx",
    "Cape Town": "Table Mountain",
    "Copenhagen": "the Little Mermaid statue",
    "Dubai": "the Burj Khalifa",
    "Istanbul": "the Hagia Sophia",
    "London": "Big Ben",
    "Moscow": "the Kremlin",
    "Paris": "the Eiffel Tower",
    "Prague": "the Charles Bridge",
    "Rome": "the Colosseum",
    "San Francisco": "the Golden Gate Bridge",
}
