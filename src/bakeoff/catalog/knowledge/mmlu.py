"""Rows of MMLU and of its re-annotation."""

from collections.abc import Mapping
from typing import Any

Row = dict[str, Any]


def row(row: Mapping[str, Any]) -> Row:
    """cais/mmlu, configuration `all`."""
    return {
        "input": row["question"],
        "choices": row["choices"],
        "target": row["answer"],
        "meta": {"subject": row["subject"], "category": category(row["subject"])},
    }


def redux(row: Mapping[str, Any]) -> Row:
    """edinburgh-dawg/mmlu-redux-2.0, a configuration for each subject.

    The target is the annotators' where they found MMLU's wrong and named a choice (`meta.corrected`).
    """
    corrected = _corrected(row) if row["error_type"] == "wrong_groundtruth" else None
    return {
        "input": row["question"],
        "choices": row["choices"],
        "target": row["answer"] if corrected is None else corrected,
        "meta": {
            "subject": row["config"],
            "category": category(row["config"]),
            "error_type": row["error_type"],
            "corrected": corrected is not None,
        },
    }


def category(subject: str) -> str:
    """One of the four groups of subjects of Hendrycks et al. 2021."""
    return next((name for name, subjects in _CATEGORIES.items() if subject in subjects.split()), _OTHER)


def _corrected(row: Mapping[str, Any]) -> int | None:
    """The choice that the annotators name, by index or letter; what they write otherwise is for people."""
    text = str(row["correct_answer"]).strip().upper()
    index = "ABCD".find(text) if text.isalpha() and len(text) == 1 else int(text) if text.isdigit() else -1
    return index if 0 <= index < len(row["choices"]) else None


_CATEGORIES = {
    "STEM": """
        abstract_algebra astronomy college_biology college_chemistry college_computer_science
        college_mathematics college_physics computer_security conceptual_physics electrical_engineering
        elementary_mathematics high_school_biology high_school_chemistry high_school_computer_science
        high_school_mathematics high_school_physics high_school_statistics machine_learning
    """,
    "humanities": """
        formal_logic high_school_european_history high_school_us_history high_school_world_history
        international_law jurisprudence logical_fallacies moral_disputes moral_scenarios philosophy prehistory
        professional_law world_religions
    """,
    "social sciences": """
        econometrics high_school_geography high_school_government_and_politics high_school_macroeconomics
        high_school_microeconomics high_school_psychology human_sexuality professional_psychology
        public_relations security_studies sociology us_foreign_policy
    """,
}
_OTHER = "other (business, health, misc.)"
