"""MATH and its 500: problems of mathematical competitions."""

from collections.abc import Mapping
from typing import Any

from bakeoff.score.extract.extraction import Nothing
from bakeoff.score.math.final_answer import final_answer


def whole(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of DigitalLearningGmbH/MATH-lighteval: `problem`, `level` (`Level 5`), `type`, `solution`.

    The target is what the solution boxes. A level that the source does not know (`Level ?`) is None.
    """
    found = final_answer(columns["solution"], fallback=False)
    if isinstance(found, Nothing):
        raise ValueError(f"{found.why}: {columns['solution']:.60}")
    level = columns["level"].removeprefix("Level ")
    return {
        "input": columns["problem"],
        "target": found.text,
        "meta": {
            "subject": columns["type"],
            "level": int(level) if level.isdigit() else None,
            "solution": columns["solution"],
        },
    }


def chosen(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of HuggingFaceH4/MATH-500, which has `answer` and `unique_id` as well."""
    return {
        "id": columns["unique_id"],
        "input": columns["problem"],
        "target": columns["answer"],
        "meta": {
            "subject": columns["subject"],
            "level": columns["level"],
            "solution": columns["solution"],
        },
    }
