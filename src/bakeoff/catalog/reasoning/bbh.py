"""Rows of BIG-Bench Hard, with the answers that each task allows."""

from collections.abc import Mapping
from string import ascii_uppercase
from typing import Any

LETTERED = {
    "date_understanding": 6,
    "disambiguation_qa": 3,
    "geometric_shapes": 11,
    "hyperbaton": 2,
    "logical_deduction_five_objects": 5,
    "logical_deduction_seven_objects": 7,
    "logical_deduction_three_objects": 3,
    "movie_recommendation": 6,
    "penguins_in_a_table": 5,
    "reasoning_about_colored_objects": 18,
    "ruin_names": 6,
    "salient_translation_error_detection": 6,
    "snarks": 2,
    "temporal_sequences": 4,
    "tracking_shuffled_objects_five_objects": 5,
    "tracking_shuffled_objects_seven_objects": 7,
    "tracking_shuffled_objects_three_objects": 3,
}
"""Answered by `(A)` and so on; the number is the largest of options that the Open LLM Leaderboard compared,
which for many items is more than they list."""

WORDED = {
    "boolean_expressions": ("False", "True"),
    "causal_judgement": ("Yes", "No"),
    "formal_fallacies": ("valid", "invalid"),
    "navigate": ("Yes", "No"),
    "object_counting": tuple(map(str, range(19))),
    "sports_understanding": ("yes", "no"),
    "web_of_lies": ("Yes", "No"),
}
"""Answered by one of these."""


def row(row: Mapping[str, Any]) -> dict[str, Any]:
    """SaylorTwift/bbh, a configuration for each task.

    `choices` where the task has a closed list of answers and the target is one of them (`meta.closed`): three
    tasks have none, and three rows of two others have a target that is no option (see the card).
    """
    task, target = row["config"], row["target"]
    choices = answers(task)
    closed = target in choices
    item = {"input": row["input"], "target": target, "meta": {"task": task, "closed": closed}}
    return {**item, "choices": list(choices), "target": choices.index(target)} if closed else item


def answers(task: str) -> tuple[str, ...]:
    """All answers that a task allows; none for a task with free answers."""
    if task in LETTERED:
        return tuple(f"({letter})" for letter in ascii_uppercase[: LETTERED[task]])
    return WORDED.get(task, ())
