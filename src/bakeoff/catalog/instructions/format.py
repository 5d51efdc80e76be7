"""Instructions whose answer is an exact string, made by rule: the task is to write it and nothing else."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any

from bakeoff.seed import item_random


def instructions(seed: int, n: int) -> Iterable[Mapping[str, Any]]:
    """Rows with `id`, `kind`, `words` (what the answer is made of), `instruction` and `answer`.

    `answer` is the list of accepted texts. `example_instruction` and `example_answer` are another instruction
    of the same kind, made of other words. The kinds take turns, and so do the words that come first: no row
    is there twice among the first 320. Row i depends on (seed, i) alone.
    """
    for i in range(n):
        random = item_random(seed, "format", str(i), "item")
        kind, write = _KINDS[i % len(_KINDS)]
        first = _first_word(seed, kind, i // len(_KINDS))
        words = [first, *random.sample([word for word in _WORDS if word != first], 5)]
        instruction, *answers = write(random, words[:3])
        example, answer, *_ = write(random, words[3:])
        yield {
            "id": f"format-{i}",
            "kind": kind,
            "words": words[:3],
            "instruction": instruction,
            "answer": answers,
            "example_instruction": example,
            "example_answer": answer,
        }


def _first_word(seed: int, kind: str, turn: int) -> str:
    """All words in a shuffled order, then in another."""
    deck = list(_WORDS)
    item_random(seed, "format", f"{kind} {turn // len(deck)}", "deck").shuffle(deck)
    return deck[turn % len(deck)]


def _title(_: Random, words: Sequence[str]) -> tuple[str, ...]:
    return f"Write with a capital letter: {words[0]}", words[0].capitalize()


def _brackets(_: Random, words: Sequence[str]) -> tuple[str, ...]:
    return f"Put brackets around the word: {words[0]}", f"[{words[0]}]"


def _quotes(_: Random, words: Sequence[str]) -> tuple[str, ...]:
    return f"Write the word {words[0]} in double quotes.", f'"{words[0]}"'


def _repeat(_: Random, words: Sequence[str]) -> tuple[str, ...]:
    return f"Write the word {words[0]} three times, with commas between.", ", ".join([words[0]] * 3)


def _dashes(_: Random, words: Sequence[str]) -> tuple[str, ...]:
    return f"Join these words with dashes: {' '.join(words)}", "-".join(words)


def _commas(_: Random, words: Sequence[str]) -> tuple[str, ...]:
    return f"Make a comma-separated list of these words: {' '.join(words)}", ", ".join(words)


def _numbered(_: Random, words: Sequence[str]) -> tuple[str, ...]:
    names = [word.capitalize() for word in words]
    lines = [f"{number}. {name}" for number, name in enumerate(names, 1)]
    return f"Write these as a numbered list: {', '.join(names)}", "\n".join(lines)


def _json(random: Random, words: Sequence[str]) -> tuple[str, ...]:
    key = random.choice(("item", "name", "label", "title"))
    instruction = f'Write a JSON object with the key "{key}" and the value "{words[0]}".'
    return instruction, f'{{"{key}": "{words[0]}"}}', f'{{"{key}":"{words[0]}"}}'


_KINDS: tuple[tuple[str, Callable[[Random, Sequence[str]], tuple[str, ...]]], ...] = (
    ("numbered", _numbered),
    ("brackets", _brackets),
    ("title", _title),
    ("dashes", _dashes),
    ("repeat", _repeat),
    ("json", _json),
    ("quotes", _quotes),
    ("commas", _commas),
)

_WORDS = (
    "anchor", "basket", "candle", "desert", "engine", "forest", "garden", "hammer", "island", "jacket",
    "kettle", "ladder", "mirror", "needle", "orange", "pepper", "rabbit", "saddle", "ticket", "violin",
    "window", "bridge", "copper", "dragon", "feather", "lantern", "market", "oyster", "planet", "river",
    "acorn", "blanket", "canyon", "donkey", "eagle", "falcon", "glacier", "harbor", "insect", "jungle",
)  # fmt: skip
