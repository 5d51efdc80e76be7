"""Groups of models that cannot be told apart: maximal cliques of a relation that is not transitive.

A may be inseparable from B and B from C, and A still be shown better than C. Tiers made by chaining
neighbours would put all three in one; maximal cliques give {A, B} and {B, C}, each a largest set of models
that are inseparable pair by pair (the compact letter display; Piepho 2004, J. Comput. Graph. Stat. 13:456).
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike


def maximal_cliques(together: ArrayLike, *, limit: int = 1_000) -> tuple[tuple[int, ...], ...] | None:
    """The maximal cliques of `together` (models, models), true where two models cannot be told apart.

    Every model is in at least one clique, alone if it stands apart from all; the diagonal is not read. With
    models numbered from the best, members ascend and cliques are sorted by best member, then by the next.
    None where there are more than `limit`: their number can grow exponentially, up to 3^(models/3), and so
    many would show nothing.

    Raises:
        ValueError: together is not a square, symmetric array of true and false, has no models, or limit < 1.
    """
    related = np.asarray(together)
    if related.ndim != 2 or related.shape[0] != related.shape[1] or related.size == 0:
        raise ValueError(f"together must be a square of models against models, got shape {related.shape}")
    if related.dtype != np.bool_:
        raise ValueError(f"together must hold true and false, got {related.dtype}")
    if (related != related.T).any():
        j, k = np.argwhere(related != related.T)[0]
        raise ValueError(f"together must be symmetric, got {j} with {k} one way alone")
    if limit < 1:
        raise ValueError(f"limit counts cliques and must be at least 1, got {limit}")
    found: list[tuple[int, ...]] = []
    for clique in _cliques(related):
        if len(found) == limit:
            return None
        found.append(clique)
    return tuple(sorted(found))


def _cliques(related: np.ndarray) -> Iterator[tuple[int, ...]]:
    """Bron & Kerbosch 1973 with the pivot of Tomita, Tanaka & Takahashi 2006. Sets of models are the bits of
    whole numbers.
    """
    models = len(related)
    neighbours = [
        sum(1 << int(k) for k in np.flatnonzero(row) if k != model) for model, row in enumerate(related)
    ]
    # A clique so far, the models that may extend it, and those whose extensions have been listed.
    waiting: list[tuple[tuple[int, ...], int, int]] = [((), (1 << models) - 1, 0)]
    while waiting:
        clique, candidates, done = waiting.pop()
        if not candidates:
            if not done:
                yield tuple(sorted(clique))
            continue
        # A maximal clique holds the pivot or a model apart from it; the others need no start of their own.
        starts = min(
            (candidates & ~neighbours[pivot] for pivot in _members(candidates | done)), key=int.bit_count
        )
        for model in _members(starts):
            waiting.append(((*clique, model), candidates & neighbours[model], done & neighbours[model]))
            candidates &= ~(1 << model)
            done |= 1 << model


def _members(models: int) -> Iterator[int]:
    while models:
        lowest = models & -models
        yield lowest.bit_length() - 1
        models ^= lowest
