"""Shares seen through an imperfect judge or in another mix of positives and negatives than that of interest.

Everything here assumes that positives look alike wherever they come from, and negatives too: that the rates
at which they are flagged, or the distributions of their scores, carry over. They do not where a judge favours
the answers of its own family, say; then measure them anew.
"""

from dataclasses import dataclass
from math import log, sqrt
from typing import Literal

from numpy.typing import ArrayLike

from bakeoff.stats.arrays import FloatArray, as_numbers
from bakeoff.stats.interval import Interval, normal_quantile


@dataclass(frozen=True, slots=True)
class TrueShare:
    """The share of positives behind a judge's verdicts.

    `value` is as the formula gives it, outside [0, 1] too: cut it only for display. It is None, and so is the
    interval, with the status "judge no better than chance": sensitivity + specificity at most 1. With
    "incompatible" the interval is None because all of it lies outside [0, 1]: the judge says yes more rarely,
    or more often, than any share of positives would explain, so its rates do not carry over to these items.
    """

    value: float | None
    interval: Interval | None
    status: Literal["ok", "judge no better than chance", "incompatible"]


@dataclass(frozen=True, slots=True)
class PredictiveValue:
    """A predictive value, None where nothing was flagged that way, and its interval."""

    value: float | None
    interval: Interval | None


def true_share(apparent: float, sensitivity: float, specificity: float) -> float | None:
    """The share of positives where a judge of known rates says yes to the share `apparent` (Rogan & Gladen
    1978, Am. J. Epidemiol. 107:71). May lie outside [0, 1]; None if the judge is no better than chance.

    Raises:
        ValueError: a share outside [0, 1].
    """
    for name, share in (("apparent", apparent), ("sensitivity", sensitivity), ("specificity", specificity)):
        if not 0 <= share <= 1:
            raise ValueError(f"{name} must lie between 0 and 1, got {share}")
    if sensitivity + specificity <= 1:
        return None
    return (apparent + specificity - 1) / (sensitivity + specificity - 1)


def rogan_gladen(
    judged: tuple[int, int],
    sensitivity: tuple[int, int],
    specificity: tuple[int, int],
    *,
    level: float = 0.95,
) -> TrueShare:
    """`true_share` where the judge's rates are estimates too, with the interval of Lang & Reiczigel (2014,
    Prev. Vet. Med. 113:13), as Lee et al. 2025 (arXiv 2511.21140) use it for language models.

    Each argument is (count, of how many): items the judge says yes to, of all that it judged; of items known
    to be positive those it says yes to; of items known to be negative those it says no to. The three sets are
    independent. The interval is cut to [0, 1].

    Raises:
        ValueError: an empty set, a count outside its set or not whole, or level outside (0, 1).
    """
    z = normal_quantile(level)
    for name, (count, of) in (("judged", judged), ("sensitivity", sensitivity), ("specificity", specificity)):
        _check_count(count, of, name)
    value = true_share(
        judged[0] / judged[1], sensitivity[0] / sensitivity[1], specificity[0] / specificity[1]
    )
    n, m1, m0 = judged[1] + z * z, sensitivity[1] + 2, specificity[1] + 2
    p, q1, q0 = (judged[0] + z * z / 2) / n, (sensitivity[0] + 1) / m1, (specificity[0] + 1) / m0
    centre = true_share(p, q1, q0)
    if value is None or centre is None:
        return TrueShare(None, None, "judge no better than chance")
    of_q0, of_q1 = q0 * (1 - q0) / m0, q1 * (1 - q1) / m1
    shift = 2 * z * z * (centre * of_q1 - (1 - centre) * of_q0)
    error = sqrt(p * (1 - p) / n + (1 - centre) ** 2 * of_q0 + centre**2 * of_q1) / (q0 + q1 - 1)
    low, high = max(0.0, centre + shift - z * error), min(1.0, centre + shift + z * error)
    if low >= high:
        return TrueShare(value, None, "incompatible")
    return TrueShare(value, Interval(low, high, level, "lang-reiczigel"), "ok")


def precision_at(recall: float, false_positive_rate: float, prevalence: float) -> float | None:
    """Of what is flagged the share that is positive, where the share `prevalence` of all is (Bayes 1763).

    None where nothing would be flagged.

    Raises:
        ValueError: a share outside [0, 1].
    """
    for name, share in (("recall", recall), ("false_positive_rate", false_positive_rate)):
        if not 0 <= share <= 1:
            raise ValueError(f"{name} must lie between 0 and 1, got {share}")
    if not 0 <= prevalence <= 1:
        raise ValueError(f"prevalence must lie between 0 and 1, got {prevalence}")
    right = recall * prevalence
    flagged = right + false_positive_rate * (1 - prevalence)
    return right / flagged if flagged > 0 else None


