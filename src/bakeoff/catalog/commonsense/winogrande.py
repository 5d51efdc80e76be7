"""Rows of WinoGrande."""

from collections.abc import Mapping
from typing import Any


def row(row: Mapping[str, Any]) -> dict[str, Any]:
    """allenai/winogrande: a sentence with one `_`, and two options for it."""
    return {
        "input": row["sentence"],
        "choices": [row["option1"], row["option2"]],
        # Answers of the test split are not public.
        "target": int(row["answer"]) - 1 if row["answer"] else None,
        "meta": {},
    }
