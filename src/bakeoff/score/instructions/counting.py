"""More or fewer than a number."""

from typing import Literal

Relation = Literal["less than", "at least"]


def holds(count: int, relation: Relation, bound: int) -> bool:
    """Whether `count` is less than `bound`, or at least `bound`."""
    return count < bound if relation == "less than" else count >= bound
