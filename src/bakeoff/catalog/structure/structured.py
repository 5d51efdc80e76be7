"""JSONSchemaBench and BFCL's single-turn questions."""

from collections.abc import Mapping
from typing import Any

_NO_CALL = ("irrelevance", "live_irrelevance")
_ANY_CALL = ("live_relevance",)


def json_schema(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of epfl-dlab/JSONSchemaBench. There is no right answer, only valid ones."""
    group, _, _ = columns["unique_id"].partition("---")
    return {
        "id": columns["unique_id"],
        "input": columns["json_schema"],
        "target": None,
        "meta": {"source": group},
    }


def bfcl(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A line of BFCL's `BFCL_v4_<category>.json`, with `ground_truth` of its line in `possible_answer/`.

    Categories without possible answers have as target `no call`, or `any call`.
    """
    category = columns["id"].rpartition("_")[0]
    while category and category[-1].isdigit():
        category = category.rstrip("0123456789-").rstrip("_")
    target: Any = columns.get("ground_truth")
    if category in _NO_CALL + _ANY_CALL:
        target = "no call" if category in _NO_CALL else "any call"
    return {
        "id": columns["id"],
        "messages": list(columns["question"][0]),
        "target": target,
        "split": category,
        "meta": {"functions": list(columns["function"])},
    }
