"""One-sided tests: is the truth below a limit, and not merely other than it?"""

from collections.abc import Callable
from statistics import NormalDist

from bakeoff.stats.interval import Interval

_NORMAL = NormalDist()
_LEAST, _MOST = 1e-3, 8.0
"""Quantiles between which a p-value is looked for: 0.4996 to 6e-16."""


def one_sided(p: float, towards: float) -> float:
    """The one-sided p of a two-sided test whose distribution under no difference is symmetric about 0.

    McNemar's tests and the sign-flip test are of this kind. `towards` is the effect seen, positive in the
    direction that the one-sided test looks for: p/2 there, 1 - p/2 on the other side, and ½ for no effect.

    Raises:
        ValueError: p outside [0, 1], or `towards` is not a number.
    """
    if not 0 <= p <= 1:
        raise ValueError(f"a p-value lies between 0 and 1, got {p}")
    if towards != towards:
        raise ValueError("the effect seen must be a number, got nan")
    if towards == 0:
        return 0.5
    return p / 2 if towards > 0 else 1 - p / 2


def p_below(interval: Callable[[float], Interval], limit: float) -> float:
    """The one-sided p against "the truth is `limit` or above", by inverting an interval.

    `interval(level)` is the two-sided interval at a confidence level. The p-value is the smallest α at which
    the upper end at level 1 - 2α lies below `limit`, so that test and interval never contradict each other:
    with Clopper–Pearson the exact binomial tail, with Wilson and Tango their score tests, with the clustered
    intervals score tests on the effective number of items. Not below 6e-16; 1 where even the narrowest
    interval reaches `limit` (p is then about ½ or more).
    """

    def to_limit(z: float) -> float:
        return limit - interval(2 * _NORMAL.cdf(z) - 1).high

    if to_limit(_LEAST) <= 0:
        return 1.0
    if to_limit(_MOST) > 0:
        return _NORMAL.cdf(-_MOST)
    from scipy.optimize import brentq

    return _NORMAL.cdf(-float(brentq(to_limit, _LEAST, _MOST, xtol=1e-12)))
