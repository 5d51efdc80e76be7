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
PricedBy = Literal["prices", "settings", "run"]
By = Literal["cost", "latency"]


@dataclass(frozen=True, slots=True)
class Spending:
    """What a candidate took for an answer, over its `samples` on the items compared.

    `prompt_tokens` and `completion_tokens` are means of an answer, None where the engine did not count
    some; scripted turns are added up. `per_thousand` is US dollars for 1,000 answers asked anew, None
    where an answer has no price. `priced_by` says where prices came from: given beside the runs (`prices`),
    given to the run (`settings`), or the cost that the engine itself recorded (`run`).
    `p50` and `p95` are seconds, with order-statistic intervals, an end of which is infinite where it cannot
    be had, over the `timed` samples; the `cached` ones have no time of their own.
    """

    samples: int
    prompt_tokens: float | None
    completion_tokens: float | None
    per_thousand: float | None
    priced_by: tuple[PricedBy, ...]
    timed: int
    cached: int
    p50: Estimate | None
    p95: Estimate | None


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
    spending: Spending | None = None
    """Tokens, dollars and seconds of an answer, on the items compared."""


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
class Front:
    """Quality against US dollars per 1,000 answers, or against the median latency in seconds.

    `price` has every candidate's; costs are taken as exact, and a median is lower if the intervals lie apart.
    A candidate is off the front if another that takes no more is shown to be better, or takes less with the
    same score on every item: `beaten_by` names those, by label. All that no such candidate truly
    exceeds stay `on` together at the comparison's level. `probability` is the chance that a candidate is on
    the front, its score being normal around the estimate: a display, not a test.
    """

    by: By
    price: dict[str, float]
    on: tuple[str, ...]
    beaten_by: dict[str, tuple[str, ...]]
    probability: dict[str, float]


@dataclass(frozen=True, slots=True)
class NotWorse:
    """How much worse than the best a candidate may be at most, `bound` in [0, 1]; `shown` where that is less
    than the margin. `bound` is None, and nothing shown, where all items are in one group.
    """

    label: str
    price: float
    bound: float | None
    shown: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """The cheapest candidate shown to be worse than the best by less than the margin, the cheapest first.

    The bounds hold for all candidates together, so the choice may be made by looking at them. Each candidate
    is tested against every other, the best being unknown: it is shown to be not worse than the best where
    each of these tests shows it (Berger 1982, intersection-union), each at 1 - α/(k-1) for k candidates, of
    which k - 1 at most can be worse than the best. `chosen` is None where nothing is shown.
    """

    by: By
    margin: float
    candidates: tuple[NotWorse, ...]
    chosen: str | None


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
    fronts: tuple[Front, ...] = ()
    """Quality against cost and against latency, where they are known of every candidate."""
    choice: Choice | None = None
    """The cheapest that is not worse by more than a margin, where that was asked."""
    notes: tuple[str, ...] = ()
    seed: int = 0
    """Where random draws (flipped signs, rank ranges) start from."""
    schema_version: int = 1
