"""Rows of TruthfulQA."""

from collections.abc import Mapping
from typing import Any

Row = dict[str, Any]


def multiple_choice(row: Mapping[str, Any]) -> Row:
    """truthfulqa/truthful_qa, configuration `multiple_choice`: one true choice (MC1), and several (MC2)."""
    one, several = row["mc1_targets"], row["mc2_targets"]
    return {
        "input": row["question"],
        "choices": one["choices"],
        "target": one["labels"].index(1),
        "meta": {"mc2_choices": several["choices"], "mc2_labels": several["labels"]},
    }


def generation(row: Mapping[str, Any]) -> Row:
    """truthfulqa/truthful_qa, configuration `generation`: texts that are true, and texts that are false."""
    meta = {
        name: row[name] for name in ("category", "type", "correct_answers", "incorrect_answers", "source")
    }
    return {"input": row["question"], "target": row["correct_answers"], "meta": meta}
