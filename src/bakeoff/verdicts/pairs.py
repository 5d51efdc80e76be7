"""Which of two runs a judge prefers, item by item and in both orders."""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from bakeoff.errors import BakeoffError
from bakeoff.judging.position import PositionBias, Winner, position_bias
from bakeoff.run.estimate import Estimate
from bakeoff.run.metrics import item_mean
from bakeoff.store import read_manifest
from bakeoff.verdicts.cases import by_default, paired
from bakeoff.verdicts.opinions import Opinion, mean_value, opinions


@dataclass(frozen=True, slots=True)
class Pairs:
    """A judge's verdicts on the answers of two runs to the same items.

    `win_rate` of the first run is over all items on which each run has an answer or an outcome that counts:
    the mean over orders and repeats of the judge's verdicts, and where one has no answer (it is empty,
    refused or cut off) the other has won, where both have none neither. `wins`, `ties` and `losses` count the
    items by that mean, above, at and below 1/2: one that each order gives to another answer is a tie. Of the
    pairs of answers, several to an item that was asked several times, `by_default` needed no judge;
    `unreadable` have no readable verdict, `failed` an answer that failed or no judge that was asked, and both
    stay out. `position` is from the pairs judged in both orders.
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
    values: dict[tuple[str, str | None], list[float]] = defaultdict(list)
    without_judge = unreadable = failed = 0
    for one, other in paired(first, second):
        said = by_case.get((one.item_id, one.repeat))
        value = by_default(one, other) if said is None else mean_value(said)
        without_judge += said is None and value is not None
        failed += said is None and value is None
        unreadable += said is not None and value is None
        if value is not None:
            values[one.item_id, one.group].append(value)
    means = [(sum(found) / len(found), group) for (_, group), found in values.items()]
    both = [orders for orders in map(_first_in_either_order, by_case.values()) if orders is not None]
    every = [each for said in by_case.values() for each in said]
    return Pairs(
        win_rate=item_mean(means, "auto", level),
        wins=sum(value > 0.5 for value, _ in means),
        ties=sum(value == 0.5 for value, _ in means),
        losses=sum(value < 0.5 for value, _ in means),
        by_default=without_judge,
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