def predictive_values(
    tp: int, fn: int, fp: int, tn: int, prevalence: float, *, level: float = 0.95
) -> tuple[PredictiveValue, PredictiveValue] | None:
    """Positive and negative predictive value at a known `prevalence`, with the logit intervals of Mercaldo,
    Lau & Zhou (2007, Stat. Med. 26:2170).

    Positives and negatives were drawn separately, as `tp` + `fn` and `fp` + `tn`. Where a count is 0 the
    interval is their adjusted one (z²/2 added to each count), which then is made to reach the value. None if
    there are no positives, or no negatives.

    Raises:
        ValueError: a count is negative or not whole, or prevalence or level outside (0, 1).
    """
    z = normal_quantile(level)
    for name, count in (("tp", tp), ("fn", fn), ("fp", fp), ("tn", tn)):
        if not count >= 0 or count % 1:
            raise ValueError(f"{name} must be a whole number from 0, got {count}")
    check_prevalence(prevalence)
    if not tp + fn or not fp + tn:
        return None
    # The negative value is the positive one with the roles exchanged.
    return (
        _predictive(tp, fn, fp, tn, prevalence, z, level),
        _predictive(tn, fp, fn, tp, 1 - prevalence, z, level),
    )


def prevalence_weights(observed: float, prevalence: float) -> tuple[float, float]:
    """Weights of a positive and of a negative that give a set with the share `observed` of positives the
    share `prevalence`.

    Raises:
        ValueError: a share outside (0, 1).
    """
    check_prevalence(observed, "observed")
    check_prevalence(prevalence)
    return prevalence / observed, (1 - prevalence) / (1 - observed)


def recalibrate(probabilities: ArrayLike, observed: float, prevalence: float) -> FloatArray:
    """Probabilities that were calibrated where the share of positives was `observed`, for one of
    `prevalence`: the logits move by the difference of the logits (Saerens, Latinne & Decaestecker 2002,
    Neural Comput. 14:21). 0 and 1 stay.

    Raises:
        ValueError: a probability is not finite or outside [0, 1], or a share outside (0, 1).
    """
    values = as_numbers(probabilities, "probabilities")
    outside = (values < 0) | (values > 1)
    if outside.any():
        raise ValueError(f"probabilities lie between 0 and 1 (0.9, not 90), got {values[outside][0]}")
    positive, negative = prevalence_weights(observed, prevalence)
    moved: FloatArray = values * positive / (values * positive + (1 - values) * negative)
    return moved


def check_prevalence(prevalence: float, name: str = "prevalence") -> None:
    """Refuse a share at which one kind does not occur.

    Raises:
        ValueError: a share outside (0, 1).
    """
    if not 0 < prevalence < 1:
        raise ValueError(f"{name} lies between 0 and 1 (0.01, not 1), got {prevalence}")


def _predictive(
    right: int, missed: int, wrong: int, spared: int, prevalence: float, z: float, level: float
) -> PredictiveValue:
    from scipy.special import expit

    value = precision_at(right / (right + missed), wrong / (wrong + spared), prevalence)
    if value is None:
        return PredictiveValue(None, None)
    added = 0.0 if min(right, missed, wrong, spared) else z * z / 2
    positives, negatives = right + missed + 2 * added, wrong + spared + 2 * added
    recall, false_positives = (right + added) / positives, (wrong + added) / negatives
    centre = log(recall * prevalence / (false_positives * (1 - prevalence)))
    variance = (1 - recall) / (recall * positives) + (1 - false_positives) / (false_positives * negatives)
    low, high = (float(expit(centre + side * z * sqrt(variance))) for side in (-1, 1))
    method = "mercaldo-logit adjusted" if added else "mercaldo-logit"
    return PredictiveValue(value, Interval(min(low, value), max(high, value), level, method))


def _check_count(count: int, of: int, name: str) -> None:
    if of < 1:
        raise ValueError(f"{name} must count at least one item, got {count} of {of}")
    if not 0 <= count <= of or count % 1 or of % 1:
        raise ValueError(f"{name} must be a whole number of its items, got {count} of {of}")
