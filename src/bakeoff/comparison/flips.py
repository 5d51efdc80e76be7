"""Sign-flip tests of every two candidates at once."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bakeoff.stats.pair.permutation import ENUMERATED, sign_flip

FloatArray = NDArray[np.float64]

_BLOCK = 256  # units whose signs are drawn at once


def flips(
    scores: FloatArray,
    clusters: NDArray[np.intp] | None,
    pairs: Sequence[tuple[int, int]],
    *,
    draws: int,
    seed: int,
) -> list[float]:
    """The two-sided p of each pair of rows of `scores` (candidates, items), by flipping signs of units.

    The test is that of `sign_flip`: units are items, or whole `clusters` (numbered from 0); up to 14 units
    that differ are enumerated. All pairs share the signs of the units, so one product with the scores
    themselves serves them all: the flipped sum of a difference is the difference of the flipped sums. Signs
    belong to items by position, and so a pair's p depends neither on other candidates nor, for items in a
    fixed order, on anything else but the seed.
    """
    units = scores if clusters is None else _sums(scores, clusters)
    sums = _flipped(units, draws, seed)
    p = []
    for first, second in pairs:
        difference = units[second] - units[first]
        scale = float(np.abs(difference).sum())
        if np.count_nonzero(np.abs(difference) > 1e-12 * scale) <= ENUMERATED:
            p.append(sign_flip(difference.tolist()))
            continue
        # Rounding must not decide whether a flip reaches what was seen.
        to_reach = abs(float(difference.sum())) - 1e-10 * max(scale, float(np.abs(units[first]).sum()))
        reaching = int((np.abs(sums[:, second] - sums[:, first]) >= to_reach).sum())
        p.append((1 + reaching) / (1 + draws))
    return p


def _sums(scores: FloatArray, clusters: NDArray[np.intp]) -> FloatArray:
    return np.stack([np.bincount(clusters, weights=row) for row in scores])


def _flipped(units: FloatArray, draws: int, seed: int) -> FloatArray:
    """Sums over the units under random signs: (draws, candidates)."""
    random = np.random.default_rng(seed)
    sums = np.zeros((draws, len(units)))
    for start in range(0, units.shape[1], _BLOCK):
        block = units[:, start : start + _BLOCK].T
        bits = np.frombuffer(random.bytes(draws * _BLOCK // 8), np.uint8).reshape(draws, -1)
        signs = np.unpackbits(bits, axis=1, count=len(block)).astype(np.float64)
        # (2 s - 1) x, with the 2 and the 1 taken out of the product.
        sums += 2 * (signs @ block) - block.sum(axis=0)
    return sums
