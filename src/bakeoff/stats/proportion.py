"""Intervals for one proportion, its items independent of each other."""

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


def _check_counts(successes: float, n: int) -> None:
    if n < 1:
        raise ValueError(f"an interval needs at least one item, got n={n}")
    if not 0 <= successes <= n:
        raise ValueError(f"the count must lie between 0 and n={n}, got {successes}")


def _check_whole(count: float, n: int) -> None:
    _check_counts(count, n)
    if count != int(count) or n != int(n):
        raise ValueError(f"an exact method counts whole items, got {count} of {n}")
