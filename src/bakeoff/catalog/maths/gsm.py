"""Grade-school word problems: GSM8K, and the sets that perturb its problems."""

from collections.abc import Mapping
from typing import Any


def gsm8k(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of openai/gsm8k: `question`, `answer`."""
    return {
        "input": columns["question"],
        "target": _final(columns["answer"]),
        "meta": {"solution": columns["answer"]},
    }


def gsm_plus(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of qintongli/GSM-Plus; the target of a problem that lacks a fact is the text `None`."""
    return {
        "input": columns["question"],
        "target": str(columns["answer"]),
        "meta": {
            "perturbation": columns["perturbation_type"],
            "seed_question": columns["seed_question"],
            "seed_answer": columns["seed_answer"],
            "solution": columns["solution"],
        },
    }


def gsm_symbolic(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of apple/GSM-Symbolic. `id` is its template's, `instance` the number of the drawing from it."""
    return {
        "id": f"{columns['id']}/{columns['instance']}",
        "input": columns["question"],
        "target": _final(columns["answer"]),
        "meta": {
            "template": str(columns["id"]),
            "instance": columns["instance"],
            "original_id": columns["original_id"],
            "solution": columns["answer"],
        },
    }


def _final(solution: str) -> str:
    """What stands behind the last `####`, without the commas between thousands."""
    return solution.rpartition("####")[2].strip().replace(",", "")
