"""Rows of MMLU-Pro."""

from collections.abc import Mapping
from typing import Any

_OPENING = "A: Let's think step by step. "


def row(row: Mapping[str, Any]) -> dict[str, Any]:
    """TIGER-Lab/MMLU-Pro. Rows of the validation split have a worked answer, here in `meta.cot`."""
    meta = {"category": row["category"], "src": row["src"]}
    if row["cot_content"]:
        meta["cot"] = row["cot_content"].replace(_OPENING, "")
    return {
        "id": str(row["question_id"]),
        "input": row["question"],
        "choices": row["options"],
        "target": row["answer_index"],
        "meta": meta,
    }
