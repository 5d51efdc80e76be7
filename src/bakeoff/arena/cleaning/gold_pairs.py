"""Voters who get pairs wrong whose outcome is known."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bakeoff.arena.cleaning.filter import Flags
from bakeoff.arena.votes.coded import Coded
from bakeoff.arena.votes.votes import Votes, grouped
from bakeoff.stats.many.multiplicity import benjamini_hochberg


@dataclass(frozen=True, slots=True)
class GoldPairs:
    """All votes of voters who fail known pairs more often than a careful voter would, and the known pairs.

    A careful voter fails up to `allowed` of them. Tested is each voter's number of failures (one-sided,
    binomial), at `alpha` over all voters by Benjamini and Hochberg. Any outcome but the known one is a
    failure, a tie too. Known pairs were set to find out about voters and are flagged themselves, unless
    `keep_pairs`. Votes of voters who met none, or of nobody known, stay, unjudged.

    Raises:
        ValueError: `allowed` or `alpha` outside (0, 1).
    """

    allowed: float = 0.2
    alpha: float = 0.05
    keep_pairs: bool = False
    name: ClassVar[str] = "known pairs"
    version: ClassVar[int] = 1

    def __post_init__(self) -> None:
        for name in ("allowed", "alpha"):
            if not 0 < getattr(self, name) < 1:
                raise ValueError(f"{name} lies between 0 and 1, got {getattr(self, name)}")

    def __call__(self, votes: Votes) -> Flags:
        """Flag the votes of those who fail, and the known pairs of the others."""
        from scipy.special import bdtrc

        by, voters = grouped(votes.voter)
        known = votes.gold >= 0
        tested = known & (by >= 0)
        met = np.bincount(by[tested], minlength=len(voters))
        failed = np.bincount(by[tested & (votes.outcome != votes.gold)], minlength=len(voters))
        adjusted = np.ones(len(voters))
        if met.any():
            # P(at least so many failures); bdtrc is the probability of more than its first argument.
            p = np.where(failed > 0, bdtrc(failed - 1.0, met, self.allowed), 1.0)
            adjusted[met > 0] = benjamini_hochberg(p[met > 0])
        bad = np.append(adjusted <= self.alpha, False)[by]
        codes = np.where(bad, 0, np.where(known & (not self.keep_pairs), 1, -1))
        unjudged = int((~np.append(met > 0, False)[by] & (codes < 0)).sum())
        return Flags(Coded(("the voter fails known pairs", "a known pair"), codes.astype(np.int32)), unjudged)
