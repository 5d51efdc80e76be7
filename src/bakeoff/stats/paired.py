"""Two models, or two prompts, on the same items.

Of n items, `a` are right with both, `b` with the first alone, `c` with the second alone, `d` with neither.
The difference is (b - c) / n: first minus second. Intervals lie in [-1, 1] and never have zero width, also
for two systems that agree on every item.
"""

from collections.abc import Callable
from math import comb, copysign, inf, sqrt

from bakeoff.stats.interval import Interval, normal_quantile
from bakeoff.stats.proportion import wilson_limits


def tango(b: float, c: float, n: int, level: float = 0.95) -> Interval:
    """Tango's score interval for a paired difference (Tango 1998, Stat. Med. 17:891). The one to show.

    b = c = 0 gives ± z²/(n+z²). For graded scores in [0, 1], `b` is the sum of the positive differences and
    `c` that of the negative ones, without sign; the interval is then, if anything, too wide.

    Raises:
        ValueError: n < 1, b or c negative, b + c > n, or level outside (0, 1).
    """
    z = normal_quantile(level)
    if n < 1:
        raise ValueError(f"an interval needs at least one item, got n={n}")
    _check_not_negative(b=b, c=c)
    if b + c > n * (1 + 1e-12):
        raise ValueError(f"b + c cannot exceed n={n}, got b={b} and c={c}")
    low, high = tango_limits(b, c, n, z)
    return Interval(low, high, level, "tango")


def newcombe_paired(a: int, b: int, c: int, d: int, level: float = 0.95) -> Interval:
    """Newcombe's method 10 for a paired difference (Newcombe 1998, Stat. Med. 17:2635).

    Squares and adds the Wilson limits of the two proportions, with their correlation phi, continuity
    corrected. Closed form; needs the whole table. Close to Tango's.

    Raises:
        ValueError: a count is negative, all are 0, or level outside (0, 1).
    """
    z = normal_quantile(level)
    _check_not_negative(a=a, b=b, c=c, d=d)
    n = a + b + c + d
    if n < 1:
        raise ValueError(f"an interval needs at least one item, got n={n}")
    first, second = (a + b) / n, (a + c) / n
    low_1, high_1 = wilson_limits(first, n, z)
    low_2, high_2 = wilson_limits(second, n, z)
    phi = _corrected_phi(a, b, c, d)
    difference = (b - c) / n
    below = _square_and_add(first - low_1, high_2 - second, phi)
    above = _square_and_add(high_1 - first, second - low_2, phi)
    return Interval(max(-1.0, difference - below), min(1.0, difference + above), level, "newcombe-paired")


def mcnemar_midp(b: int, c: int) -> float:
    """Two-sided mid-p of McNemar's test that neither is better (Fagerland, Lydersen & Laake 2013).

    Uses the discordant items alone; without any, 1.

    Raises:
        ValueError: a count is negative.
    """
    _check_not_negative(b=b, c=c)
    discordant = b + c
    if b == c:
        # Both tails meet in the middle cell, which the mid-p counts once, by half.
        return 1 - comb(discordant, b) / (1 << discordant) / 2 if discordant else 1.0
    ways = at_most = 1
    for k in range(min(b, c)):
        ways = ways * (discordant - k) // (k + 1)
        at_most += ways
    return (2 * at_most - ways) / (1 << discordant)


def tango_limits(b: float, c: float, n: float, z: float) -> tuple[float, float]:
    """Both limits for sums `b` and `c` on `n` items (an effective number need not be whole)."""

    def score(delta: float) -> float:
        return _tango_score(b, c, n, delta)

    estimate = (b - c) / n
    # The score falls from +infinity to -infinity over [-1, 1]; it is 0 at the estimate.
    low = -1.0 if estimate <= -1 else _falls_to(score, z, -1.0, estimate)
    high = 1.0 if estimate >= 1 else _falls_to(score, -z, estimate, 1.0)
    return low, high


def _tango_score(b: float, c: float, n: float, delta: float) -> float:
    """The standardised distance of the data from a true difference `delta` inside (-1, 1)."""
    linear = (2 * n - b + c) * delta - b - c
    constant = -c * delta * (1 - delta)
    # The probability of a `c` item, most likely under the constraint that the difference is delta.
    q = (sqrt(max(0.0, linear * linear - 8 * n * constant)) - linear) / (4 * n)
    variance = n * (2 * q + delta * (1 - delta))
    distance = b - c - n * delta
    if variance <= 0:
        return distance and copysign(inf, distance)
    return float(distance / sqrt(variance))


def _falls_to(score: Callable[[float], float], level: float, low: float, high: float) -> float:
    """Where a falling `score` crosses `level` between `low` and `high`, by bisection to machine precision."""
    while low < (middle := (low + high) / 2) < high:
        if score(middle) > level:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _corrected_phi(a: int, b: int, c: int, d: int) -> float:
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    if margins == 0:
        return 0.0
    n, product = a + b + c + d, float(a * d - b * c)
    if product > 0:
        product = max(0.0, product - n / 2)
    return product / sqrt(margins)


def _square_and_add(x: float, y: float, phi: float) -> float:
    return sqrt(max(0.0, x * x - 2 * phi * x * y + y * y))


def _check_not_negative(**counts: float) -> None:
    for name, count in counts.items():
        if not count >= 0:
            raise ValueError(f"{name} counts items and cannot be {count}")
