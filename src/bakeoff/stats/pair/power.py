"""How many items a comparison needs, and how small a gap a benchmark can show.

Two models on the same items, compared by the mean of their paired differences, with a two-sided test at
1 - level that finds a true gap with probability `power`. For a gap δ (Miller 2024, arXiv 2411.00640, eq. 9):

    n = (z_{α/2} + z_β)² (ω² + σ_A²/K_A + σ_B²/K_B) / δ²

`variance` is ω², that of the items' true differences, and `sampling` the rest, from drawing K answers for an
item: only that part shrinks with K. A variance measured on scores holds both (see `repeats`). Both are of
scores in [0, 1]. The options:

- `design_effect`: items in groups say less; the variance of a mean is that many times as large.
- `comparisons`: so many pairs are compared, each at α/comparisons (Bonferroni).

On one model alone, or two models on different items, put the variances of their scores in `variance`: n is
then the items for each.
"""

from collections.abc import Sequence
from math import ceil, fsum, sqrt
from statistics import NormalDist

from bakeoff.stats.interval import normal_quantile


def items_needed(
    gap: float,
    variance: float,
    *,
    level: float = 0.95,
    power: float = 0.8,
    sampling: float = 0.0,
    design_effect: float = 1.0,
    comparisons: int = 1,
) -> int:
    """The number of items that shows a true mean difference of `gap`.

    Raises:
        ValueError: gap 0 or outside [-1, 1], a variance below 0, both 0 or more than scores in [0, 1] can
            have with that gap (1 - gap²), design_effect or comparisons below 1, level outside (0, 1), or
            power outside (1 - level, 1).
    """
    _check_gap(gap)
    _check_variances(variance, sampling, most=1 - gap * gap)
    z = _z(level, power, design_effect, comparisons)
    items = z * z * design_effect * (variance + sampling) / (gap * gap)
    # A whole number must not become the next one by rounding.
    return max(1, ceil(items * (1 - 1e-12)))


def smallest_gap(
    n: int,
    variance: float,
    *,
    level: float = 0.95,
    power: float = 0.8,
    sampling: float = 0.0,
    design_effect: float = 1.0,
    comparisons: int = 1,
) -> float:
    """The smallest true mean difference that `n` items show: smaller ones may well be missed.

    Above 1, no difference that scores in [0, 1] can have is shown.

    Raises:
        ValueError: n < 1, or as in `items_needed`.
    """
    if not n >= 1:
        raise ValueError(f"a benchmark has at least one item, got n={n}")
    _check_variances(variance, sampling, most=1.0)
    z = _z(level, power, design_effect, comparisons)
    return z * sqrt(design_effect * (variance + sampling) / n)


def connor_items(gap: float, disagreement: float, *, level: float = 0.95, power: float = 0.8) -> float:
    """Items for McNemar's test to find a gap in accuracy (Connor 1987, Biometrics 43:207).

    `disagreement` is the share of items that one of the two models alone has right. The number is not
    rounded; for small gaps it is that of `items_needed` with variance disagreement - gap².

    Raises:
        ValueError: gap 0 or above the disagreement in size, disagreement above 1, level outside (0, 1), or
            power outside (1 - level, 1).
    """
    _check_gap(gap)
    if not abs(gap) <= disagreement <= 1:
        raise ValueError(f"disagreement must lie between the gap {abs(gap)} and 1, got {disagreement}")
    _check_power(level, power)
    z = normal_quantile(level) * sqrt(disagreement)
    z += NormalDist().inv_cdf(power) * sqrt(disagreement - gap * gap)
    return (z / gap) ** 2


def design_effect(cluster_sizes: Sequence[float], icc: float) -> float:
    """What groups of these sizes multiply the variance of a mean by: 1 + (Σ m²/Σ m - 1) ICC (Kish 1965).

    Σ m²/Σ m is m̄ (1 + cv²), the size of the group of a random item. An ICC estimated below 0 can be chance:
    plan with 0.

    Raises:
        ValueError: no sizes, a size below 1, or icc outside [0, 1].
    """
    if len(cluster_sizes) == 0:
        raise ValueError("cluster_sizes must hold at least one size, got none")
    for size in cluster_sizes:
        if not 1 <= size < float("inf"):
            raise ValueError(f"a cluster has at least one item, got a size of {size}")
    if not 0 <= icc <= 1:
        raise ValueError(f"icc must lie between 0 and 1, got {icc}")
    typical = fsum(size * size for size in cluster_sizes) / fsum(cluster_sizes)
    return 1 + (typical - 1) * icc


def _z(level: float, power: float, design_effect: float, comparisons: int) -> float:
    """z_{α/2} + z_β, after a check of all that goes with them."""
    _check_power(level, power)
    if not 1 <= design_effect < float("inf"):
        raise ValueError(f"design_effect must be at least 1, got {design_effect}")
    if not comparisons >= 1:
        raise ValueError(f"comparisons must be at least 1, got {comparisons}")
    return normal_quantile(1 - (1 - level) / comparisons) + NormalDist().inv_cdf(power)


def _check_power(level: float, power: float) -> None:
    normal_quantile(level)
    # Where nothing differs, the test finds a gap with probability 1 - level already.
    if not 1 - level < power < 1:
        raise ValueError(f"power must lie between 1 - level = {1 - level:g} and 1, got {power}")


def _check_gap(gap: float) -> None:
    if not 0 < abs(gap) <= 1:
        raise ValueError(f"a gap in scores lies between -1 and 1 and is not 0, got {gap}")


def _check_variances(variance: float, sampling: float, most: float) -> None:
    for name, part in (("variance", variance), ("sampling", sampling)):
        if not part >= 0:
            raise ValueError(f"{name} cannot be below 0, got {part}")
    if not 0 < variance + sampling <= most * (1 + 1e-12):
        raise ValueError(
            f"variance and sampling together must be above 0 and at most {most:g}, which is what differences "
            f"in [-1, 1] can have, got {variance} and {sampling}"
        )
