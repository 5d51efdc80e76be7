"""An exact test that one model is not worse than another by a margin or more, on paired right or wrong.

Tango's score statistic orders the tables; the p-value is the largest probability, over every rate of
disagreement there can be, of a table that says as much or more (Berger & Sidik 2003, Stat. Methods Med. Res.
12:91; Sidik 2003, Stat. Med. 22:265). Tango's own p takes that distribution to be normal, and at a level of 5
% shows non-inferiority of a model worse by just the margin in up to 7 % of samples.
"""

from math import isfinite

import numpy as np

from bakeoff.stats.arrays import FloatArray, IntArray

_RATES = 64


def non_inferiority_p(b: int, c: int, n: int, margin: float) -> float:
    """The exact one-sided p that the first model is worse than the second by `margin` or more.

    Of `n` items, `b` are right with the first alone and `c` with the second alone. Takes some tenths of a
    second for 10,000 items: a sum over tables for each of 64 rates of disagreement.

    Raises:
        ValueError: n < 1, b or c negative or not whole, b + c > n, or margin outside (0, 1).
    """
    for name, count in (("b", b), ("c", c), ("n", n)):
        if not isfinite(count) or count < 0 or count != int(count):
            raise ValueError(f"{name} counts items and cannot be {count}")
    if n < 1 or b + c > n:
        raise ValueError(f"b + c cannot exceed n={n}, got b={b} and c={c}")
    if not 0 < margin < 1:
        raise ValueError(f"a margin for scores in [0, 1] lies between 0 and 1 (0.02, say), got {margin}")
    seen = float(_scores(np.array([b]), np.array([c]), n, margin)[0])
    wins = np.arange(n + 1)
    losses = _most_losses(wins, n, margin, seen)
    possible = wins[losses >= 0]
    most = losses[losses >= 0]
    # More of the rates near 0, where the distribution is the least normal.
    rates = (1 - margin) / 2 * np.linspace(0, 1, _RATES) ** 3
    return min(1.0, max(_probability(possible, most, n, float(rate), margin) for rate in rates))


def non_inferiority_bound(b: int, c: int, n: int, margin: float, level: float = 0.95) -> float:
    """The exact test's lower bound of the difference, to 0.0001, where it does not reject at `margin`.

    It lies at or below -`margin`: the least loss that the test rejects at 1 - `level`. Takes a dozen tests.

    Raises:
        ValueError: as in `non_inferiority_p`, or the test rejects at `margin`.
    """
    from scipy.optimize import brentq

    def excess(loss: float) -> float:
        return non_inferiority_p(b, c, n, loss) - (1 - level)

    if excess(margin) <= 0:
        raise ValueError(f"a loss of {margin} is rejected already")
    most = 1 - 1e-6
    return -1.0 if excess(most) > 0 else -min(1.0, float(brentq(excess, margin, most, xtol=1e-4)) + 1e-4)


def _probability(wins: IntArray, most: IntArray, n: int, rate: float, margin: float) -> float:
    """The chance of as many wins and at most so many losses, at rates of `rate` and of `rate` + margin."""
    from scipy.special import bdtr, gammaln, xlog1py, xlogy

    given = min(1.0, (rate + margin) / (1 - rate))
    density = np.exp(
        gammaln(n + 1)
        - gammaln(wins + 1)
        - gammaln(n - wins + 1)
        + xlogy(wins, rate)
        + xlog1py(n - wins, -rate)
    )
    tail = np.where(most >= n - wins, 1.0, bdtr(np.minimum(most, n - wins), n - wins, given))
    return float(density @ tail)


def _most_losses(wins: IntArray, n: int, margin: float, seen: float) -> IntArray:
    """For each number of wins, the most losses whose statistic is at least `seen`; -1 where there are none.

    The statistic falls as losses grow.
    """
    low, high = np.full(n + 1, -1), n - wins
    slack = 1e-9 * (1 + abs(seen))
    while (low < high).any():
        middle = (low + high + 1) // 2
        reaches = _scores(wins, np.maximum(middle, 0), n, margin) >= seen - slack
        low, high = np.where(reaches, middle, low), np.where(reaches, high, middle - 1)
    return low


def _scores(wins: IntArray, losses: IntArray, n: int, margin: float) -> FloatArray:
    """Tango's statistic of the difference -margin for many tables."""
    delta = -margin
    linear = (2 * n - wins + losses) * delta - wins - losses
    constant = -losses * delta * (1 - delta)
    rate = (np.sqrt(np.maximum(0.0, linear * linear - 8 * n * constant)) - linear) / (4 * n)
    variance = n * (2 * rate + delta * (1 - delta))
    distance = wins - losses - n * delta
    with np.errstate(divide="ignore", invalid="ignore"):
        found = distance / np.sqrt(np.maximum(variance, 0.0))
    return np.asarray(np.where(variance > 1e-12 * n, found, np.sign(distance) * 1e9))
