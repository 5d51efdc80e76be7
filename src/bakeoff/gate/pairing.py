"""A run and its baseline, item by item."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from bakeoff.errors import BakeoffError
from bakeoff.gate.side import ItemResult, Side
from bakeoff.task import differences


@dataclass(frozen=True, slots=True)
class Paired:
    """The items that both have a score for, in the order of the ids.

    `differences` are run minus baseline, in [-1, 1]. `clusters` is the group of each item, one of its own
    for an item without; None where no item has a group. `left_out` counts items by reason, `missing` those
    of them that the baseline has a score for.
    """

    items: tuple[str, ...]
    run: tuple[float, ...]
    baseline: tuple[float, ...]
    clusters: tuple[Hashable, ...] | None
    left_out: Mapping[str, int]
    missing: int
    notes: tuple[str, ...] = ()

    @property
    def differences(self) -> list[float]:
        """Run minus baseline; what is left of rounding after averages is 0."""
        changes = (run - baseline for run, baseline in zip(self.run, self.baseline, strict=True))
        return [0.0 if abs(change) < 1e-12 else change for change in changes]


def pair(run: Side, baseline: Side, *, across: bool = False) -> Paired:
    """Put the run beside its baseline. Under `across`, items meet by the digest of what they ask.

    Raises:
        BakeoffError: the tasks differ, and `across` was not asked for.
    """
    notes = _differing(run, baseline, across)
    keys, base_keys = _keys(run.items, baseline.items) if notes else (_ids(run.items), _ids(baseline.items))
    if notes and keys == _ids(run.items):
        notes.append("items were matched by id, because some samples were written before items had digests")
    ours, theirs = dict(zip(keys, run.items, strict=True)), dict(zip(base_keys, baseline.items, strict=True))
    both = [
        (ours[key], theirs[key])
        for key in keys
        if key in theirs and ours[key].value is not None and theirs[key].value is not None
    ]
    left_out = Counter(
        reason for key in ours | theirs if (reason := _why_not(ours.get(key), theirs.get(key)))
    )
    scored_there = sum(item.value is not None for item in baseline.items)
    return Paired(
        items=tuple(one.id for one, _ in both),
        run=tuple(one.value or 0.0 for one, _ in both),
        baseline=tuple(other.value or 0.0 for _, other in both),
        clusters=clusters_of([one for one, _ in both]),
        left_out=dict(sorted(left_out.items())),
        missing=scored_there - len(both),
        notes=tuple(notes),
    )


def clusters_of(items: Sequence[ItemResult]) -> tuple[Hashable, ...] | None:
    """The group of each item; an item without one is a group of its own. None where no item has a group."""
    if all(item.group is None for item in items):
        return None
    return tuple(("item", item.id) if item.group is None else item.group for item in items)


def _differing(run: Side, baseline: Side, across: bool) -> list[str]:
    """A note of what differs between the two tasks, or nothing."""
    if run.digest == baseline.digest:
        return []
    said = differences(baseline.parts, run.parts) or [f"digest: {baseline.digest[:19]}… → {run.digest[:19]}…"]
    if run.title != baseline.title:
        said = [f"name: {baseline.title} → {run.title}", *said]
    if not across:
        raise BakeoffError(
            f"{run.title}: the task of the run {run.label} is not that of its baseline {baseline.label}: "
            + "; ".join(said),
            "promote a run of the task as it is now, or add --across to gate all the same, item by item",
        )
    return [f"across tasks that differ: {'; '.join(said)}"]


def _ids(items: Sequence[ItemResult]) -> list[str]:
    return [item.id for item in items]


def _keys(run: Sequence[ItemResult], baseline: Sequence[ItemResult]) -> tuple[list[str], list[str]]:
    """What items meet by: the digest of what is asked, with the id for what is asked twice."""
    if not all(item.digest for item in (*run, *baseline)):
        return _ids(run), _ids(baseline)
    twice = {
        digest
        for side in (run, baseline)
        for digest, number in Counter(item.digest for item in side).items()
        if number > 1
    }
    ours, theirs = (
        [f"{item.digest} {item.id}" if item.digest in twice else item.digest for item in side]
        for side in (run, baseline)
    )
    return ours, theirs


def _why_not(run: ItemResult | None, baseline: ItemResult | None) -> str:
    """Why an item does not count; empty if it does."""
    if run is None:
        return "not in the run"
    if baseline is None:
        return "not in the baseline"
    if run.value is None:
        return f"unscored in the run: {run.outcome}"
    if baseline.value is None:
        return f"unscored in the baseline: {baseline.outcome}"
    return ""
