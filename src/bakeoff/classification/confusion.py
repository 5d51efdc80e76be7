"""What was right against what was said, everything counted, with items to look at."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from bakeoff.classification.cases import Case
from bakeoff.seed import item_seed

EXAMPLES = 3
"""Items that are named for each cell."""
MOST_CHARACTERS = 160
"""Of the text of an example."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Cases whose label is `gold` and for which the model said `said`; None with how it ended instead.

    `examples` are ids drawn by a hash, so that they are no one's choice and stay when items are added
    elsewhere. `texts`, where asked for, are the ends of what was sent for them.
    """

    gold: str
    said: str | None
    ending: str
    count: int
    examples: tuple[str, ...]
    texts: tuple[str, ...] = ()


def confusion(cases: Sequence[Case], *, texts: bool = False) -> tuple[Cell, ...]:
    """The cells that hold a case, by gold label, labels before other endings. Each case is in one."""
    sent = {case.item_id: _end(case.text) for case in cases} if texts else {}
    members: defaultdict[tuple[str, str | None, str], list[str]] = defaultdict(list)
    for case in cases:
        members[case.gold, case.said, case.ending].append(case.item_id)
    order = sorted(members, key=lambda cell: (cell[0], cell[1] is None, cell[1] or "", cell[2]))
    drawn = {cell: _drawn(members[cell]) for cell in order}
    return tuple(
        Cell(*cell, len(members[cell]), drawn[cell], tuple(sent[item] for item in drawn[cell] if texts))
        for cell in order
    )


def endings(cases: Sequence[Case]) -> dict[str, int]:
    """How many cases ended in each way that left no label."""
    return dict(sorted(Counter(case.ending for case in cases if case.said is None).items()))


def _end(text: str) -> str:
    """The last paragraph, on one line: instructions and examples come first."""
    line = " ".join(text.strip().rpartition("\n\n")[2].split())
    return line if len(line) <= MOST_CHARACTERS else "…" + line[-MOST_CHARACTERS:]


def _drawn(items: list[str]) -> tuple[str, ...]:
    return tuple(sorted(set(items), key=lambda item: item_seed(0, "confusion", item, "example"))[:EXAMPLES])
