"""From run folders to a comparison."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from bakeoff.comparison.align import Aligned, align
from bakeoff.comparison.candidates import EACH_ITS_OWN, run_end
from bakeoff.comparison.comparison import Comparison, Spending
from bakeoff.comparison.disagreements import disagreements
from bakeoff.comparison.pairs import Pairs, adjusted, pair, pair_tests, told_apart
from bakeoff.comparison.prices import Price, check_prices
from bakeoff.comparison.spending import spending, unpriced
from bakeoff.comparison.splits import splits
from bakeoff.comparison.standings import standings
from bakeoff.comparison.trade_offs import choice, fronts
from bakeoff.errors import BakeoffError
from bakeoff.run import Estimate, Result
from bakeoff.stats.arrays import FloatArray
from bakeoff.stats.many.cliques import maximal_cliques
from bakeoff.stats.many.covariance import mean_covariance
from bakeoff.stats.many.selection import first_adjusted
from bakeoff.store import read_manifest

Run = Path | str | Result


def compare(
    runs: Sequence[Run],
    *,
    baseline: Run | None = None,
    level: float = 0.95,
    margin: float | None = None,
    across: bool = False,
    incomplete: bool = False,
    seed: int = 0,
    items: int = 20,
    prices: Mapping[str, Price] | None = None,
    not_worse_by: float | None = None,
) -> Comparison:
    """Compare runs of one task, given as folders or results, item by item.

    `baseline` is a candidate's label or one of its runs; every candidate is then against it, else against the
    leader. `margin`, in (0, 1), is the largest difference that does not matter. With `across`, tasks may
    differ; with `incomplete`, runs may lack samples; the notes then say so. Up to `items` items on which the
    candidates differ are listed. `prices` (by model, as from `read_prices`) take the place of those the runs
    were made with; `not_worse_by`, in (0, 1), asks for the cheapest candidate that is worse than the best by
    no more. The order of `runs` changes nothing.

    Raises:
        BakeoffError: the runs are of several tasks, or as in `comparisons`.
        StoreError: a folder is no run, or cannot be read.
    """
    found = comparisons(
        runs,
        baseline=baseline,
        level=level,
        margin=margin,
        across=across,
        incomplete=incomplete,
        seed=seed,
        items=items,
        prices=prices,
        not_worse_by=not_worse_by,
    )
    if len(found) > 1:
        tasks = ", ".join(each.task for each in found)
        raise BakeoffError(f"the runs are of {len(found)} tasks: {tasks}", "compare them task by task")
    return found[0]


def comparisons(
    runs: Sequence[Run],
    *,
    baseline: Run | None = None,
    level: float = 0.95,
    margin: float | None = None,
    across: bool = False,
    incomplete: bool = False,
    seed: int = 0,
    items: int = 20,
    prices: Mapping[str, Price] | None = None,
    not_worse_by: float | None = None,
) -> tuple[Comparison, ...]:
    """`compare` for runs of any number of tasks: one comparison for each task's name, in the order of names.

    Under `across`, runs of differently named tasks are compared with one another where no task has two.

    Raises:
        BakeoffError: a task has one run alone, runs may not be compared (see `lineup`) or share no scored
            item, no candidate is meant by `baseline`, or a number is out of its range.
        StoreError: a folder is no run, or cannot be read.
    """
    _check(level, margin, items)
    _check_margin(level, not_worse_by)
    folders = [_folder(run) for run in runs]
    folders += _baseline_besides(folders, baseline)
    aligned = [
        align(group, across=across, incomplete=incomplete) for group in _by_task(folders, across=across)
    ]
    labels = _baselines(aligned, baseline)
    check_prices(prices or {}, [m for each in aligned for one in each.candidates for m in one.manifests])
    return tuple(
        compared(
            each,
            baseline=label,
            level=level,
            margin=margin,
            seed=seed,
            items=items,
            spent={one.label: spending(one, each.items, prices or {}, level) for one in each.candidates},
            not_worse_by=not_worse_by,
        )
        for each, label in zip(aligned, labels, strict=True)
    )


def compared(
    aligned: Aligned,
    *,
    baseline: str | None = None,
    level: float = 0.95,
    margin: float | None = None,
    seed: int = 0,
    items: int = 20,
    spent: Mapping[str, Spending] | None = None,
    not_worse_by: float | None = None,
) -> Comparison:
    """Compare what is side by side already. `baseline` is a label, `spent` what candidates took, by label."""
    clusters = aligned.clusters
    covariance = mean_covariance(aligned.means, clusters)
    labels = tuple(candidate.label for candidate in aligned.candidates)
    pairs = Pairs(labels, aligned.means, clusters, covariance, level, seed)
    tested = pair_tests(pairs)
    apart = told_apart(pairs, tested)
    spent = spent or {}
    standing = tuple(
        replace(each, spending=spent.get(each.label)) for each in standings(aligned, apart, level=level)
    )
    chosen = None if not_worse_by is None else choice(pairs, spent, not_worse_by)
    order = [labels.index(each.label) for each in standing]
    against = order[0] if baseline is None else labels.index(baseline)
    others = [number for number in order if number != against]
    family = list(tested) if baseline is None else [each for each in tested if against in each]
    p = adjusted(tested, family)
    ranked = [labels[number] for number in order]
    differing, to_read = disagreements(aligned, ranked, items)
    tied = np.ones((len(labels),) * 2, dtype=bool) if apart is None else ~apart
    cliques = maximal_cliques(tied[order][:, order])
    uncounted = () if cliques else ("there are too many groups that cannot be told apart to list them",)
    return Comparison(
        task=aligned.task,
        variants=() if aligned.variants == (EACH_ITS_OWN,) else aligned.variants,
        n=len(aligned.items),
        clusters=None if clusters is None else len(set(clusters)),
        level=level,
        margin=margin,
        standings=standing,
        baseline=baseline,
        pairs=tuple(
            pair(
                pairs,
                against,
                other,
                tested[min(against, other), max(against, other)],
                p.get((min(against, other), max(against, other))),
                family=len(family),
                margin=margin,
            )
            for other in others
        ),
        family=len(family),
        groups=tuple(tuple(ranked[member] for member in clique) for clique in cliques or ()),
        items=to_read,
        differing=differing,
        splits=splits(aligned, ranked, level),
        left_out=aligned.left_out,
        chance=aligned.chance,
        first=_first(aligned, covariance, level, seed) if baseline is None else None,
        fronts=fronts(pairs, spent),
        choice=chosen,
        seed=seed,
        notes=aligned.notes + uncounted + unpriced(spent, asked=not_worse_by is not None),
    )


def _first(aligned: Aligned, covariance: FloatArray | None, level: float, seed: int) -> Estimate | None:
    if covariance is None:
        return None
    found = first_adjusted(aligned.means.mean(axis=1), covariance, level=level, seed=seed)
    if found is None:
        return None
    # What a correction takes off knows nothing of the range of scores.
    interval = replace(found.interval, low=max(0.0, found.interval.low), high=min(1.0, found.interval.high))
    tied = f"of {len(found.first)} that are first together" if len(found.first) > 1 else ""
    return Estimate(min(1.0, max(0.0, found.estimate)), interval, len(aligned.items), note=tied)


def _check(level: float, margin: float | None, items: int) -> None:
    if not 0 < level < 1:
        raise BakeoffError(f"the level must lie between 0 and 1, got {level}", "95 % is 0.95")
    if margin is not None and not 0 < margin < 1:
        raise BakeoffError(
            f"the margin is a difference of scores between 0 and 1, got {margin}", "two points are 0.02"
        )
    if margin is not None and level <= 0.5:
        raise BakeoffError(f"equivalence needs a level above 0.5, got {level}", "95 % is 0.95")
    if items < 0:
        raise BakeoffError(f"the number of items to list cannot be below 0, got {items}")


def _check_margin(level: float, not_worse_by: float | None) -> None:
    if not_worse_by is None:
        return
    if not 0 < not_worse_by < 1:
        raise BakeoffError(
            f"not worse by {not_worse_by}: a difference of scores lies between 0 and 1", "two points are 0.02"
        )
    if level <= 0.5:
        raise BakeoffError(f"not worse needs a level above 0.5, got {level}", "95 % is 0.95")


def _folder(run: Run) -> Path:
    return run.folder if isinstance(run, Result) else Path(run)


def _by_task(folders: Sequence[Path], *, across: bool) -> list[list[Path]]:
    by_task: dict[str, list[Path]] = {}
    for folder in folders:
        by_task.setdefault(read_manifest(folder).task.name, []).append(folder)
    if not by_task or (across and all(len(group) == 1 for group in by_task.values())):
        return [list(folders)]
    return [by_task[name] for name in sorted(by_task)]


def _baseline_besides(folders: Sequence[Path], baseline: Run | None) -> list[Path]:
    """The run named as the baseline, where it is not among the others."""
    if baseline is None or not (_folder(baseline) / "manifest.json").exists():
        return []
    folder = _folder(baseline)
    return [] if folder.resolve() in {each.resolve() for each in folders} else [folder]


def _baselines(aligned: Sequence[Aligned], baseline: Run | None) -> list[str | None]:
    """The label of the baseline in each comparison: named, or that of the run named, which stands for its
    candidate in the other tasks too."""
    if baseline is None:
        return [None] * len(aligned)
    found = {label for each in aligned if (label := _meant(each, baseline)) is not None}
    labels: list[str | None] = []
    for each in aligned:
        known = [candidate.label for candidate in each.candidates]
        mine = [label for label in (_meant(each, baseline), *sorted(found)) if label in known]
        if not mine or (len(found) > 1 and _meant(each, baseline) is None):
            raise BakeoffError(
                f"no candidate for {each.task} is meant by the baseline {str(_named(baseline))!r}",
                f"the candidates are: {', '.join(known)}",
            )
        labels.append(mine[0])
    return labels


def _meant(aligned: Aligned, baseline: Run) -> str | None:
    """The label of the candidate with this label, else of the only one with this run or model."""
    named = _named(baseline)
    if any(candidate.label == named for candidate in aligned.candidates):
        return str(named)
    found = [
        candidate.label
        for candidate in aligned.candidates
        if candidate.model == named
        or any(
            folder.resolve() == Path(named).resolve() or named in (manifest.run_id, run_end(manifest))
            for folder, manifest in zip(candidate.runs, candidate.manifests, strict=True)
        )
    ]
    return found[0] if len(found) == 1 else None


def _named(baseline: Run) -> Path | str:
    return baseline.folder if isinstance(baseline, Result) else baseline
