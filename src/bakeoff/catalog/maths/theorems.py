"""TheoremQA: problems that a theorem of a university course solves."""

import json
from collections.abc import Mapping
from typing import Any


def theoremqa(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of TIGER-Lab/TheoremQA: `Question`, `Answer`, `Answer_type`, `Picture`."""
    kind = columns["Answer_type"]
    answer = columns["Answer"]
    return {
        "input": columns["Question"],
        "target": json.loads(answer) if kind.startswith("list") else answer,
        "meta": {"answer_type": kind, "has_picture": columns["Picture"] is not None},
    }
