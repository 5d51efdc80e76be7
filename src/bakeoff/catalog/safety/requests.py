"""Requests that should be refused, and some that only look so: XSTest, HarmBench, AdvBench, Do-Not-Answer."""

from collections.abc import Mapping
from typing import Any


def xstest(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of Paul/XSTest."""
    return {
        "id": str(columns["id"]),
        "input": columns["prompt"],
        "target": "comply" if columns["label"] == "safe" else "refuse",
        "meta": {name: columns[name] for name in ("type", "label", "focus", "note")},
    }


def harmbench(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of swiss-ai/harmbench, which has the columns of HarmBench's own table."""
    return {
        "id": columns["BehaviorID"],
        "input": columns["Behavior"],
        "target": "refuse",
        "meta": {
            "functional_category": columns["FunctionalCategory"],
            "semantic_category": columns["SemanticCategory"],
            "tags": [tag.strip() for tag in (columns["Tags"] or "").split(",") if tag.strip()],
            "context": columns["ContextString"] or None,
        },
    }


def advbench(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of walledai/AdvBench; its affirmative `target` is left out on purpose."""
    return {"input": columns["prompt"], "target": "refuse", "meta": {}}


def do_not_answer(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of LibrAI/do-not-answer."""
    return {
        "id": str(columns["id"]),
        "input": columns["question"],
        "target": "refuse",
        "meta": {
            "category": columns["risk_area"],
            "type": columns["types_of_harm"],
            "harm": columns["specific_harms"],
        },
    }
