"""Rows of HellaSwag, cleaned of what its sources left in them."""

import re
from collections.abc import Mapping
from typing import Any


def row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Rowan/hellaswag: the activity, then the context, as lm-evaluation-harness puts them together."""
    context = f"{row['activity_label']}: {row['ctx_a']} {row['ctx_b'].capitalize()}"
    return {
        "id": str(row["ind"]),
        "input": cleaned(context),
        "choices": [cleaned(ending) for ending in row["endings"]],
        # Labels of the test split are not public.
        "target": int(row["label"]) if row["label"] != "" else None,
        "meta": {"activity": row["activity_label"], "source": row["source_id"].partition("~")[0]},
    }


def cleaned(text: str) -> str:
    """Without WikiHow's marks: ` [title]` ends a sentence, other brackets go, double spaces become one."""
    text = text.strip().replace(" [title]", ". ")
    return re.sub(r"\[.*?\]", "", text).replace("  ", " ")
