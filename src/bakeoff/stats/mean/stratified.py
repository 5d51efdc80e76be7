"""Intervals for weighted means over strata: a macro-average over tasks or subjects, say.

The estimate is Σ_h W_h ȳ_h with weights that add up to 1 and do not come from the data. The strata are fixed:
the interval is about other items of the same strata, not about other strata.

- Its variance is Σ_h W_h² s_h²/n_h (Cochran 1977, Sampling Techniques, section 5.4). With clusters, which lie
  within a stratum each, a stratum's part is the cluster-robust CR2 with the floor of `cluster_se`.
- Student's t has the degrees of freedom of Satterthwaite (1946), (Σ v_h)² / Σ v_h²/f_h over the parts v_h of
  the variance, with f_h of n_h - 1, or of the effective number of groups less one, at least 1.
- n_eff, the number of independent items worth as much, is the variance of one item over that of the
  estimate: Σ_h W_h (s_h² + (ȳ_h - ȳ)²) over it. Wilson's or Tango's limits on n_eff items then keep to the
  scale near its ends.
- A stratum without spread (all right, say) would add a variance of 0. It is taken as if one of its n_h items
  (of its G* groups) had the value farthest away: s_h²/n_h is δ²/n_h² for the distance δ to that end of the
  scale. Where all values of equal strata are the same, the limits are those of n items, or G*.
- A stratum of one unit has no spread to estimate, and no neighbour to borrow one from: the interval is None,
  not estimable. Merge it with another stratum.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, isfinite

from bakeoff.stats.interval import Interval, check_level, t_quantile
from bakeoff.stats.mean.clustered import cluster_se, effective_groups
from bakeoff.stats.mean.proportion import wilson_limits
from bakeoff.stats.pair.paired import tango_limits


def stratified_mean(
    values: Sequence[float],
    strata: Sequence[Hashable],
    weights: Mapping[Hashable, float] | None = None,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Interval | None:
    """Interval for the weighted mean over strata of scores in [0, 1]; None with a stratum of one unit.

    `strata[i]` is the stratum of `values[i]`; `weights` has one for each stratum, in any unit, and equal ones
    if not given. For repeats per item, average within the item first. `method` is "stratified-wilson".

    Raises:
        ValueError: no values, lengths differ, a value outside [0, 1], weights that do not name the strata or
            are not above 0, a cluster in two strata, or level outside (0, 1).
    """
    each = _strata(values, strata, weights, clusters, level, lowest=0)
    if each is None:
        return None
    n_eff, t = _worth(each, level)
    low, high = wilson_limits(fsum(h.weight * h.mean for h in each), n_eff, t)
    return Interval(low, high, level, "stratified-wilson")


def stratified_difference(
    differences: Sequence[float],
    strata: Sequence[Hashable],
    weights: Mapping[Hashable, float] | None = None,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Interval | None:
    """As `stratified_mean`, for paired differences in [-1, 1]. `method` is "stratified-tango".

    Raises:
        ValueError: as `stratified_mean`, with a difference outside [-1, 1].
    """
    each = _strata(differences, strata, weights, clusters, level, lowest=-1)
    if each is None:
        return None
    n_eff, t = _worth(each, level)
    first = n_eff * fsum(h.weight * h.gained for h in each)
    second = n_eff * fsum(h.weight * (h.gained - h.mean) for h in each)
    low, high = tango_limits(first, max(0.0, second), n_eff, t)
    return Interval(low, high, level, "stratified-tango")


@dataclass(frozen=True, slots=True)
class _Stratum:
    """`gained` is the mean with negative values taken as 0; `spread` the variance of one item."""

    weight: float
    mean: float
    gained: float
    spread: float
    variance: float
    df: float


def _worth(strata: Sequence[_Stratum], level: float) -> tuple[float, float]:
    """The effective number of items, and t at the degrees of freedom of the variance."""
    estimate = fsum(h.weight * h.mean for h in strata)
    one_item = fsum(h.weight * (h.spread + (h.mean - estimate) ** 2) for h in strata)
    parts = [h.weight**2 * h.variance for h in strata]
    df = fsum(parts) ** 2 / fsum(part * part / h.df for part, h in zip(parts, strata, strict=True))
    return one_item / fsum(parts), t_quantile(level, df)


def _strata(
    values: Sequence[float],
    strata: Sequence[Hashable],
    weights: Mapping[Hashable, float] | None,
    clusters: Sequence[Hashable] | None,
    level: float,
    lowest: int,
) -> list[_Stratum] | None:
    check_level(level)
    groups = range(len(values)) if clusters is None else clusters
    _check(values, strata, groups, lowest)
    members: dict[Hashable, list[tuple[float, Hashable]]] = {}
    home: dict[Hashable, Hashable] = {}
    for x, stratum, group in zip(values, strata, groups, strict=True):
        members.setdefault(stratum, []).append((x, group))
        if home.setdefault(group, stratum) != stratum:
            raise ValueError(f"a cluster must lie within one stratum, got {group!r} in several")
    share = _shares(list(members), weights)
    each = []
    for name, rows in members.items():
        scores, own = zip(*rows, strict=True)
        stratum = _measured(scores, own, share[name], lowest)
        if stratum is None:
            return None
        each.append(stratum)
    return each


def _measured(
    values: Sequence[float], groups: Sequence[Hashable], weight: float, lowest: int
) -> _Stratum | None:
    error = cluster_se(values, groups, "cr2")
    if error is None:
        return None
    n, units = len(values), effective_groups(groups)
    mean = fsum(values) / n
    gained = fsum(x for x in values if x > 0) / n
    spread = fsum((x - mean) ** 2 for x in values) / (n - 1)
    variance = error * error
    # Rounding of the mean leaves a trace of spread in equal values such as 0.1.
    if variance < 1e-24:
        spread = max(mean - lowest, 1 - mean) ** 2 / units
        variance = spread / units
    return _Stratum(weight, mean, gained, spread, variance, max(1.0, units - 1))


def _shares(strata: Sequence[Hashable], weights: Mapping[Hashable, float] | None) -> dict[Hashable, float]:
    if weights is None:
        return dict.fromkeys(strata, 1 / len(strata))
    if weights.keys() != set(strata):
        odd = sorted(map(repr, weights.keys() ^ set(strata)))
        raise ValueError(f"weights must name the strata of the values and no others, differ in {odd}")
    for stratum, weight in weights.items():
        if not (isfinite(weight) and weight > 0):
            raise ValueError(f"weights must be above 0 and finite, got {weight} for {stratum!r}")
    total = fsum(weights.values())
    return {stratum: weight / total for stratum, weight in weights.items()}


def _check(
    values: Sequence[float], strata: Sequence[Hashable], groups: Sequence[Hashable], lowest: int
) -> None:
    if len(values) == 0:
        raise ValueError("an interval needs at least one item, got none")
    if not len(values) == len(strata) == len(groups):
        raise ValueError(
            f"each value needs its stratum and cluster, got {len(values)} values, {len(strata)} strata "
            f"and {len(groups)} clusters"
        )
    for x in values:
        if not lowest <= x <= 1:
            raise ValueError(f"values must lie between {lowest} and 1, got {x}")
