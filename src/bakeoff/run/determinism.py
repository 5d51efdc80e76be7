"""Is an answer the same when it is asked for again, alone, or in another order?"""

from collections.abc import Mapping, Sequence
from math import inf, isfinite
from pathlib import Path

from bakeoff.errors import ModelError
from bakeoff.model import Model
from bakeoff.nouns import Item, Sample
from bakeoff.run.conduct import Asker, together
from bakeoff.store import DeterminismRecord, PassRecord, Settings, read_samples
from bakeoff.task import Prepared

_SHOWN = 10


async def determinism(
    prepared: Prepared, model: Model, folder: Path, *, settings: Settings
) -> DeterminismRecord | None:
    """Ask the first items of the run in `folder` three times more and compare the answers with the run's.

    `settings.determinism` says how many items; the first repeat of each is asked, never from the cache.
    `again` has the full window in flight, `alone` one request at a time, so that batches have another size,
    and `reversed` the full window in the opposite order. What fails is counted; a model that ends a pass
    fails the rest of it.
    """
    number = settings.determinism
    if settings.limit is not None:
        number = min(number, settings.limit)
    items = list(prepared.items(number)) if number else []
    if not items:
        return None
    before = _first_repeats(folder, items)
    asker = Asker(prepared, model, settings, cache=None)
    passes = {
        "again": await _pass(asker, items, model.window, before),
        "alone": await _pass(asker, items, 1, before),
        "reversed": await _pass(asker, items[::-1], model.window, before),
    }
    return DeterminismRecord(items=len(items), passes=passes)


def _first_repeats(folder: Path, items: Sequence[Item]) -> dict[str, Sample]:
    wanted = {item.id for item in items}
    return {
        sample.item_id: sample
        for sample in read_samples(folder)
        if sample.repeat == 0 and sample.item_id in wanted
    }


async def _pass(asker: Asker, items: Sequence[Item], window: int, before: Mapping[str, Sample]) -> PassRecord:
    work, after, error = iter(items), dict[str, Sample](), ""

    async def worker() -> None:
        for item in work:
            after[item.id] = await asker.sample(item, 0)

    try:
        await together(worker, window)
    except ModelError as ended:
        error = str(ended)
    return _compared([(before.get(item.id), after.get(item.id)) for item in items], error)


def _compared(pairs: Sequence[tuple[Sample | None, Sample | None]], error: str) -> PassRecord:
    both = [(one, other) for one, other in pairs if one and other and _answered(one) and _answered(other)]
    differing = [one.item_id for one, other in both if _differs(one, other)]
    changes = [change for one, other in both for change in _changes(one, other)]
    largest = max(changes, default=None)
    gaps = [_gap(one) for one, _ in both if len(_logprobs(one)) > 1]
    return PassRecord(
        compared=len(both),
        failed=len(pairs) - len(both),
        disagreements=len(differing),
        rate=len(differing) / len(both) if both else None,
        examples=differing[:_SHOWN],
        largest_change=largest,
        near_ties=sum(gap <= 2 * (largest or 0.0) for gap in gaps) if gaps else None,
        error=error,
    )


def _answered(sample: Sample) -> bool:
    return all(turn.response.failure is None for turn in sample.turns)


def _differs(one: Sample, other: Sample) -> bool:
    """Another text; another most likely option; of a document, which has no other, another number."""
    first, second = _logprobs(one), _logprobs(other)
    if len(first) > 1 and len(first) == len(second):
        return first.index(max(first)) != second.index(max(second))
    return first != second or _texts(one) != _texts(other)


def _changes(one: Sample, other: Sample) -> list[float]:
    """By how many nats each option moved; one that became or ceased to be impossible has no number."""
    pairs = zip(_logprobs(one), _logprobs(other), strict=False)
    return [abs(a - b) for a, b in pairs if isfinite(a) and isfinite(b)]


def _gap(sample: Sample) -> float:
    """Nats between the two most likely options."""
    best, second = sorted(_logprobs(sample), reverse=True)[:2]
    return best - second if isfinite(second) else inf


def _logprobs(sample: Sample) -> list[float]:
    return [option.logprob for option in sample.turns[-1].response.options]


def _texts(sample: Sample) -> list[tuple[str, str]]:
    return [(turn.response.reasoning, turn.response.text) for turn in sample.turns]
