"""Interval for a ratio of two sums, such as bits over bytes, whose documents differ in length.

The estimate is R = Σ y / Σ x, not the mean of the y/x: a long document counts by its length. Its interval:

- Linearised (delta method; Cochran 1977, Sampling Techniques, section 2.11): R moves as the mean of the
  residuals e = y - R x over the mean of the x. Documents of one group are added up first.
- The variance is Σ_g e_g² / (1 - x_g / X) / X² with X = Σ x: the bias-corrected form of Royall & Cumberland
  (1978, JASA 73:351), unbiased where the variance of a group grows with its x. It is CR2 of the weighted
  regression of y on x through the origin, as in `clustered` for means.
- Student's t has X² / Σ x_g² - 1 degrees of freedom, at least 1: the effective number of groups less one,
  so that a few long documents that dominate count for as few as they are.

The interval is symmetric; that of an increasing function of R (a perplexity, exp(R)) has its limits' images
for limits. Groups that all have the very same ratio give zero width.
"""

from collections.abc import Hashable, Sequence
from math import fsum, isfinite, sqrt

from bakeoff.stats.interval import Interval, check_level, t_quantile


def ratio(
    numerators: Sequence[float],
    denominators: Sequence[float],
    clusters: Sequence[Hashable],
    level: float = 0.95,
) -> Interval | None:
    """Interval for Σ numerators / Σ denominators, one of each per document; None with one group alone.

    `clusters[i]` is the group of document i; give each its own where they are independent.

    Raises:
        ValueError: no documents, lengths differ, a denominator not above 0, a number that is not finite, or
            level outside (0, 1).
    """
    _check(numerators, denominators, clusters, level)
    total = fsum(denominators)
    estimate = fsum(numerators) / total
    sums: dict[Hashable, tuple[list[float], list[float]]] = {}
    for y, x, cluster in zip(numerators, denominators, clusters, strict=True):
        residuals, sizes = sums.setdefault(cluster, ([], []))
        residuals.append(y - estimate * x)
        sizes.append(x)
    if len(sums) < 2:
        return None
    groups = [(fsum(residuals), fsum(sizes) / total) for residuals, sizes in sums.values()]
    error = sqrt(fsum(e * e / (1 - share) for e, share in groups)) / total
    df = max(1.0, 1 / fsum(share * share for _, share in groups) - 1)
    half = t_quantile(level, df) * error
    return Interval(estimate - half, estimate + half, level, "ratio-t")


def _check(
    numerators: Sequence[float], denominators: Sequence[float], clusters: Sequence[Hashable], level: float
) -> None:
    check_level(level)
    if not numerators:
        raise ValueError("an interval needs at least one document, got none")
    if not len(numerators) == len(denominators) == len(clusters):
        raise ValueError(
            f"each document needs two numbers and its group, got {len(numerators)} numerators, "
            f"{len(denominators)} denominators and {len(clusters)} groups"
        )
    for y, x in zip(numerators, denominators, strict=True):
        if not isfinite(y) or not isfinite(x) or x <= 0:
            raise ValueError(f"a document's numbers must be finite, its denominator above 0, got {y} / {x}")
