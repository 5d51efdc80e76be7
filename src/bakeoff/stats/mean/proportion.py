"""Intervals for one proportion, its items independent of each other."""

from bakeoff.stats.bisection import falls_to
from bakeoff.stats.interval import Interval, check_level, normal_quantile


def wilson(successes: float, n: int, level: float = 0.95) -> Interval:
    """Wilson score interval for a proportion (Wilson 1927, JASA 22:209). The one to show beside a score.

    Never has zero width: 0 of n gives [0, z²/(n+z²)], n of n gives [n/(n+z²), 1].
    For repeats per item, average within the item first: n counts items. `successes` may then be a sum of
    graded scores in [0, 1]; their variance is at most that of a yes or no with the same mean, so the
    interval is, if anything, too wide.

    Raises:
        ValueError: n < 1, successes outside [0, n], or level outside (0, 1).
    """
    _check_counts(successes, n)
    low, high = wilson_limits(successes / n, n, normal_quantile(level))
    return Interval(low, high, level, "wilson")


def clopper_pearson(successes: int, n: int, level: float = 0.95) -> Interval:
    """Clopper–Pearson interval for a proportion (Clopper & Pearson 1934, Biometrika 26:404).

    Covers at least `level` whatever the true proportion: for a claim that has to hold. Wider than Wilson.
    0 of n gives [0, 1-(α/2)^(1/n)], n of n gives [(α/2)^(1/n), 1], with α = 1 - level.

    Raises:
        ValueError: n < 1, successes outside [0, n] or not whole, or level outside (0, 1).
    """
    check_level(level)
    _check_whole(successes, n)
    tail = (1 - level) / 2
    return Interval(
        1 - _upper_limit(n - successes, n, tail),
        _upper_limit(successes, n, tail),
        level,
        "clopper-pearson",
    )


def mid_p(successes: int, n: int, level: float = 0.95) -> Interval:
    """Mid-p interval for a proportion (Lancaster 1961, JASA 56:223; Berry & Armitage 1995, Stat. 44:417).

    Clopper–Pearson's with half of the probability of the count seen in each tail: covers `level` on average,
    not for every proportion. 0 of n gives [0, 1-α^(1/n)], n of n gives [α^(1/n), 1], with α = 1 - level.
    Contains the estimate at every level that is used (0.5 and above).

    Raises:
        ValueError: n < 1, successes outside [0, n] or not whole, or level outside (0, 1).
    """
    check_level(level)
    _check_whole(successes, n)
    tail = (1 - level) / 2
    return Interval(
        1 - _mid_p_upper(n - successes, n, tail),
        _mid_p_upper(successes, n, tail),
        level,
        "mid-p",
    )


def jeffreys(successes: int, n: int, level: float = 0.95) -> Interval:
    """Jeffreys interval for a proportion: quantiles of Beta(k+½, n-k+½) (Brown, Cai & DasGupta 2001,
    Stat. Sci. 16:101).

    As they recommend, the low limit is 0 for 0 of n and the high one 1 for n of n, where the plain quantiles
    (statsmodels' "jeffreys", say) leave out the estimate itself. Contains the estimate at every level that is
    used (0.5 and above).

    Raises:
        ValueError: n < 1, successes outside [0, n] or not whole, or level outside (0, 1).
    """
    check_level(level)
    _check_whole(successes, n)
    tail = (1 - level) / 2
    return Interval(
        1 - _jeffreys_upper(n - successes, n, tail),
        _jeffreys_upper(successes, n, tail),
        level,
        "jeffreys",
    )


def clopper_pearson_upper(failures: int, n: int, level: float = 0.95) -> float:
    """The one-sided Clopper–Pearson bound: the rate of failure is below it with confidence `level`.

    0 failures in n gives 1-(1-level)^(1/n), about 3/n at 0.95 (the rule of three). n of n gives 1.

    Raises:
        ValueError: n < 1, failures outside [0, n] or not whole, or level outside (0, 1).
    """
    check_level(level)
    _check_whole(failures, n)
    return _upper_limit(failures, n, 1 - level)


def wilson_limits(p: float, n: float, z: float) -> tuple[float, float]:
    """Both limits for a proportion `p` seen on `n` items (an effective number need not be whole)."""
    spread = z * z / n
    centre = (p + spread / 2) / (1 + spread)
    half = z / (1 + spread) * (p * (1 - p) / n + spread / (4 * n)) ** 0.5
    # At 0 and n of n one limit is the estimate itself; rounding must not push it to the other side.
    return max(0.0, min(p, centre - half)), min(1.0, max(p, centre + half))


def _upper_limit(successes: int, n: int, tail: float) -> float:
    """The proportion at which `successes` or fewer of n has probability `tail`."""
    if successes == n:
        return 1.0
    from scipy.special import betaincinv

    return float(betaincinv(successes + 1, n - successes, 1 - tail))


def _mid_p_upper(successes: int, n: int, tail: float) -> float:
    """The proportion at which P(fewer than `successes` of n) + P(exactly `successes`) / 2 is `tail`."""
    if successes == n:
        return 1.0
    from scipy.special import betainc

    def lower_tail(p: float) -> float:
        fewer = betainc(n - successes + 1, successes, 1 - p) if successes else 0.0
        return float(fewer + betainc(n - successes, successes + 1, 1 - p)) / 2

    return falls_to(lower_tail, tail, 0.0, _upper_limit(successes, n, tail))


def _jeffreys_upper(successes: int, n: int, tail: float) -> float:
    if successes == n:
        return 1.0
    from scipy.special import betaincinv

    return float(betaincinv(successes + 0.5, n - successes + 0.5, 1 - tail))


def _check_counts(successes: float, n: int) -> None:
    if n < 1:
        raise ValueError(f"an interval needs at least one item, got n={n}")
    if not 0 <= successes <= n:
        raise ValueError(f"the count must lie between 0 and n={n}, got {successes}")


def _check_whole(count: float, n: int) -> None:
    _check_counts(count, n)
    if count != int(count) or n != int(n):
        raise ValueError(f"an exact method counts whole items, got {count} of {n}")
