"""Content digests: the same content gives the same name on every machine."""

import hashlib
from typing import Any

import orjson


def canonical_json(value: Any) -> bytes:
    """`value` as JSON with sorted keys and no white space, so that equal values give equal bytes.

    Takes what orjson takes: dicts with string keys, lists, tuples, dataclasses, str, int, float, bool, None.

    Raises:
        TypeError: `value` holds something that is not JSON.
    """
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def digest(value: Any) -> str:
    """`sha256:` and the hex digest of the canonical JSON of `value`."""
    return digest_bytes(canonical_json(value))


def digest_bytes(data: bytes) -> str:
    """`sha256:` and the hex digest of `data`."""
    return "sha256:" + hashlib.sha256(data).hexdigest()
