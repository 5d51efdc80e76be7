"""The front of score against what less of is better: cost, latency, parameters.

Scores are taken as exact, as in `stats.board.pareto.front`, which compares all pairs and needs their square
in memory; for one price the front of thousands of rows is found by sorting. Who is on it may be chance.
"""

import numpy as np

from bakeoff.board.table.ties import BoolArray
from bakeoff.stats.arrays import FloatArray


def front(quality: FloatArray, price: FloatArray) -> BoolArray:
    """Which rows no other beats: none is as good for less, or better for the same. Equal rows stay together.

    `quality` (rows,), higher is better, and `price` (rows,); a row with a NaN is not on the front and beats
    nobody.
    """
    on = np.zeros(len(quality), dtype=np.bool_)
    known = np.flatnonzero(~np.isnan(quality) & ~np.isnan(price))
    order = known[np.lexsort((-quality[known], price[known]))]
    best, at = -np.inf, np.nan
    for row in order:
        if quality[row] > best or (quality[row] == best and price[row] == at):
            on[row] = True
            best, at = quality[row], price[row]
    return on
