"""Randomness that depends on what is drawn for, never on when.

Every draw is seeded by (seed, task, item id, purpose). Order, `--limit`, batch size and the number of
workers therefore change no prompt and no sampled answer.
"""

import hashlib
import random

from bakeoff.digest import canonical_json


def item_seed(seed: int, task: str, item_id: str, purpose: str) -> int:
    """A 31-bit seed, the same for the same four arguments on every machine and Python version.

    31 bits, because the wire formats and engines we send it to read a signed 32-bit integer.
    """
    key = canonical_json([seed, task, item_id, purpose])
    return int.from_bytes(hashlib.sha256(key).digest()[:4], "big") >> 1


def item_random(seed: int, task: str, item_id: str, purpose: str) -> random.Random:
    """A generator of its own for one purpose of one item; see `item_seed`."""
    return random.Random(item_seed(seed, task, item_id, purpose))  # noqa: S311 (not for secrets)
