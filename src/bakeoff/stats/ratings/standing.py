"""Which models the votes can rate at all.

Strengths that explain the votes best are finite if and only if every model has scored, directly or through
others, against every other one: the graph of who scored against whom is strongly connected (Ford 1957,
American Mathematical Monthly 64:28). A tie is a score for both. Outside of that a maximum likelihood
"estimate" is infinite, and any number shown is made up by a prior or by where the optimiser stopped.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bakeoff.stats.arrays import IntArray
from bakeoff.stats.ratings.battles import Pairs

Status = Literal["rated", "undefeated", "winless", "disconnected", "unseen"]


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """What the votes say of each model before any rating.

    `status` (models,): "rated" models are comparable with one another, all of them; an "undefeated" one
    neither lost nor tied, a "winless" one neither won nor tied, in any of its votes; a "disconnected" one did
    some of both, but nothing links it with the rated ones in both directions; an "unseen" one has no vote.
    `component` (models,) numbers the strongly connected sets from 0, which are the rated models, by their
    size; those of one component could be rated among themselves. -1 for unseen models.
    """

    status: tuple[Status, ...]
    component: IntArray

    @property
    def rated(self) -> NDArray[np.bool_]:
        """Which models are rated, (models,)."""
        return np.array([status == "rated" for status in self.status], dtype=bool)


def standing(pairs: Pairs) -> Standing:
    """The standing of each model.

    The rated models are the largest strongly connected set of two or more; of several as large, the one with
    more votes among its models.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    scored: NDArray[np.bool_] = np.asarray(pairs.points > 0)
    count, label = connected_components(csr_array(scored), directed=True, connection="strong")
    seen: NDArray[np.bool_] = np.asarray((scored | scored.T).any(axis=1))
    inside = pairs.battles * (label[:, None] == label)
    votes = np.bincount(label, inside.sum(axis=1), count)
    size = np.bincount(label, seen, count)
    number = np.empty(count, np.int64)
    number[np.lexsort((np.arange(count), -votes, -size))] = np.arange(count)
    component = np.where(seen, number[label], -1)
    rated = (component == 0) & (size[label] >= 2)

    def status(model: int) -> Status:
        if rated[model]:
            return "rated"
        if not seen[model]:
            return "unseen"
        if not scored[:, model].any():
            return "undefeated"
        return "disconnected" if scored[model].any() else "winless"

    return Standing(tuple(status(model) for model in range(pairs.models)), component)
