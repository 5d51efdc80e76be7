"""Temperature scaling of the confidence in an option (Guo et al. 2017, arXiv 1706.04599).

An option's probability is the softmax of the options' log-likelihoods divided by a temperature T: above 1 the
confidences come closer together, below 1 they move apart. The chosen option, the first of the highest, stays
the same. A temperature must not be judged on the items that it was fitted on: `cross_fit` keeps them apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.confidence.options import as_options
from bakeoff.stats.confidence.reliability import Rule, ece

# Why there is no temperature: with every answer right the best is 0, and with targets that are no more likely
# than other options it is infinite. With every answer wrong no temperature makes the confidences fit.
Status = Literal["fitted", "all right", "all wrong", "no signal"]


@dataclass(frozen=True, slots=True)
class CrossFit:
    """Confidences in the chosen options, each scaled by a temperature fitted on the other folds.

    `temperature` is fitted on all items and is the one to use on new ones. `raw` holds the confidences at
    T = 1, `calibrated` those after scaling, `correct` 1 where the chosen option is the target; all in the
    order of the items. Unless `status` is "fitted", `calibrated` and `ece_after` are None, and the status
    says what stopped the fit, on all items or on those outside a fold.
    """

    status: Status
    temperature: float | None
    fold_temperatures: tuple[float | None, ...]
    raw: tuple[float, ...]
    calibrated: tuple[float, ...] | None
    correct: tuple[int, ...]
    ece_before: float
    ece_after: float | None


def fit_temperature(log_likelihoods: Sequence[ArrayLike], target: Sequence[int]) -> float | None:
    """The temperature under which the targets are most likely, or None where there is none: see `fit_status`.

    `log_likelihoods[i]` are those of item i's options, in nats (logits will do), `target[i]` the index of the
    right one. Items may differ in the number of options. The likelihood has one maximum, as it is concave in
    1/T.

    Raises:
        ValueError: no items, lengths differ, an item without options, a number that is not finite, or a
            target that is no option.
    """
    return _fit(_Choices.of(log_likelihoods, target))[0]


def fit_status(log_likelihoods: Sequence[ArrayLike], target: Sequence[int]) -> Status:
    """Whether `fit_temperature` finds one, and if not why.

    Raises:
        ValueError: as for `fit_temperature`.
    """
    return _fit(_Choices.of(log_likelihoods, target))[1]


def cross_fit(
    log_likelihoods: Sequence[ArrayLike],
    target: Sequence[int],
    *,
    keys: Sequence[str],
    folds: int = 5,
    seed: int = 0,
    n_bins: int = 15,
    rule: Rule = "width",
) -> CrossFit:
    """Calibrate each item by a temperature fitted without it, and give the ECE before and after.

    `keys[i]` is the id of item i, or of its group: items of one key share a fold. Folds are of about equally
    many keys and drawn by a hash of seed and key, so that the order of the items has no influence.

    Raises:
        ValueError: as for `fit_temperature`, one key for each item missing, folds < 2, or more folds than
            keys.
    """
    choices = _Choices.of(log_likelihoods, target)
    fold_of = _folds(keys, len(choices.targets), folds, seed)
    raw = choices.confidence(np.ones(len(choices.targets)))
    correct = choices.correct
    before = ece(raw, correct, n_bins=n_bins, rule=rule)
    temperature, status = _fit(choices)
    temperatures: list[float | None] = []
    for fold in range(folds):
        fitted, why = _fit(choices.where(fold_of != fold))
        temperatures.append(fitted)
        if status == "fitted":
            status = why
    calibrated = after = None
    if status == "fitted":
        scaled = choices.confidence(np.array(temperatures, dtype=np.float64)[fold_of])
        calibrated, after = tuple(scaled.tolist()), ece(scaled, correct, n_bins=n_bins, rule=rule)
    return CrossFit(
        status=status,
        temperature=temperature,
        fold_temperatures=tuple(temperatures),
        raw=tuple(raw.tolist()),
        calibrated=calibrated,
        correct=tuple(correct.astype(int).tolist()),
        ece_before=before,
        ece_after=after,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Choices:
    """Log-likelihoods less the item's highest, which cells are options, and the targets."""

    logits: FloatArray
    shown: NDArray[np.bool_]
    targets: IntArray

    @classmethod
    def of(cls, log_likelihoods: Sequence[ArrayLike], target: Sequence[int]) -> "_Choices":
        table, shown, targets = as_options(log_likelihoods, target, "log_likelihoods")
        highest = np.where(shown, table, -np.inf).max(axis=1, keepdims=True)
        return cls(np.where(shown, table - highest, 0.0), shown, targets)

    def where(self, kept: NDArray[np.bool_]) -> "_Choices":
        return _Choices(self.logits[kept], self.shown[kept], self.targets[kept])

    @property
    def of_target(self) -> FloatArray:
        return self.logits[np.arange(len(self.targets)), self.targets]

    @property
    def correct(self) -> NDArray[np.bool_]:
        """Whether the first of the highest is the target."""
        right: NDArray[np.bool_] = np.where(self.shown, self.logits, -np.inf).argmax(axis=1) == self.targets
        return right

    def confidence(self, temperatures: FloatArray) -> FloatArray:
        """Probability of the highest option at each item's temperature."""
        weights = np.where(self.shown, np.exp(self.logits / temperatures[:, None]), 0.0)
        share: FloatArray = 1 / weights.sum(axis=1)
        return share

    def slope(self, inverse: float) -> float:
        """Derivative of the negative log-likelihood by 1/T, which rises with it."""
        weights = np.where(self.shown, np.exp(inverse * self.logits), 0.0)
        expected = (weights * self.logits).sum(axis=1) / weights.sum(axis=1)
        return float((expected - self.of_target).sum())


def _fit(choices: _Choices) -> tuple[float | None, Status]:
    behind = choices.of_target < 0
    if not choices.logits.any():
        return None, "no signal"
    if not behind.any():
        return None, "all right"
    if behind.all():
        return None, "all wrong"
    if choices.slope(0.0) >= 0:
        return None, "no signal"
    from scipy.optimize import brentq

    high = 1.0
    while choices.slope(high) < 0:
        high *= 2
    while choices.slope(high / 2) > 0:
        high /= 2
    return float(1 / brentq(choices.slope, high / 2, high, xtol=1e-15 * high, rtol=1e-14)), "fitted"


def _folds(keys: Sequence[str], n: int, folds: int, seed: int) -> IntArray:
    if len(keys) != n:
        raise ValueError(f"each item needs its key, got {n} items and {len(keys)} keys")
    if folds < 2:
        raise ValueError(f"folds must be at least 2, got {folds}")
    distinct = set(keys)
    if folds > len(distinct):
        raise ValueError(f"folds cannot exceed the {len(distinct)} different keys, got {folds}")
    drawn = sorted(distinct, key=lambda key: sha256(f"{seed}:{key}".encode()).digest())
    fold_of = {key: place % folds for place, key in enumerate(drawn)}
    return np.array([fold_of[key] for key in keys], dtype=np.int64)
