"""Whether the probabilities of being positive can be taken at their word."""

from dataclasses import dataclass

from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.confidence.brier import brier
from bakeoff.stats.confidence.reliability import NullEce, ece, null_ece


@dataclass(frozen=True, slots=True)
class Calibration:
    """The mean probability beside the share of positives, the Brier score, and the expected calibration error
    in 15 bins of equal width, all in [0, 1], at the items' own share of positives.

    `chance` is the calibration error of perfectly calibrated probabilities on as many items: above its
    `upper`, those of the model are not.
    """

    mean: float
    share: float
    brier: float
    ece: float
    chance: NullEce

    @property
    def believable(self) -> bool:
        """Whether the error is no more than chance alone would give."""
        return self.ece <= self.chance.upper


def calibration(scores: FloatArray, positive: IntArray, *, level: float = 0.95) -> Calibration:
    """Of probabilities in [0, 1]."""
    return Calibration(
        float(scores.mean()),
        float(positive.mean()),
        brier(scores, positive),
        ece(scores, positive),
        null_ece(scores, level=level),
    )
