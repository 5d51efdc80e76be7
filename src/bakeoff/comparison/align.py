"""The same items side by side: every candidate's score on each item that all of them have."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bakeoff.comparison.candidates import Candidate, lineup
from bakeoff.errors import BakeoffError
from bakeoff.store.values import RunValues, run_values

__all__ = ["Aligned", "Candidate", "align"]

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """Candidates (in the order of their labels) by variants by items (in the order of their ids).

    `values` are the means over repeats, `within` the variances of those means as the repeats show them (s²/K,
    NaN with one repeat) and `repeats` how many scores each mean has, all of shape (candidates, variants,
    items). `groups` are those of the items. `left_out` counts items by the reason they are not here.
    `chance` is the score of guessing where all tasks agree on it. `scores` has the repeats themselves,
    (candidates, variants, items, most repeats), NaN beyond an item's own. `own` are the values of each run
    on all of its items, by candidate and variant.
    """

    task: str
    variants: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    items: tuple[str, ...]
    groups: tuple[str | None, ...]
    values: FloatArray
    within: FloatArray
    repeats: NDArray[np.int64]
    left_out: dict[str, int]
    notes: tuple[str, ...]
    chance: float | None
    scores: FloatArray
    own: tuple[tuple[RunValues, ...], ...] = ()

    @property
    def clusters(self) -> tuple[str, ...] | None:
        """The group of each item, one of its own for an item without; None where no item has a group."""
        if all(group is None for group in self.groups):
            return None
        return cluster_names(self.items, self.groups)

    @property
    def means(self) -> FloatArray:
        """Each candidate's score on each item, averaged over the variants: (candidates, items)."""
        means: FloatArray = self.values.mean(axis=1)
        return means


def align(runs: Sequence[Path], *, across: bool = False, incomplete: bool = False) -> Aligned:
    """Put runs of one task side by side; the order of `runs` makes no difference.

    Items meet by id, or under `across` by the digest of what they ask, so that two tasks may number the same
    questions differently. Only items that every run has a score for are kept.

    Raises:
        BakeoffError: the runs cannot be compared (see `lineup`), or share no scored item.
        StoreError: a folder is no run, or cannot be read.
    """
    found = lineup(runs, across=across, incomplete=incomplete)
    notes = list(found.notes)
    flat = run_values([folder for candidate in found.candidates for folder in candidate.runs])
    keys, note = _keys(flat) if across else ([values.items for values in flat], "")
    if note:
        notes.append(note)
    shared = _shared(keys, flat)
    scores = _gathered(flat, shared.rows)
    scored: NDArray[np.bool_] = np.all((~np.isnan(scores)).any(axis=2), axis=0)
    left_out = shared.left_out + _unscored(flat, shared.rows, scored)
    if not scored.any():
        reasons = "; ".join(f"{reason}: {number:,}" for reason, number in sorted(left_out.items()))
        raise BakeoffError(f"the runs share no scored item ({reasons})", "compare runs over the same items")
    shape = (len(found.candidates), len(found.variants), int(scored.sum()), -1)
    scores = scores[:, scored].reshape(shape)
    groups, note = _groups(flat, shared.rows)
    if note:
        notes.append(note)
    values, within, repeats = _over_repeats(scores)
    kept = np.flatnonzero(scored)
    if any(manifest.task.ask == "perplexity" for each in found.candidates for manifest in each.manifests):
        notes.append("the score of a document is its mean probability per byte, not its perplexity")
    chances = {manifest.task.chance for candidate in found.candidates for manifest in candidate.manifests}
    width = len(found.variants)
    return Aligned(
        task=found.task,
        variants=found.variants,
        candidates=found.candidates,
        items=tuple(shared.items[i] for i in kept),
        groups=tuple(groups[i] for i in kept),
        values=values,
        within=within,
        repeats=repeats,
        left_out=dict(sorted(left_out.items())),
        notes=tuple(notes),
        chance=chances.pop() if len(chances) == 1 else None,
        scores=scores,
        own=tuple(tuple(flat[i : i + width]) for i in range(0, len(flat), width)),
    )


def cluster_names(items: Sequence[str], groups: Sequence[str | None]) -> tuple[str, ...]:
    """The cluster of each item: its group, or one of its own. A group and a lone item never meet by name."""
    return tuple(
        f"item {item}" if group is None else f"group {group}"
        for item, group in zip(items, groups, strict=True)
    )


