"""Where building requests as lm-eval does and building them correctly differ, and what that moves."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bakeoff.nouns import Item, OptionScore, Outcome, Response, Sample
from bakeoff.score import norm_of, winner
from bakeoff.store import query, read_samples

_SHOWN = 10
_NOTED = (
    """SELECT count(*) FROM samples WHERE outcome = 'scored' AND regexp_matches(options, '"note":"[^"]')"""
)


@dataclass(frozen=True, slots=True)
class ModeDifference:
    """Of `items` scored by log-likelihood, `differing` have an option that the other mode builds differently.

    `kinds` counts items by what differs; one item may count under several. `accuracy` is that of this run
    and `other_accuracy` that of the other mode, over the same items: those whose log-likelihoods are known
    in both; `unknown` items are not. In `changed` items another choice wins; `examples` are the first of
    their ids, then of other differing items. Accuracies are None for documents, and where no item is known
    in both. Only the first repeat of an item is looked at.
    """

    items: int
    differing: int
    kinds: dict[str, int]
    accuracy: float | None
    other_accuracy: float | None
    unknown: int
    changed: int
    examples: tuple[str, ...]


def mode_difference(folder: Path) -> ModeDifference | None:
    """What the notes of a run's options say; None where no option has one."""
    if not query(folder, _NOTED)[0][0]:
        return None
    items = unknown = right = other_right = 0
    kinds: Counter[str] = Counter()
    changed: list[str] = []
    differing: list[str] = []
    for sample in read_samples(folder, outcome=Outcome.SCORED):
        options = sample.turns[-1].response.options
        if sample.repeat or not options:
            continue
        items += 1
        found = _kinds(options)
        kinds.update(found)
        if found:
            differing.append(sample.item_id)
        here, there = _pick(sample, options), _pick(sample, _other(options))
        if here is None or there is None:
            unknown += 1
            continue
        right += here == sample.target
        other_right += there == sample.target
        if here != there:
            changed.append(sample.item_id)
    both = items - unknown
    return ModeDifference(
        items=items,
        differing=len(differing),
        kinds=dict(kinds.most_common()),
        accuracy=right / both if both else None,
        other_accuracy=other_right / both if both else None,
        unknown=unknown,
        changed=len(changed),
        examples=tuple(dict.fromkeys((*changed, *differing)))[:_SHOWN],
    )


def _kinds(options: Sequence[OptionScore]) -> set[str]:
    """What differs, without its numbers: `left-truncated by n tokens`."""
    return {re.sub(r"\d+", "n", note) for option in options for note in option.note.split("; ") if note}


def _other(options: Sequence[OptionScore]) -> tuple[OptionScore, ...]:
    """The options as the other mode scores them; none where one of them cannot be had."""
    known = all(option.other is not None for option in options if option.note)
    return tuple(_swapped(option) for option in options) if known else ()


def _swapped(option: OptionScore) -> OptionScore:
    return option if option.other is None else replace(option, logprob=option.other)


def _pick(sample: Sample, options: Sequence[OptionScore]) -> int | None:
    item = Item(sample.item_id, "", sample.choices, sample.target)
    return winner(item, Response(options=tuple(options)), norm_of(sample.score.scorer))
