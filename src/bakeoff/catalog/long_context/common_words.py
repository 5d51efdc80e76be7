"""A long list of words, made by rule: which ones are there most often?"""

from collections.abc import Iterable, Mapping
from typing import Any

from bakeoff.errors import TaskError
from bakeoff.seed import item_random

CHARACTERS_PER_TOKEN = 6.8
"""An estimate for a list of common words: 6.83 with the 49,152 tokens of SmolLM2."""
SHORTEST = 500


def lists(
    seed: int, n: int, tokens: int = 4000, common: int = 5, ratio: int = 4
) -> Iterable[Mapping[str, Any]]:
    """Rows with `id`, `context` (words with spaces between), `question`, `target` and `meta`.

    `common` words are each there `ratio` times as often as each of the other words, of which there are as
    many as it takes to reach sixty. In `meta`: `tokens`, `characters`, `common`, `ratio`, `often` and
    `seldom`, how often each common and each other word is there at least, and `labels`, all words. Row i
    depends on (seed, i, args) alone.

    Raises:
        TaskError: an argument out of range.
    """
    if tokens < SHORTEST:
        raise TaskError(f"tokens must be {SHORTEST} or more, got {tokens}", "shorter lists hide nothing")
    if not 1 <= common <= 10:
        raise TaskError(f"common must be from 1 to 10, got {common}")
    if not 3 <= ratio <= 10:
        raise TaskError(f"ratio must be from 3 to 10, got {ratio}", "below 3 the answer is hardly distinct")
    length = round(tokens * CHARACTERS_PER_TOKEN)
    for i in range(n):
        random = item_random(seed, "common_words", str(i), "item")
        words = random.sample(_WORDS, len(_WORDS))
        often, others = words[:common], words[common:]
        counts = _counts(often, others, ratio, length)
        drawn = [word for word, count in counts.items() for _ in range(count)]
        random.shuffle(drawn)
        context = " ".join(drawn)
        yield {
            "id": f"common-{i}",
            "context": context,
            "question": _question(common),
            "target": often,
            "meta": {
                "tokens": tokens,
                "characters": len(context),
                "common": common,
                "ratio": ratio,
                "often": min(counts[word] for word in often),
                "seldom": max(counts[word] for word in others),
                "labels": sorted(words),
            },
        }


def _counts(often: list[str], others: list[str], ratio: int, length: int) -> dict[str, int]:
    """How often each word is there, so that the list has `length` characters but for one word."""
    once = sum(len(word) + 1 for word in others) + ratio * sum(len(word) + 1 for word in often)
    base = length // once
    counts = dict.fromkeys(often, ratio * base) | dict.fromkeys(others, base)
    left = length - base * once
    while left > 0:
        for word in others:
            if left <= 0:
                break
            counts[word] += 1
            left -= len(word) + 1
    return counts


def _question(common: int) -> str:
    if common == 1:
        return "Which word is there most often in this list? Answer with the word only."
    return f"Which {common} words are there most often in this list? Answer with the {common} words only."


_WORDS = (
    "acorn", "apple", "arrow", "banana", "basket", "blanket", "bottle", "bread", "bucket", "butter",
    "button", "candle", "carpet", "castle", "cheese", "cherry", "circle", "cloud", "coffee", "corner",
    "cotton", "crown", "desert", "diamond", "engine", "feather", "finger", "flower", "forest", "garlic",
    "guitar", "hammer", "harbor", "honey", "island", "jacket", "jungle", "kitten", "lemon", "letter",
    "magnet", "marble", "meadow", "mirror", "monkey", "needle", "orange", "parrot", "pencil", "pepper",
    "pillow", "planet", "rabbit", "ribbon", "rocket", "sugar", "ticket", "turtle", "valley", "window",
)  # fmt: skip
