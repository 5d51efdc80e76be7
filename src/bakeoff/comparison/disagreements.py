"""The items on which candidates differ: the ones to read."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from bakeoff.comparison.align import Aligned
from bakeoff.comparison.comparison import Disagreement


def disagreements(
    aligned: Aligned, labels: Sequence[str], limit: int
) -> tuple[int, tuple[Disagreement, ...]]:
    """How many items candidates differ on, and up to `limit` of them, the most divided first.

    Most divided is the largest variance between the candidates. Among equals, those with candidates above and
    below in the same way take turns with the others, so that wins and losses are both there. `labels` gives
    the order of the values.
    """
    means = aligned.means
    spread = np.round(means.var(axis=0), 12)
    differing = np.flatnonzero(spread > 0)
    above = means > means.mean(axis=0)
    turn: Counter[tuple[float, bytes]] = Counter()
    order = []
    for i in differing.tolist():
        kind = (float(spread[i]), above[:, i].tobytes())
        order.append((-kind[0], turn[kind], i))
        turn[kind] += 1
    number = {candidate.label: c for c, candidate in enumerate(aligned.candidates)}
    return len(differing), tuple(
        Disagreement(
            item_id=aligned.items[i],
            group=aligned.groups[i],
            values={label: float(means[number[label], i]) for label in labels},
        )
        for _, _, i in sorted(order)[:limit]
    )
