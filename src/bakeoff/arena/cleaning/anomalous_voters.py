"""Voters who do not vote as one of the crowd."""

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from bakeoff.arena.cleaning.crowd import cells
from bakeoff.arena.cleaning.filter import Flags
from bakeoff.arena.cleaning.likeness import KINDS, likeness
from bakeoff.arena.cleaning.published import fastchat, fisher
from bakeoff.arena.votes.coded import Coded
from bakeoff.arena.votes.votes import Votes, grouped
from bakeoff.stats.many.multiplicity import benjamini_hochberg, e_bh

Method = Literal["likeness", "fastchat", "fisher"]
_SPENT = 0.9
"""Of what is left of alpha, each time that voters are tested."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """What is known of one voter. `log_e` is the natural logarithm of the e-value, `like` the bot it is like.

    `model` is the model that such a bot votes for or against. `votes` counts all of them, `decided` those
    that are no ties.
    """

    voter: str
    votes: int
    decided: int
    log_e: float
    like: str
    model: str | None
    flagged: bool


@dataclass(frozen=True, slots=True)
class AnomalousVoters:
    """All votes of voters who vote like a bot and not like the crowd. Votes without a voter are unjudged.

    Voters with fewer than `at_least` votes are not tested and stay. The methods:

    - `likeness`, ours: an e-value for each voter, shared over voters by e-BH, again and again among those who
      are left until nobody new stands out, since bots hide one another in the crowd that they are held
      against. Each time spends nine tenths of what is left of `alpha`. At any one look the expected share of
      people among the flagged is `alpha` at most if people agree up to chance, whatever the models are worth:
      proven for the first time, and shown by simulation for the others, whose crowd was chosen by its votes.
    - `fastchat`: flags above 1 / alpha on each voter by itself, as published.
    - `fisher`: the paper's combination on both sides, shared over voters by Benjamini and Hochberg.

    Raises:
        ValueError: `alpha` outside (0, 1), `at_least` below 1, or another method.
    """

    alpha: float = 0.05
    at_least: int = 10
    method: Method = "likeness"
    name: ClassVar[str] = "anomalous voters"
    version: ClassVar[int] = 2

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise ValueError(f"alpha lies between 0 and 1, got {self.alpha}")
        if self.method not in get_args(Method):
            raise ValueError(f"method is one of {', '.join(get_args(Method))}, got {self.method!r}")
        if self.at_least < 1:
            raise ValueError(f"at_least is a number of votes, at least 1, got {self.at_least}")

    def __call__(self, votes: Votes) -> Flags:
        """Flag every vote of the voters found."""
        by, voters = grouped(votes.voter)
        unjudged = int((by < 0).sum())
        if self.method == "likeness":
            found = suspects(votes, self.alpha, self.at_least)
            reason = {
                int(each.voter, 16): f"the voter votes {_described(each)}" for each in found if each.flagged
            }
        else:
            bad = voters[self._published(votes, np.bincount(by[by >= 0], minlength=len(voters)))]
            reason = dict.fromkeys(bad.tolist(), f"anomalous by {self.method}")
        names = tuple(sorted(set(reason.values())))
        code = {voter: names.index(why) for voter, why in reason.items()}
        of_voter = np.array([code.get(voter, -1) for voter in voters.tolist()] + [-1], dtype=np.int32)
        return Flags(Coded(names, of_voter[by]), unjudged)

    def _published(self, votes: Votes, count: NDArray[np.int64]) -> NDArray[np.bool_]:
        tested = count >= self.at_least
        if not tested.any():
            return tested
        if self.method == "fastchat":
            return np.asarray(tested & (fastchat(votes) > -np.log(self.alpha)))
        adjusted = np.ones(len(count))
        adjusted[tested] = benjamini_hochberg(fisher(votes)[tested])
        return np.asarray(adjusted <= self.alpha)


def suspects(votes: Votes, alpha: float = 0.05, at_least: int = 10) -> tuple[Suspect, ...]:
    """The voters who were tested, the most like a bot first, each as at the last time."""
    found: dict[str, Suspect] = {}
    left = votes
    while new := _once(left, _SPENT * alpha, at_least):
        found |= {each.voter: each for each in new}
        flagged = [int(each.voter, 16) for each in new if each.flagged]
        if not flagged:
            break
        left = left.where(~np.isin(left.voter, np.array(flagged, dtype=np.uint64)))
        alpha -= _SPENT * alpha
    return tuple(sorted(found.values(), key=lambda row: (-row.log_e, row.voter)))


def _once(votes: Votes, alpha: float, at_least: int) -> list[Suspect]:
    """The voters with `at_least` votes, held against the crowd of all."""
    seen = cells(votes)
    found = likeness(seen, len(votes.models))
    by, voters = grouped(votes.voter)
    count = dict(zip(voters.tolist(), np.bincount(by[by >= 0], minlength=len(voters)).tolist(), strict=True))
    tested = np.flatnonzero([count[voter] >= at_least for voter in seen.voters.tolist()])
    flagged = e_bh(found.log_e[tested], alpha)
    return [
        Suspect(
            voter=f"{int(seen.voters[v]):016x}",
            votes=count[int(seen.voters[v])],
            decided=int(seen.decided[v]),
            log_e=float(found.log_e[v]),
            like=KINDS[found.kind[v]],
            model=votes.models[found.model[v]] if found.model[v] >= 0 else None,
            flagged=bool(bad),
        )
        for v, bad in zip(tested.tolist(), flagged.tolist(), strict=True)
    ]


def _described(suspect: Suspect) -> str:
    if suspect.model is None:
        return suspect.like
    return suspect.like.replace("one model", suspect.model)
