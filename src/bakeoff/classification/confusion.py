"""What was right against what was said, everything counted, with items to look at."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from bakeoff.classification.cases import Case
from bakeoff.seed import item_seed

EXAMPLES = 3
"""Items that are named for each cell."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Cases whose label is `gold` and for which the model said `said`; None with how it ended instead.

    `examples` are ids drawn by a hash, so that they are no one's choice and stay when items are added
    elsewhere.
    """

    gold: str
    said: str | None
    ending: str
    count: int
    examples: tuple[str, ...]


def confusion(cases: Sequence[Case]) -> tuple[Cell, ...]:
    """The cells that hold a case, by gold label, labels before other endings. Each case is in one."""
    members: defaultdict[tuple[str, str | None, str], list[str]] = defaultdict(list)
    for case in cases:
        members[case.gold, case.said, case.ending].append(case.item_id)
    order = sorted(members, key=lambda cell: (cell[0], cell[1] is None, cell[1] or "", cell[2]))
    return tuple(Cell(*cell, len(members[cell]), _drawn(members[cell])) for cell in order)


def endings(cases: Sequence[Case]) -> dict[str, int]:
    """How many cases ended in each way that left no label."""
    return dict(sorted(Counter(case.ending for case in cases if case.said is None).items()))


def _drawn(items: list[str]) -> tuple[str, ...]:
    return tuple(sorted(items, key=lambda item: item_seed(0, "confusion", item, "example"))[:EXAMPLES])
