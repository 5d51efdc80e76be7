"""Where each candidate stands: its score, the ranks it may have, and the counts beside them."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bakeoff.comparison.align import Aligned, cluster_names
from bakeoff.comparison.comparison import Standing
from bakeoff.run import Estimate, estimate
from bakeoff.store.values import RunValues

FloatArray = NDArray[np.float64]


def standings(
    aligned: Aligned, apart: NDArray[np.bool_] | None, *, level: float = 0.95
) -> tuple[Standing, ...]:
    """The candidates by their scores, best first, equal ones by label.

    `apart` says which of them are told apart (candidates, candidates), in the order of `aligned`; None leaves
    their ranks open.
    """
    means = aligned.means
    clusters = aligned.clusters
    ranks = [None] * len(means) if apart is None else rank_ranges(means.mean(axis=1), apart)
    found = []
    for number, candidate in enumerate(aligned.candidates):
        score = estimate(means[number].tolist(), clusters, level)
        runs = aligned.own[number]
        mine, repeats = ranks[number], aligned.repeats[number]
        costs = [run.cost for run in runs]
        found.append(
            Standing(
                label=candidate.label,
                model=candidate.model,
                score=score,
                own=_own(runs, score, level),
                ranks=mine,
                best=None if mine is None else mine[0] == 1,
                counts=_counts(runs),
                runs=candidate.runs,
                repeats=(int(repeats.min()), int(repeats.max())),
                cost=None if None in costs or not costs else sum(cost or 0.0 for cost in costs),
                latency_p50=_median_latency(runs),
            )
        )
    # Means that differ by rounding alone are equal.
    return tuple(sorted(found, key=lambda each: (-round(each.score.value or 0.0, 12), each.label)))


def rank_ranges(scores: FloatArray, apart: NDArray[np.bool_]) -> list[tuple[int, int] | None]:
    """Which ranks each candidate may have: after all that are shown to be better, before all shown to be
    worse.

    If the chance that any two are told apart wrongly is α at most, all ranges hold together with probability
    1 - α (Mogstad, Romano, Shaikh & Wilhelm 2024, with another test of the pairs than `stats.ranks`: the one
    behind the verdicts and the groups, so that the three never contradict each other).
    """
    better = apart & (scores[:, None] > scores)
    above, below = better.sum(axis=0), better.sum(axis=1)
    return [(1 + int(a), len(scores) - int(b)) for a, b in zip(above, below, strict=True)]


def _own(runs: Sequence[RunValues], shared: Estimate, level: float) -> Estimate:
    """The score over all items that the candidate has a score for on every variant."""
    items, rows = _in_common(runs)
    means = np.stack([_means(run.scores[where]) for run, where in zip(runs, rows, strict=True)]).mean(axis=0)
    there: list[int] = np.flatnonzero(~np.isnan(means)).tolist()
    if len(there) == shared.n:
        return shared  # the shared items are among these, so they are these
    groups = runs[0].groups
    clusters = None if groups is None else [groups[rows[0][i]] for i in there]
    if clusters is None or all(group is None for group in clusters):
        return estimate(means[there].tolist(), None, level)
    return estimate(means[there].tolist(), cluster_names([items[i] for i in there], clusters), level)


def _in_common(runs: Sequence[RunValues]) -> tuple[Sequence[str], list[NDArray[np.intp]]]:
    """The items of all the runs, and where they stand in each."""
    if all(run.items == runs[0].items for run in runs):
        return runs[0].items, [np.arange(len(runs[0].items))] * len(runs)
    common = sorted(set(runs[0].items).intersection(*(run.items for run in runs[1:])))
    places = [{item: i for i, item in enumerate(run.items)} for run in runs]
    return common, [np.array([place[item] for item in common], dtype=np.intp) for place in places]


def _means(scores: FloatArray) -> FloatArray:
    """Over repeats, NaN where there is no score at all."""
    there = ~np.isnan(scores)
    number = there.sum(axis=1)
    total = np.where(there, scores, 0.0).sum(axis=1)
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)


def _counts(runs: Sequence[RunValues]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for run in runs:
        counts.update(run.counts)
    return dict(counts)


def _median_latency(runs: Sequence[RunValues]) -> float | None:
    seconds = np.concatenate([run.latencies for run in runs])
    return float(np.median(seconds)) if len(seconds) else None
