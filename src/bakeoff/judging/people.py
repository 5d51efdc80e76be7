"""Several people's labels of one item: one of them to compare with, and a second for the ceiling."""

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
