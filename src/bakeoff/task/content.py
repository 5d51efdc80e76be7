"""What an item says, whatever it is called and wherever it stands."""

import hashlib
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from bakeoff.digest import canonical_json, digest, digest_bytes
from bakeoff.errors import TaskError
from bakeoff.nouns import Item

_BITS = 2048


def content_key(item: Item) -> bytes:
    """The same for two items that ask the same: equal input and choices, but for case, white space and the
    order of the choices. Such an item must not be shown as an example for the other."""
    choices = sorted(_normal(choice) for choice in item.choices)
    said = _normal(item.input) if isinstance(item.input, str) else [asdict(each) for each in item.input]
    return hashlib.sha256(canonical_json([said, choices])).digest()[:16]


def item_digest(item: Item) -> str:
    """What is asked and what is right, whatever the item is called: `sha256:` over input, choices and target.

    Two runs, even of two tasks, put the same question where their items' digests agree.
    """
    said = item.input if isinstance(item.input, str) else [asdict(each) for each in item.input]
    return digest([said, item.choices, item.target])


def item_content(item: Item, consumed: frozenset[str]) -> bytes:
    """All of an item that can change a prompt or a score, as canonical JSON.

    `consumed` are the columns that the item already holds in another form: a target written as a letter
    or as an index is the same item.

    Raises:
        TaskError: a column holds something that is not JSON.
    """
    others = {
        key: value
        for key, value in item.fields.items()
        if key not in consumed and not (key in ("meta", "metadata") and value == item.metadata)
    }
    value: list[Any] = [
        item.id,
        item.input if isinstance(item.input, str) else [asdict(each) for each in item.input],
        item.choices,
        item.target,
        item.group,
        dict(item.metadata),
        others,
    ]
    try:
        return canonical_json(value)
    except TypeError as error:
        raise TaskError(f"item {item.id}: its columns must be JSON: {error}") from None


class ContentDigest:
    """The digest of a set of contents, in any order, in constant memory.

    The sum, modulo 2**2048, of a 2048-bit hash of each content (the additive hash of Bellare and Micciancio
    1997), then hashed. At this width the best known collision attack (Wagner 2002) takes some 2**90 steps.
    """

    def __init__(self, contents: Iterable[bytes] = ()) -> None:
        self._sum = 0
        self._count = 0
        for content in contents:
            self.add(content)

    def add(self, content: bytes) -> None:
        """Take in one content."""
        self._sum += int.from_bytes(hashlib.shake_256(content).digest(_BITS // 8), "big")
        self._sum &= (1 << _BITS) - 1
        self._count += 1

    def __str__(self) -> str:
        return digest_bytes(self._count.to_bytes(8, "big") + self._sum.to_bytes(_BITS // 8, "big"))


def _normal(text: str) -> str:
    return " ".join(text.split()).casefold()
