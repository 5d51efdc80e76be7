"""A ranking by a judge, which always says that it is one."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bakeoff.arena.judges.both_orders import ORDER_POLICY, Counts, both_orders
from bakeoff.arena.judges.constant import MOST, Constancy
from bakeoff.arena.judges.verdict import Verdicts
from bakeoff.errors import BakeoffError
from bakeoff.stats.ratings import Battles, Fit, bradley_terry, clustered, pairs_of


@dataclass(frozen=True, slots=True)
class Judge:
    """Which judge it was: the `name` in its verdicts, its exact `version`, the digest of its prompt, and the
    family of models that it is of, None for none of those ranked. Another version is another judge.

    Raises:
        BakeoffError: name, version or prompt is empty.
    """

    name: str
    version: str
    prompt: str
    family: str | None = None

    def __post_init__(self) -> None:
        for field in ("name", "version", "prompt"):
            if not getattr(self, field):
                raise BakeoffError(
                    f"a judge's `{field}` is empty", "a ranking names its judge, version and prompt"
                )

    @property
    def label(self) -> str:
        """What stands over everything that it ranked."""
        prompt = self.prompt.removeprefix("sha256:")[:12]
        return (
            f"ranked by a model, not by people: {self.name} ({self.version}), prompt {prompt}, {ORDER_POLICY}"
        )


@dataclass(frozen=True, slots=True, eq=False)
class JudgeRanking:
    """Strengths of `models`, in the order of `fit`, by one judge; `label` belongs wherever they are shown.

    `counts` is of all pairs; of the votes among them `own_family` are left out, since a judge does not rank
    its own family, and `of_blocked` those on models in `blocked`, whose answers are near constant.
    """

    label: str
    models: tuple[str, ...]
    fit: Fit
    counts: Counts
    votes: int
    own_family: int
    of_blocked: int
    blocked: Mapping[str, Constancy]


def judge_ranking(
    verdicts: Verdicts,
    judge: Judge,
    *,
    families: Mapping[str, str] | None = None,
    answers: Mapping[str, Constancy] | None = None,
    most: float = MOST,
) -> JudgeRanking:
    """Bradley-Terry strengths from one judge's votes, with the covariance for votes that share an item.

    `families` names those of the models, `answers` how constant each model's answers are; a model without
    either is taken to be of no family, and not constant. Models without a vote left are not rated.

    Raises:
        BakeoffError: the judge gave no verdict, no vote is left, or all are on one item.
    """
    both = both_orders(verdicts.by(judge.name))
    blocked = {name: each for name, each in (answers or {}).items() if each.blocked(most)}
    own = np.array(
        [judge.family is not None and (families or {}).get(name) == judge.family for name in both.models]
    )
    constant = np.array([name in blocked for name in both.models])
    of_blocked = constant[both.a] | constant[both.b]
    of_family = (own[both.a] | own[both.b]) & ~of_blocked
    kept = ~of_blocked & ~of_family
    item = both.items[kept]
    if len(np.unique(item)) < 2:
        raise BakeoffError(
            f"{judge.name} has {int(kept.sum())} votes left on {len(np.unique(item))} items",
            "a ranking needs pairs of two items or more that were judged in both orders",
        )
    battles = both.battles
    left = Battles(battles.models, battles.first[kept], battles.second[kept], battles.outcome[kept])
    fit = clustered(bradley_terry(pairs_of(left)), left, [item])
    return JudgeRanking(
        label=judge.label,
        models=both.models,
        fit=fit,
        counts=both.counts,
        votes=int(kept.sum()),
        own_family=int(of_family.sum()),
        of_blocked=int(of_blocked.sum()),
        blocked=blocked,
    )
