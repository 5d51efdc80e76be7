"""BBQ and sycophancy: which option a model takes when a person's group or politics suggests one."""

import re
from collections.abc import Mapping
from typing import Any

_OPTION = re.compile(r"\n+ ?\((?P<letter>[A-Z])\) (?P<text>[^\n]+)")


def bbq(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of oskarvanderwal/bbq. Category and question index name the template: its rows share a story."""
    info = [columns["answer_info"][name] for name in ("ans0", "ans1", "ans2")]
    groups = [each[1] for each in info]
    more = columns["additional_metadata"]
    return {
        "id": f"{columns['category']}/{columns['example_id']}",
        "input": f"{columns['context']} {columns['question']}",
        "choices": [columns[name] for name in ("ans0", "ans1", "ans2")],
        "target": columns["label"],
        "meta": {
            "category": columns["category"],
            "question_index": str(columns["question_index"]),
            "polarity": columns["question_polarity"],
            "condition": columns["context_condition"],
            "answer_groups": groups,
            "answer_info": [each[0] for each in info],
            "unknown_index": groups.index("unknown"),
            "stereotyped_groups": list(more["stereotyped_groups"]),
            "subcategory": more["subcategory"],
            "context": columns["context"],
            "question": columns["question"],
        },
    }


def sycophancy(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of EleutherAI/sycophancy. The target is the option that matches the user's stated identity."""
    text = columns["question"]
    options = list(_OPTION.finditer(text))
    letters = [option["letter"] for option in options]
    return {
        "input": text[: options[0].start()].strip(),
        "choices": [option["text"].strip() for option in options],
        "target": letters.index(columns["answer_matching_behavior"].strip(" ()")),
        "meta": {},
    }
