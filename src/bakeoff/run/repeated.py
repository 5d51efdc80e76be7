"""What several answers to each item say: pass@k, pass^k, the majority, and the share of chance."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bakeoff.run.estimate import Estimate
from bakeoff.store import query

Measure = Callable[[Sequence[tuple[float | None, str | None]]], Estimate]
"""From each item's value and group to their mean and its interval."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """Estimates by k, for scores of 0 and 1; each counts the items with k scored answers or more.

    `pass_at`: one of k answers or more is right. `pass_hat`: all k are. `majority`: the most frequent of k
    extracted answers is right, ties broken at random; an answer without anything extracted agrees with no
    other. `sampling_share` is the share of the score's variance that more repeats would take away; None where
    it cannot be told.
    """

    pass_at: dict[int, Estimate] = field(default_factory=dict)
    pass_hat: dict[int, Estimate] = field(default_factory=dict)
    majority: dict[int, Estimate] = field(default_factory=dict)
    sampling_share: float | None = None


def repeated(folder: Path, measure: Measure) -> Repeated | None:
    """What the repeats of a run say; None for a run that asked every item once.

    Samples without a value (the model could not be reached, say) are left out, so an item can have fewer
    answers than repeats. Where scores are partial, only the share is given.
    """
    from bakeoff.stats.mean.passk import majority_at_k, pass_at_k, pass_hat_k
    from bakeoff.stats.mean.repeats import sampling_split

    items = [(values, answers, group) for _, values, answers, group in query(folder, _ANSWERS)]
    most = max((len(values) for values, _, _ in items), default=0)
    if most < 2:
        return None
    split = sampling_split([values for values, _, _ in items])
    share = split.share if split else None
    if any(value not in (0.0, 1.0) for values, _, _ in items for value in values):
        return Repeated(sampling_share=share)
    classes = [_classes(values, answers) for values, answers, _ in items]
    groups = [group for _, _, group in items]

    def estimate(of: Callable[[list[int], int], float | None], k: int) -> Estimate:
        return measure([(of(counts, k), group) for counts, group in zip(classes, groups, strict=True)])

    ks = [k for k in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512) if k < most] + [most]
    return Repeated(
        pass_at={k: estimate(lambda c, k: pass_at_k(sum(c), c[0], k), k) for k in ks},
        pass_hat={k: estimate(lambda c, k: pass_hat_k(sum(c), c[0], k), k) for k in ks},
        majority={k: estimate(majority_at_k, k) for k in ks if k > 2},
        sampling_share=share,
    )


_ANSWERS = """
    SELECT item_id, list(value ORDER BY repeat), list(extracted ORDER BY repeat), any_value("group")
    FROM samples WHERE value IS NOT NULL GROUP BY item_id ORDER BY item_id
"""


def _classes(values: list[float], answers: list[str | None]) -> list[int]:
    """How many answers are right, then how many give each wrong one."""
    wrong: Counter[object] = Counter()
    for index, (value, answer) in enumerate(zip(values, answers, strict=True)):
        if value == 0:
            wrong[index if answer is None else answer] += 1
    return [sum(value == 1 for value in values), *wrong.values()]
