"""Rows of GPQA."""

import re
from collections.abc import Mapping
from typing import Any


def row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Idavidrein/gpqa. The right answer comes last, so that the task must shuffle.

    `meta.without_brackets` maps each choice that holds text in square brackets to the choice without it, as
    the Open LLM Leaderboard shows it: a cleaning made for another benchmark, which there also takes away
    chemical formulae.
    """
    choices = [_tidy(row[f"Incorrect Answer {number}"]) for number in (1, 2, 3)] + [
        _tidy(row["Correct Answer"])
    ]
    cut = {choice: re.sub(r"\[.*?\]", "", choice).replace("  ", " ") for choice in choices}
    return {
        "id": row["Record ID"],
        "input": row["Question"],
        "choices": choices,
        "target": 3,
        "meta": {
            "domain": row["High-level domain"],
            "subdomain": row["Subdomain"],
            "without_brackets": {choice: text for choice, text in cut.items() if text != choice},
        },
    }


def _tidy(text: str) -> str:
    return text.strip().replace(" [title]", ". ").replace("  ", " ")
