"""Selective prediction: answer where confident, abstain elsewhere.

Sorted by falling confidence, the first i of n items are what a model that abstains on the rest answers: its
coverage is i/n, its risk the share of wrong answers among them. Of items with equal confidence any may come
first, so wherever a tie is cut the errors are those expected over all its orders, and the order of the file
has no influence. Confidences may be any finite numbers: only their order counts.
"""

from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import ArrayLike

from bakeoff.stats.arrays import FloatArray
from bakeoff.stats.confidence.judged import as_judged
from bakeoff.stats.interval import check_level
from bakeoff.stats.mean.proportion import clopper_pearson_upper


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """The curve: `risk[i]` is the expected share of wrong answers among the i+1 most confident of the items,
    whose share of all is `coverage[i]`.
    """

    coverage: tuple[float, ...]
    risk: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Accepted:
    """Items that may be answered: those of a confidence of at least `threshold`.

    `coverage` is their share of all, `n` their number, `errors` how many of them are wrong, `upper` the
    one-sided Clopper-Pearson bound of their risk, which is at or under `max_risk` with confidence `level`.
    """

    threshold: float
    coverage: float
    n: int
    errors: int
    upper: float
    max_risk: float
    level: float


def risk_coverage(confidence: ArrayLike, correct: ArrayLike) -> RiskCoverage:
    """The risk-coverage curve (El-Yaniv & Wiener 2010, JMLR 11:1605), one point for each number of items.

    Raises:
        ValueError: no items, lengths differ, a number that is not finite, or a verdict other than 0 and 1.
    """
    errors = _errors(confidence, correct)
    count = np.arange(1, len(errors) + 1)
    return RiskCoverage(tuple((count / len(errors)).tolist()), tuple((errors / count).tolist()))


def aurc(confidence: ArrayLike, correct: ArrayLike) -> float:
    """Area under the risk-coverage curve as the mean risk over the n coverages (Geifman & El-Yaniv 2017).

    In [0, 1], lower is better; random confidences give the overall risk. See `aurc_trapezoid` for the other
    definition in use: the two differ, so name which.

    Raises:
        ValueError: as for `risk_coverage`.
    """
    errors = _errors(confidence, correct)
    return float((errors / np.arange(1, len(errors) + 1)).mean())


def excess_aurc(confidence: ArrayLike, correct: ArrayLike) -> float:
    """`aurc` less that of the best possible order, all right answers first (Geifman, Uziel & El-Yaniv 2019).

    The optimum is the one for these n items and not its limit r + (1 - r) ln(1 - r), which is too low for
    few.

    Raises:
        ValueError: as for `risk_coverage`.
    """
    _, verdicts = as_judged(confidence, correct, probabilities=False)
    count = np.arange(1, len(verdicts) + 1)
    best = float((np.maximum(0, count - verdicts.sum()) / count).mean())
    return max(0.0, aurc(confidence, correct) - best)


def augrc(confidence: ArrayLike, correct: ArrayLike) -> float:
    """Area under the generalised risk-coverage curve (Traub et al. 2024, arXiv 2407.01032), in [0, 1].

    The mean, over the n coverages, of the share of all items that are both answered and wrong. Unlike `aurc`
    it does not count the errors of highest confidence many times over.

    Raises:
        ValueError: as for `risk_coverage`.
    """
    errors = _errors(confidence, correct)
    return float(errors.mean() / len(errors))


def aurc_trapezoid(confidence: ArrayLike, correct: ArrayLike) -> float | None:
    """Area under the risk-coverage curve by trapezoids from coverage 1/n to 1, over that width; None for one
    item.

    The definition of torch-uncertainty. In [0, 1].

    Raises:
        ValueError: as for `risk_coverage`.
    """
    errors = _errors(confidence, correct)
    if len(errors) < 2:
        return None
    risk = errors / np.arange(1, len(errors) + 1)
    return float(((risk[1:] + risk[:-1]) / 2).mean())


def coverage_at_risk(
    confidence: ArrayLike, correct: ArrayLike, max_risk: float, *, level: float = 0.95, steps: int = 20
) -> Accepted | None:
    """The largest share of items to answer so that their risk is certified to be at or under `max_risk`.

    None if no share can be certified, which says nothing against the model where the items are few: even
    without any error it takes ln(1 - level) / ln(1 - max_risk) of them (59 for a risk of 0.05 at 95 %).

    Choosing the threshold that looks best would cheat: some threshold often looks safe by chance. So the
    tests come in a sequence fixed by the confidences alone, and the first that fails ends it (fixed-sequence
    testing, as in Learn then Test, Angelopoulos et al. 2021, arXiv 2110.01052): the guarantee holds for
    whatever threshold results. The sequence is of the 1/steps, 2/steps, ... most confident items, ties taken
    whole, from the smallest set in which two errors would pass (or one, or the set of all, where none is so
    large). Each test is a one-sided Clopper-Pearson bound. Risk is that of items like the accepted ones,
    independent of each other.

    Raises:
        ValueError: as for `risk_coverage`, max_risk or level outside (0, 1), or steps < 1.
    """
    check_level(level)
    if not 0 < max_risk < 1:
        raise ValueError(f"max_risk lies between 0 and 1 (0.05, say), got {max_risk}")
    if steps < 1:
        raise ValueError(f"steps must be at least 1, got {steps}")
    confidences, verdicts = as_judged(confidence, correct, probabilities=False)
    n = len(confidences)
    wrong_below = np.append(0, np.cumsum(verdicts == 0))
    targets = [ceil(n * step / steps) for step in range(1, steps + 1)]
    firsts = np.searchsorted(confidences, [confidences[n - target] for target in targets])
    sizes = sorted({n - int(first) for first in firsts})
    best = None
    for size in sizes[_first_test(sizes, max_risk, level) :]:
        errors = int(wrong_below[n] - wrong_below[n - size])
        upper = clopper_pearson_upper(errors, size, level)
        if upper > max_risk:
            break
        best = Accepted(float(confidences[n - size]), size / n, size, errors, upper, max_risk, level)
    return best


def _first_test(sizes: list[int], max_risk: float, level: float) -> int:
    """Where the sequence begins: a matter of the sizes, never of which answers are right."""
    for errors in (2, 1):
        for i, size in enumerate(sizes):
            if size >= errors and clopper_pearson_upper(errors, size, level) <= max_risk:
                return i
    return len(sizes) - 1


def _errors(confidence: ArrayLike, correct: ArrayLike) -> FloatArray:
    """Expected number of wrong answers among the 1, 2, ..., n most confident items."""
    confidences, verdicts = as_judged(confidence, correct, probabilities=False)
    wrong = 1 - verdicts[::-1]
    starts = np.flatnonzero(np.append(True, np.diff(confidences[::-1]) != 0))
    sizes = np.diff(np.append(starts, len(wrong)))
    errors = np.add.reduceat(wrong, starts)
    before = np.cumsum(errors) - errors
    inside = np.arange(1, len(wrong) + 1) - np.repeat(starts, sizes)
    expected: FloatArray = np.repeat(before, sizes) + inside * np.repeat(errors / sizes, sizes)
    return expected
