"""A test of paired differences that assumes only that, without a difference, their signs are chance."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff.stats.arrays import FloatArray, as_numbers
from bakeoff.stats.groups import codes

ENUMERATED = 14
"""Up to so many units all flips are taken: 2^14 are no more work than the usual number of draws."""

_BLOCK = 64  # units whose signs are drawn at once
_COLUMNS = 500  # pairs whose sums are kept at once: with 9,999 draws 40 MB


@overload
def sign_flip(
    differences: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    *,
    draws: int = 9_999,
    seed: int = 0,
) -> float: ...
@overload
def sign_flip(
    differences: FloatArray,
    clusters: Sequence[Hashable] | None = None,
    *,
    draws: int = 9_999,
    seed: int = 0,
) -> float | FloatArray: ...
def sign_flip(
    differences: ArrayLike,
    clusters: Sequence[Hashable] | None = None,
    *,
    draws: int = 9_999,
    seed: int = 0,
) -> float | FloatArray:
    """Two-sided p of a mean paired difference, by flipping signs (Fisher 1935; Phipson & Smyth 2010).

    `differences` has one row per item: shape (items,) gives a float, (items, pairs) an array of `pairs`. A
    unit is an item, or with `clusters` a group of items, whose differences are added up and flip as one. S is
    the sum over units and S* that of a flip; |S*| counts as reaching |S| up to rounding.

    - Units of difference 0 say nothing, as in McNemar's test. Without others, p is 1.
    - Up to 14 others: the share of all flips that reach |S|, exactly. On right or wrong that is the exact
      McNemar p.
    - More: (1 + flips that reach |S|) / (1 + draws), which rejects at most at its level. All pairs share the
      random signs, each ordered by its own differences, so that a pair's p depends neither on the order of
      the items nor on which other pairs are tested.

    Beside a copy of the differences, memory does not grow with the number of items or pairs.

    Raises:
        ValueError: differences are empty, not finite or of other dimensions, clusters are not one per item,
            or draws < 1.
    """
    array = np.asarray(differences)
    columns = as_numbers(differences, "differences", ndim=2 if array.ndim == 2 else 1)
    if draws < 1:
        raise ValueError(f"draws must be at least 1, got {draws}")
    if columns.ndim == 1:
        return float(_p_values(columns[:, None], clusters, draws, seed)[0])
    return _p_values(columns, clusters, draws, seed)


def _p_values(
    differences: FloatArray, clusters: Sequence[Hashable] | None, draws: int, seed: int
) -> FloatArray:
    sums = differences if clusters is None else _cluster_sums(differences, clusters)
    scale = np.abs(differences).sum(axis=0)
    magnitudes = np.abs(sums)
    # Sums that cancel in decimals leave a trace of rounding, which is no unit.
    magnitudes[magnitudes <= 1e-12 * scale] = 0.0
    units = np.count_nonzero(magnitudes, axis=0)
    magnitudes = -np.sort(-magnitudes, axis=0)
    to_reach = np.abs(sums.sum(axis=0)) - 1e-10 * scale

    p = np.empty(len(units))
    few = units <= ENUMERATED
    if few.any():
        reaching = _reaching(magnitudes[:ENUMERATED, few], to_reach[few], _every_flip, 1 << ENUMERATED)
        p[few] = reaching / (1 << ENUMERATED)
    if not few.all():
        reaching = _reaching(
            magnitudes[: units.max(), ~few], to_reach[~few], lambda: _random_flips(draws, seed), draws
        )
        p[~few] = (1 + reaching) / (1 + draws)
    return p


def _cluster_sums(differences: FloatArray, clusters: Sequence[Hashable]) -> FloatArray:
    code = codes(clusters, len(differences), "clusters")
    sums = np.zeros((code.max() + 1, differences.shape[1]))
    np.add.at(sums, code, differences)
    return sums


def _reaching(
    magnitudes: FloatArray, to_reach: FloatArray, flips: Callable[[], Iterator[FloatArray]], draws: int
) -> FloatArray:
    """For each column how many flips bring the absolute sum to `to_reach`.

    `flips()` yields blocks of signs, shape (draws, some units), for one unit after the other.
    """
    units, columns = magnitudes.shape
    counts = np.empty(columns)
    for first in range(0, columns, _COLUMNS):
        some = slice(first, first + _COLUMNS)
        sums = np.zeros((draws, len(to_reach[some])))
        start = 0
        for signs in flips():
            block = magnitudes[start : start + signs.shape[1], some]
            sums += signs[:, : len(block)] @ block
            start += len(block)
            if start == units:
                break
        counts[some] = (np.abs(sums) >= to_reach[some]).sum(axis=0)
    return counts


def _every_flip() -> Iterator[FloatArray]:
    flips = np.arange(1 << ENUMERATED)[:, None] >> np.arange(ENUMERATED) & 1
    yield _as_signs(flips)


def _random_flips(draws: int, seed: int) -> Iterator[FloatArray]:
    """Whole blocks without end, so that the signs of a unit do not depend on how many units there are."""
    random = np.random.default_rng(seed)
    while True:
        bits = np.frombuffer(random.bytes(draws * _BLOCK // 8), np.uint8).reshape(draws, -1)
        yield _as_signs(np.unpackbits(bits, axis=1))


def _as_signs(bits: NDArray[np.integer]) -> FloatArray:
    return bits.astype(np.float64) * 2 - 1
