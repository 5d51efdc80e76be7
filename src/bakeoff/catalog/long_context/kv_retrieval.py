"""One value out of a JSON object of random pairs, made by rule."""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any
from uuid import UUID

from bakeoff.catalog.long_context.haystack import depth_of
from bakeoff.errors import TaskError
from bakeoff.seed import item_random


def pairs(seed: int, n: int, pairs: int = 75) -> Iterable[Mapping[str, Any]]:
    """Rows with `id`, `input` (the object, then the key), `target` (its value) and `meta`.

    In `meta`: `n_keys`, `gold_position` (0-based) and `depth`, the position in per cent, which is each of
    eleven depths equally often. Row i depends on (seed, i, pairs) alone.

    Raises:
        TaskError: fewer than two pairs.
    """
    if pairs < 2:
        raise TaskError(f"pairs must be 2 or more, got {pairs}")
    for i in range(n):
        random = item_random(seed, "kv_retrieval", str(i), "pairs")
        drawn = [(_uuid(random), _uuid(random)) for _ in range(pairs)]
        depth = depth_of(seed, "kv_retrieval", i)
        position = round(depth / 100 * (pairs - 1))
        lines = ",\n".join(f'"{key}": "{value}"' for key, value in drawn)
        yield {
            "id": f"kv-{i}",
            "input": f'JSON data:\n{{\n{lines}\n}}\n\nKey: "{drawn[position][0]}"\nCorresponding value:',
            "target": drawn[position][1],
            "meta": {"n_keys": pairs, "gold_position": position, "depth": depth},
        }


def _uuid(random: Random) -> str:
    return str(UUID(int=random.getrandbits(128), version=4))
