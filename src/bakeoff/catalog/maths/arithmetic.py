"""Word problems with one whole number as the answer, made by rule."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from bakeoff.seed import item_random


def problems(seed: int, n: int) -> Iterable[Mapping[str, Any]]:
    """Rows with `id`, `kind`, the numbers `a`, `b`, `c` of the story, `question` and `answer` (an integer).

    The kinds take turns. Row i depends on (seed, i) alone.
    """
    for i in range(n):
        kind = _KINDS[i % len(_KINDS)]
        random = item_random(seed, "arithmetic", str(i), "item")
        a, b, c = kind.draw(random)
        name, other = random.sample(_NAMES, 2)
        question = kind.text.format(name=name, other=other, things=random.choice(_THINGS), a=a, b=b, c=c)
        yield {
            "id": f"arithmetic-{i}",
            "kind": kind.name,
            "a": a,
            "b": b,
            "c": c,
            "question": question,
            "answer": kind.solve(a, b, c),
        }


@dataclass(frozen=True, slots=True)
class _Kind:
    name: str
    text: str
    draw: Callable[[Random], tuple[int, int, int]]
    solve: Callable[[int, int, int], int]


def _small(random: Random) -> tuple[int, int, int]:
    return random.randint(3, 19), random.randint(2, 12), random.randint(2, 9)


def _falling(random: Random) -> tuple[int, int, int]:
    """a > b: what is left is at least 1."""
    b = random.randint(2, 12)
    return b + random.randint(1, 14), b, 0


def _tables(random: Random) -> tuple[int, int, int]:
    return random.randint(2, 9), random.randint(2, 9), random.randint(2, 9)


def _divisible(random: Random) -> tuple[int, int, int]:
    """a is a multiple of b."""
    b = random.randint(2, 6)
    return b * random.randint(2, 9), b, 0


def _affordable(random: Random) -> tuple[int, int, int]:
    """c is a round sum that pays for b things at a."""
    a, b = random.randint(2, 6), random.randint(2, 5)
    return a, b, 10 * (a * b // 10 + 1)


_KINDS = (
    _Kind(
        "gain",
        "{name} has {a} {things}. {other} gives {name} {b} more {things}. "
        "How many {things} does {name} have now?",
        _small,
        lambda a, b, _: a + b,
    ),
    _Kind(
        "loss",
        "{name} has {a} {things} and gives {b} of them to {other}. How many {things} does {name} have left?",
        _falling,
        lambda a, b, _: a - b,
    ),
    _Kind(
        "groups",
        "{name} has {a} boxes with {b} {things} in each box. How many {things} does {name} have?",
        _tables,
        lambda a, b, _: a * b,
    ),
    _Kind(
        "share",
        "{name} shares {a} {things} equally among {b} children. How many {things} does each child get?",
        _divisible,
        lambda a, b, _: a // b,
    ),
    _Kind(
        "together",
        "{name} has {a} {things}. {other} has {b} {things}. How many {things} do they have together?",
        _small,
        lambda a, b, _: a + b,
    ),
    _Kind(
        "change",
        "One of the {things} costs {a} dollars. {name} buys {b} of them and pays with {c} dollars. "
        "How many dollars does {name} get back?",
        _affordable,
        lambda a, b, c: c - a * b,
    ),
)

_NAMES = (
    "Amira", "Ben", "Carla", "Deniz", "Elena", "Farid", "Grace", "Hugo", "Ines", "Jonas",
    "Kofi", "Lena", "Marco", "Nadia", "Omar", "Petra", "Quinn", "Rosa", "Samir", "Tess",
)  # fmt: skip
_THINGS = (
    "apples", "marbles", "stamps", "pencils", "shells", "cards",
    "buttons", "books", "stickers", "candles", "plums", "beads",
)  # fmt: skip
