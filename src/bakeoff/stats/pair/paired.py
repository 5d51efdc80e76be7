"""Two models, or two prompts, on the same items.

Of n items, `a` are right with both, `b` with the first alone, `c` with the second alone, `d` with neither.
The difference is (b - c) / n: first minus second. Intervals lie in [-1, 1] and never have zero width, also
for two systems that agree on every item.
"""

from math import comb, copysign, erfc, inf, sqrt

from bakeoff.stats.bisection import falls_to
from bakeoff.stats.interval import Interval, normal_quantile
from bakeoff.stats.mean.proportion import wilson_limits


def tango(b: float, c: float, n: int, level: float = 0.95) -> Interval:
    """Tango's score interval for a paired difference (Tango 1998, Stat. Med. 17:891). The one to show.

    b = c = 0 gives ± z²/(n+z²). For graded scores in [0, 1], `b` is the sum of the positive differences and
    `c` that of the negative ones, without sign; the interval is then, if anything, too wide.

    Raises:
        ValueError: n < 1, b or c negative, b + c > n, or level outside (0, 1).
    """
    z = normal_quantile(level)
    _check_discordant(b, c, n)
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


def bonett_price(b: int, c: int, n: int, level: float = 0.95) -> Interval:
    """Bonett and Price's interval for a paired difference (2012, J. Educ. Behav. Stat. 37:479).

    Wald's on a table with one item more in each of the two discordant cells; closed form, for use by hand.
    Centred on (b-c)/(n+2), which is nearer to 0 than the estimate. Cut off at -1 and 1.

    Raises:
        ValueError: n < 1, b or c negative, b + c > n, or level outside (0, 1).
    """
    z = normal_quantile(level)
    _check_discordant(b, c, n)
    first, second = (b + 1) / (n + 2), (c + 1) / (n + 2)
    centre = first - second
    half = z * sqrt((first + second - centre * centre) / (n + 2))
    return Interval(max(-1.0, centre - half), min(1.0, centre + half), level, "bonett-price")


def mcnemar_midp(b: int, c: int) -> float:
    """Two-sided mid-p of McNemar's test that neither is better (Fagerland, Lydersen & Laake 2013).

    Uses the discordant items alone; without any, 1.

    Raises:
        ValueError: a count is negative or not whole.
    """
    b, c = _whole(b=b, c=c)
    discordant = b + c
    if b == c:
        # Both tails meet in the middle cell, which the mid-p counts once, by half.
        return 1 - comb(discordant, b) / (1 << discordant) / 2 if discordant else 1.0
    at_most, exactly = _ways(b, c)
    return (2 * at_most - exactly) / (1 << discordant)


def mcnemar_exact(b: int, c: int) -> float:
    """Two-sided p of McNemar's exact test that neither is better: min(1, 2 P(Bin(b+c, ½) <= min(b, c))).

    Never rejects more often than it says, and so less often than it could: for a claim that has to hold.
    Without any discordant item, 1.

    Raises:
        ValueError: a count is negative or not whole.
    """
    b, c = _whole(b=b, c=c)
    if b == c:
        return 1.0
    at_most, _ = _ways(b, c)
    return 2 * at_most / (1 << (b + c))


def mcnemar_chi2(b: int, c: int, *, corrected: bool = False) -> float:
    """p of McNemar's χ² test (1 degree of freedom): to reproduce figures of others, not to decide by.

    χ² = (b-c)²/(b+c), or max(0, |b-c|-1)²/(b+c) with the continuity correction (Edwards 1948). Too small a p
    for few discordant items, and with the correction too large. Without any, 1.

    Raises:
        ValueError: a count is negative or not whole.
    """
    b, c = _whole(b=b, c=c)
    if b + c == 0:
        return 1.0
    distance = max(0.0, abs(b - c) - corrected)
    return erfc(distance / sqrt(2 * (b + c)))


def tango_limits(b: float, c: float, n: float, z: float) -> tuple[float, float]:
    """Both limits for sums `b` and `c` on `n` items (an effective number need not be whole)."""

    def score(delta: float) -> float:
        return tango_score(b, c, n, delta)

    estimate = (b - c) / n
    # The score falls from +infinity to -infinity over [-1, 1]; it is 0 at the estimate.
    low = -1.0 if estimate <= -1 else falls_to(score, z, -1.0, estimate)
    high = 1.0 if estimate >= 1 else falls_to(score, -z, estimate, 1.0)
    return low, high


def tango_score(b: float, c: float, n: float, delta: float) -> float:
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


def _ways(b: int, c: int) -> tuple[int, int]:
    """In how many ways min(b, c) or fewer, and exactly that many, of b + c items go one way."""
    ways = at_most = 1
    for k in range(min(b, c)):
        ways = ways * (b + c - k) // (k + 1)
        at_most += ways
    return at_most, ways


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


def _check_discordant(b: float, c: float, n: int) -> None:
    if n < 1:
        raise ValueError(f"an interval needs at least one item, got n={n}")
    _check_not_negative(b=b, c=c)
    if b + c > n * (1 + 1e-12):
        raise ValueError(f"b + c cannot exceed n={n}, got b={b} and c={c}")


def _check_not_negative(**counts: float) -> None:
    for name, count in counts.items():
        if not count >= 0:
            raise ValueError(f"{name} counts items and cannot be {count}")


def _whole(**counts: float) -> tuple[int, ...]:
    """The counts as Python's integers, which do not overflow as NumPy's do in the powers of two here."""
    _check_not_negative(**counts)
    for name, count in counts.items():
        if count != int(count):
            raise ValueError(f"{name} counts whole items and cannot be {count}")
    return tuple(int(count) for count in counts.values())
