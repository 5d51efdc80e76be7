"""Which of two runs a judge prefers, item by item and in both orders."""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from bakeoff.errors import BakeoffError
from bakeoff.judging.position import PositionBias, Winner, position_bias
from bakeoff.run.estimate import Estimate
from bakeoff.run.metrics import item_mean
from bakeoff.store import read_manifest
from bakeoff.verdicts.cases import answer_of, paired
from bakeoff.verdicts.opinions import Opinion, mean_value, opinions


@dataclass(frozen=True, slots=True)
class Pairs:
    """A judge's verdicts on the answers of two runs to the same items.

    `win_rate` of the first run is over all pairs in which each run has an answer or an outcome that counts:
    the mean over orders and repeats of the judge's verdicts, and where one has no answer (it is empty,
    refused or cut off) the other has won, where both have none neither. `wins`, `ties` and `losses` count the
    pairs by that mean, above, at and below 1/2: a pair that each order gives to another answer is a tie.
    `by_default` are pairs that no judge was needed for. `unreadable` counts pairs without a readable verdict,
    `failed` those with a failed answer; both stay out. `position` is from the pairs judged in both orders.
    """

    win_rate: Estimate
    wins: int
    ties: int
    losses: int
    by_default: int
    unreadable: int
    failed: int
    verdicts: int
    verdicts_unreadable: int
    position: PositionBias | None


def pairs(verdicts: Path, *, level: float = 0.95) -> Pairs:
    """The outcome of a judge's run on pairs. Items of one group are not independent.

    Raises:
        BakeoffError: `verdicts` is not a judge's run on pairs, or the runs it judged are gone.
    """
    manifest = read_manifest(verdicts)
    if manifest.judging is None or len(manifest.judging.folders) != 2:
        raise BakeoffError(f"{verdicts} is not a judge's run on the pairs of two runs")
    first, second = map(Path, manifest.judging.folders)
    by_case: dict[tuple[str, int], list[Opinion]] = defaultdict(list)
    for each in opinions(verdicts):
        by_case[each.item, each.repeat].append(each)
    means: list[tuple[float | None, str | None]] = []
    by_default = unreadable = failed = 0
    for one, other in paired(first, second):
        said = by_case.get((one.item_id, one.repeat))
        group = one.group if one.group is not None or one.repeat == 0 else one.item_id
        if said is None:
            there = (answer_of(one) is not None, answer_of(other) is not None)
            if one.score.outcome.unscored or other.score.outcome.unscored or all(there):
                failed += 1
                continue
            by_default += 1
            means.append((0.5 + (there[0] - there[1]) / 2, group))
            continue
        value = mean_value(said)
        unreadable += value is None
        means.append((value, group))
    values = [value for value, _ in means if value is not None]
    both = [orders for orders in map(_first_in_either_order, by_case.values()) if orders is not None]
    every = [each for said in by_case.values() for each in said]
    return Pairs(
        win_rate=item_mean(means, "auto", level),
        wins=sum(value > 0.5 for value in values),
        ties=sum(value == 0.5 for value in values),
        losses=sum(value < 0.5 for value in values),
        by_default=by_default,
        unreadable=unreadable,
        failed=failed,
        verdicts=len(every),
        verdicts_unreadable=sum(each.value is None for each in every),
        position=position_bias(*zip(*both, strict=True), level=level) if both else None,
    )


def _first_in_either_order(said: list[Opinion]) -> tuple[Winner, Winner] | None:
    found = {each.order: each for each in reversed(said)}
    if len(found) < 2:
        return None
    return _winner(found[0, 1].value), _winner(found[1, 0].value)


def _winner(value: float | None) -> Winner:
    return None if value is None or value == 0.5 else int(value < 0.5)
