"""Rows whose choices stand as `{text: […], label: […]}`, with the label of the right one as `answerKey`."""

from collections.abc import Mapping
from typing import Any

Row = dict[str, Any]


def arc(row: Mapping[str, Any]) -> Row:
    """allenai/ai2_arc: labels are A to E, or 1 to 5 in exams that number their options."""
    return {**_item(row, "question"), "meta": {"labels": row["choices"]["label"]}}


def openbookqa(row: Mapping[str, Any]) -> Row:
    """allenai/openbookqa."""
    return {**_item(row, "question_stem"), "meta": {}}


def commonsense_qa(row: Mapping[str, Any]) -> Row:
    """tau/commonsense_qa."""
    return {**_item(row, "question"), "meta": {"concept": row["question_concept"]}}


def _item(row: Mapping[str, Any], question: str) -> Row:
    choices, key = row["choices"], row["answerKey"].strip()
    # Of the test rows of some sets the answer is not public.
    target = choices["label"].index(key) if key else None
    return {"id": row["id"], "input": row[question], "choices": choices["text"], "target": target}
