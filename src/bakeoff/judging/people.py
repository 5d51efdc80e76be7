"""Several people's labels of one item: one of them for comparison, two for the ceiling, the one most gave."""

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from bakeoff.seed import item_random

Label = TypeVar("Label")


def two_people(labels: Sequence[Label | None], item: str, seed: int = 0) -> tuple[Label | None, Label | None]:
    """Two of the people who labelled an item, drawn by the item; None for each that there is not.

    A judge is held against the first, and the first against the second: the same measure on the same items,
    so that the second figure is the ceiling of the first. Against what most people say a judge would look
    better than against any of them.
    """
    given = [label for label in labels if label is not None]
    item_random(seed, "judge audit", item, "people").shuffle(given)
    first, second, *_ = (*given, None, None)
    return first, second


def most_say(labels: Sequence[Label | None]) -> Label | None:
    """The label that more people gave than any other; None where there is no such label."""
    counted = Counter(label for label in labels if label is not None).most_common(2)
    if not counted or (len(counted) == 2 and counted[0][1] == counted[1][1]):
        return None
    return counted[0][0]
