"""What a comparison says, as data: every table, page and gate reads this and computes nothing anew.

All scores are shares in [0, 1], all differences lie in [-1, 1]. Candidates stand in the order of their
scores, best first; equal scores in the order of their labels.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from bakeoff.run import Estimate
from bakeoff.stats import Interval

Verdict = Literal["better", "worse", "equivalent", "cannot tell"]


@dataclass(frozen=True, slots=True)
class Standing:
    """One candidate (a model, averaged over the prompt variants compared) among the others.

    `score` is over the items that all candidates share; `own` over all items the candidate has a value for.
    `ranks` is the simultaneous confidence set of its rank, 1 the best; (1, 1) for a candidate alone.
    `best` says whether it may be the best (the confidence set of the best). `counts` are its samples by
    outcome, with `total`. `repeats` is how often each item was asked, at least and at most.
    """

    label: str
    model: str
    score: Estimate
    own: Estimate
    ranks: tuple[int, int] | None
    best: bool | None
    counts: dict[str, int]
    runs: tuple[Path, ...]
    repeats: tuple[int, int]
    cost: float | None
    """US dollars for all its samples; None without prices."""
    latency_p50: float | None
    """Median seconds of an answer, cached ones left out."""


@dataclass(frozen=True, slots=True)
class Pair:
    """`second` minus `first`, paired by item.

    `p` is the two-sided p of this pair alone and `test` names it: "mcnemar-midp", "sign-flip" or
    "sign-flip of groups". `adjusted_p` is corrected for every pair in the comparison's family (Holm).
    `won`, `lost` and `tied` count items by which of the two scored higher: `won` for `second`.
    `needed` is how many more items of the same kind would settle it at 80 % power if the true difference is
    the one seen: 0 where it is settled, None where the difference is 0 or the variance unknown. `resolves` is
    the smallest difference these items can tell with 80 % power.
    """

    first: str
    second: str
    difference: float
    interval: Interval | None
    p: float | None
    test: str
    adjusted_p: float | None
    verdict: Verdict
    won: int
    lost: int
    tied: int
    n: int
    needed: int | None
    resolves: float | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An item on which candidates differ; `values` are their scores by label."""

    item_id: str
    group: str | None
    values: dict[str, float]


@dataclass(frozen=True, slots=True)
class VarianceSplit:
    """Where one candidate's uncertainty comes from: shares of the variance of its score, adding up to 1.

    A part is None where it cannot be told: `variants` with one variant, `repeats` with one repeat.
    """

    label: str
    standard_error: float
    items: float
    variants: float | None
    repeats: float | None
    interaction: float | None
    """Items that react to the prompt in their own way; with one repeat, together with the repeats."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Candidates on the shared items of one task.

    `baseline` is the label every pair is against; without one, `pairs` are all against the leader, and
    `family` counts all pairs of candidates, because the leader was chosen by looking. `groups` are the
    largest sets of candidates that cannot be told apart (maximal cliques: a candidate can be in several).
    `left_out` says, by reason, how many items were left out; `notes` are sentences for the reader, such as
    differing tasks under `across`.
    """

    task: str
    variants: tuple[str, ...]
    n: int
    clusters: int | None
    level: float
    margin: float | None
    standings: tuple[Standing, ...]
    baseline: str | None
    pairs: tuple[Pair, ...]
    family: int
    groups: tuple[tuple[str, ...], ...]
    items: tuple[Disagreement, ...] = ()
    """Items on which the candidates differ, the most divided first; not all of them need be here."""
    differing: int = 0
    """How many items the candidates differ on."""
    splits: tuple[VarianceSplit, ...] = ()
    left_out: dict[str, int] = field(default_factory=dict)
    chance: float | None = None
    first: Estimate | None = None
    """The leader's score corrected for having been picked as the leader; with ties, of all that are first.
    None with a baseline, which is not picked, or where it cannot be had."""
    notes: tuple[str, ...] = ()
    seed: int = 0
    """Where random draws (flipped signs, rank ranges) start from."""
    schema_version: int = 1
