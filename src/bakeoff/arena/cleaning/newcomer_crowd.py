"""Many voters with few votes each who vote for one model, or against it."""

from dataclasses import dataclass
from math import log
from typing import ClassVar, NamedTuple

import numpy as np

from bakeoff.arena.cleaning.bought import Ints, may_be_bought
from bakeoff.arena.cleaning.filter import Flags
from bakeoff.arena.cleaning.leaning import Strata, leaning
from bakeoff.arena.votes.coded import Coded
from bakeoff.arena.votes.votes import Mask, Votes, grouped
from bakeoff.stats.ratings.scale import POINTS


class _Group(NamedTuple):
    """A place among the two groups of newcomers, and a model."""

    which: int
    model: int


@dataclass(frozen=True, slots=True)
class NewcomerCrowd:
    """Newcomers' votes on a model, where newcomers together like it much more, or less, than others do, and
    it is not the others who are bought.

    Accounts with a few votes each cannot be judged one by one. Newcomers are voters with fewer than `few`
    votes, and, apart from these, other voters with fewer than `fewer_than`. For each model the decisive votes
    of either on it are held against those of all voters with more, on the same pairs (`leaning`); who belongs
    together does not depend on what anybody said. A difference of up to `tolerated` Elo points is no fault:
    tastes differ. What stands out most is found, then the rest is looked at without it. Each time spends
    half of what is left of `alpha`, over all models. At any one look the chance that anything is found,
    where nothing differs by more than is tolerated, is `alpha` at most if each vote is on its own; by
    simulation it is less where voters have tastes.

    Where newcomers differ, either they are bought or the others are: accounts that mostly vote as people do,
    and for one model. Nothing is flagged on a model on which the others may be the bought ones, or on which
    that cannot be told, by how votes of one voter hang together (`bought`). Half-hearted crowds of newcomers
    vote like people who like a model more, so their own votes are not asked.

    Votes of honest newcomers on that model go as well, since nothing tells them from the others. Those of
    unknown voters stay, unjudged.

    Raises:
        ValueError: `alpha` outside (0, 1), not 2 ≤ `few` ≤ `fewer_than`, or `tolerated` below 0 or infinite.
    """

    alpha: float = 0.05
    few: int = 10
    fewer_than: int = 30
    tolerated: float = 50.0
    name: ClassVar[str] = "newcomer crowd"
    version: ClassVar[int] = 2

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise ValueError(f"alpha lies between 0 and 1, got {self.alpha}")
        if not 2 <= self.few <= self.fewer_than:
            raise ValueError(
                f"few and fewer_than are numbers of votes, at least 2, the first not above the second, got "
                f"{self.few} and {self.fewer_than}"
            )
        if not 0 <= self.tolerated < np.inf:
            raise ValueError(f"tolerated is in points, at least 0, got {self.tolerated}")

    def __call__(self, votes: Votes) -> Flags:
        """Flag the votes of the newcomers found, on the models found."""
        by, voters = grouped(votes.voter)
        count = np.append(np.bincount(by[by >= 0], minlength=len(voters)), self.fewer_than)[by]
        newcomers = (count < self.few, (count >= self.few) & (count < self.fewer_than))
        others = (by >= 0) & (count >= self.fewer_than)
        differs = self._differs([_strata(votes, group, others) for group in newcomers], len(votes.models))
        codes = np.full(len(votes), -1, dtype=np.int32)
        names: list[str] = []
        for group, likes in differs.items():
            if _others_may_be_bought(votes, by, newcomers[group.which], others, group.model):
                continue
            on_it = (votes.model_a == group.model) | (votes.model_b == group.model)
            codes[newcomers[group.which] & on_it & (codes < 0)] = len(names)
            who = f"fewer than {self.few}" if group.which == 0 else f"{self.few} to {self.fewer_than - 1}"
            which = "for" if likes else "against"
            names.append(f"voters with {who} votes vote {which} {votes.models[group.model]}")
        return Flags(Coded(tuple(names), codes), int((by < 0).sum()))

    def _differs(self, groups: list[Strata], models: int) -> dict[_Group, bool]:
        """Which newcomers differ on which model, in the order in which they stand out, and whether they like
        it more.
        """
        leans = [leaning(strata, self.tolerated / POINTS) for strata in groups]
        tested = sum(len(np.unique([strata.first, strata.second])) for strata in groups)
        differs: dict[_Group, bool] = {}
        alpha = self.alpha
        while len(differs) < tested:
            alpha /= 2
            seen = [
                lean.log_e(models, {each.model for each in differs if each.which == which})
                for which, lean in enumerate(leans)
            ]
            which, model = np.unravel_index(np.argmax([log_e for log_e, _ in seen]), (len(leans), models))
            if seen[which][0][model] < log(tested / alpha):
                break
            differs[_Group(int(which), int(model))] = bool(seen[which][1][model])
        return differs


def _others_may_be_bought(votes: Votes, by: Ints, group: Mask, others: Mask, model: int) -> bool:
    """Whether it is the others who may be bought on a model, by opponents that both have met."""
    a, b = votes.model_a, votes.model_b
    rows = np.flatnonzero((votes.outcome < 2) & (group | others) & ((a == model) | (b == model)))
    opponent = np.where(a == model, b, a)[rows]
    met = [np.bincount(opponent[of[rows]], minlength=len(votes.models)) > 0 for of in (group, others)]
    both = np.logical_and(*met)[opponent]
    rows, opponent = rows[both], opponent[both]
    won = (votes.outcome[rows] == 0) == (a[rows] == model)
    return may_be_bought(by[rows], opponent, won, others[rows])


def _strata(votes: Votes, group: Mask, others: Mask) -> Strata:
    """Pairs on which both the group and the others have decided."""
    used = (votes.outcome < 2) & (group | others)
    a, b = votes.model_a[used].astype(np.int64), votes.model_b[used].astype(np.int64)
    won, mine = (votes.outcome[used] == 0) == (a < b), group[used]
    pairs, pair = np.unique(np.minimum(a, b) * len(votes.models) + np.maximum(a, b), return_inverse=True)
    own, own_won, both, both_won = (
        np.bincount(pair[of], minlength=len(pairs)) for of in (mine, mine & won, mine | True, won)
    )
    told = (own > 0) & (own < both)
    return Strata(
        first=pairs[told] // max(1, len(votes.models)),
        second=pairs[told] % max(1, len(votes.models)),
        won=own_won[told],
        decided=own[told],
        all_won=both_won[told],
        all_decided=both[told],
    )