_Keys = Sequence[tuple[str, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class _Shared:
    """Items that all runs have, by id; `rows[r][i]` is where item i stands in run r."""

    items: tuple[str, ...]
    rows: list[NDArray[np.intp]]
    left_out: Counter[str]


def _keys(runs: Sequence[RunValues]) -> tuple[_Keys, str]:
    """What items meet by when ids say nothing: the digest of what is asked, where every sample has one."""
    if any(run.digests is None or None in run.digests for run in runs):
        return [run.items for run in runs], (
            "items were matched by id, because some samples were written before items had digests"
        )
    digests = [[digest or "" for digest in run.digests or ()] for run in runs]
    # A question that a run asks twice can only be matched by its id as well.
    twice = {digest for each in digests for digest, number in Counter(each).items() if number > 1}
    return [
        tuple(
            f"{digest} {item}" if digest in twice else digest
            for digest, item in zip(each, run.items, strict=True)
        )
        for each, run in zip(digests, runs, strict=True)
    ], ""


def _shared(keys: _Keys, runs: Sequence[RunValues]) -> _Shared:
    if all(each == keys[0] for each in keys):
        # The usual case, and the quick one.
        rows = [np.arange(len(keys[0]))] * len(keys)
        return _Shared(runs[0].items, rows, Counter())
    common = set(keys[0]).intersection(*keys[1:])
    ids = sorted((item, key) for item, key in zip(runs[0].items, keys[0], strict=True) if key in common)
    rows = []
    for each in keys:
        place = {key: i for i, key in enumerate(each)}
        rows.append(np.array([place[key] for _, key in ids], dtype=np.intp))
    return _Shared(tuple(item for item, _ in ids), rows, _strangers(keys, runs, common))


def _strangers(keys: _Keys, runs: Sequence[RunValues], common: set[str]) -> Counter[str]:
    """Items that not every run has, by reason, counted by their ids."""
    strangers = {
        item
        for each, run in zip(keys, runs, strict=True)
        for item, key in zip(run.items, each, strict=True)
        if key not in common
    }
    everywhere = set(runs[0].items).intersection(*(run.items for run in runs[1:]))
    return Counter(
        "same id, other content" if item in everywhere else "not in every run" for item in strangers
    )


def _gathered(runs: Sequence[RunValues], rows: Sequence[NDArray[np.intp]]) -> FloatArray:
    """The scores of the shared items: (runs, items, most repeats)."""
    most = max(run.scores.shape[1] for run in runs)
    scores = np.full((len(runs), len(rows[0]), most), np.nan)
    for r, (run, where) in enumerate(zip(runs, rows, strict=True)):
        scores[r, :, : run.scores.shape[1]] = run.scores[where]
    return scores


def _unscored(
    runs: Sequence[RunValues], rows: Sequence[NDArray[np.intp]], scored: NDArray[np.bool_]
) -> Counter[str]:
    """Why items have no score, by the outcome in the first run that has none for them."""
    reasons: Counter[str] = Counter()
    for i in np.flatnonzero(~scored):
        ids = (run.items[where[i]] for run, where in zip(runs, rows, strict=True))
        outcomes = (run.unscored.get(item) for run, item in zip(runs, ids, strict=True))
        reasons[f"unscored: {next(outcome for outcome in outcomes if outcome is not None)}"] += 1
    return reasons


def _groups(
    runs: Sequence[RunValues], rows: Sequence[NDArray[np.intp]]
) -> tuple[tuple[str | None, ...], str]:
    """The groups of the shared items in the first run that has any, and a note where others differ."""
    found = {
        tuple(run.groups[i] for i in where): None
        for run, where in zip(runs, rows, strict=True)
        if run.groups is not None
    }
    if not found:
        return (None,) * len(rows[0]), ""
    note = "the runs put items into different groups; those of the first are used" if len(found) > 1 else ""
    return next(iter(found)), note


def _over_repeats(scores: FloatArray) -> tuple[FloatArray, FloatArray, NDArray[np.int64]]:
    """The mean over repeats, its estimated variance, and how many repeats there are."""
    if scores.shape[-1] == 1:
        values = scores[..., 0]
        return values, np.full(values.shape, np.nan), np.ones(values.shape, np.int64)
    there = ~np.isnan(scores)
    repeats = there.sum(axis=-1)
    values = np.where(there, scores, 0.0).sum(axis=-1) / repeats
    squares = np.where(there, scores - values[..., None], 0.0) ** 2
    several = np.where(repeats > 1, repeats, 2)
    within = squares.sum(axis=-1) / (several - 1) / several
    return values, np.where(repeats > 1, within, np.nan), repeats
