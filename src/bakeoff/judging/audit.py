"""An audit of a judge of pairs: what its verdicts say about it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bakeoff.errors import TaskError
from bakeoff.judging.agreement import WithPeople, with_people
from bakeoff.judging.consistency import Consistency, consistency
from bakeoff.judging.family import own_family
from bakeoff.judging.formatting import only_formatted
from bakeoff.judging.people import two_people
from bakeoff.judging.position import PositionBias, Winner, position_bias
from bakeoff.judging.prompt import orders
from bakeoff.judging.trait import TraitBias, trait_bias
from bakeoff.judging.verbosity import longer


@dataclass(frozen=True, slots=True)
class Judgement:
    """One verdict on a pair.

    `swapped` says that answer 1 was read first. `winner` is the answer that won, 0 or 1 whichever was read
    first, or None. `better` are the answers that people prefer, one for each person. `lengths`, `formatted`
    and `families` are of both answers; lengths in any unit.
    """

    item: str
    swapped: bool
    winner: Winner
    better: tuple[Winner, ...] = ()
    lengths: tuple[float, float] | None = None
    formatted: tuple[bool, bool] | None = None
    families: tuple[str | None, str | None] | None = None
    judge_family: str | None = None
    criterion: str = ""

    @property
    def about_the_pair(self) -> tuple[object, ...]:
        """What has to be the same in all verdicts on a pair."""
        return self.better, self.lengths, self.formatted, self.families, self.judge_family


@dataclass(frozen=True, slots=True)
class Audit:
    """What can be said of a judge of pairs; None where its verdicts do not tell.

    `without_winner` counts verdicts that were ties or unreadable. `people` holds one verdict on each pair, in
    an order drawn by item, against one person drawn by item; `ceiling` that person against a second;
    `floor` one who always takes the longer answer against that person. `position` is from the first verdict
    in either order, `repeats` from several in one order. `length`, `format` and `family` are biases of all
    verdicts on a pair against that person, and `second_person` has the same of the second against the first:
    where labels are noisy and a trait goes with quality, anybody seems to lean to it, the more so the more
    often they are right.
    """

    criterion: str
    pairs: int
    verdicts: int
    without_winner: int
    people: WithPeople | None
    ceiling: WithPeople | None
    floor: WithPeople | None
    position: PositionBias | None
    length: TraitBias | None
    format: TraitBias | None
    family: TraitBias | None
    judge_family: str | None
    second_person: Mapping[str, TraitBias]
    repeats: Consistency | None


def audit(judgements: Iterable[Judgement], *, level: float = 0.95, seed: int = 0) -> Audit:
    """Agreement with people, biases and self-consistency of one judge on one criterion.

    Raises:
        TaskError: no verdict, verdicts of several criteria, or a pair whose verdicts name different
            preferences, lengths, formats or families.
        ValueError: level outside (0, 1).
    """
    pairs: dict[str, list[Judgement]] = defaultdict(list)
    for each in judgements:
        known = pairs[each.item]
        if known and known[0].about_the_pair != each.about_the_pair:
            raise TaskError(
                f"item {each.item!r:.80}: its verdicts name different `better`, `lengths`, `formatted` or "
                "`families`"
            )
        known.append(each)
    if not pairs:
        raise TaskError("there is no verdict to audit", "one JSON object a line: docs/guide/judges.md")
    all_verdicts = list(pairs.values())
    first = [verdicts[0] for verdicts in all_verdicts]
    criteria = {each.criterion for verdicts in all_verdicts for each in verdicts}
    families = {each.judge_family for each in first if each.judge_family is not None}
    if len(criteria) > 1 or len(families) > 1:
        raise TaskError("an audit is of one judge and one criterion", "audit each by itself")
    in_both = [
        (_in_order(verdicts, swapped=False)[0].winner, _in_order(verdicts, swapped=True)[0].winner)
        for verdicts in all_verdicts
        if len({each.swapped for each in verdicts}) == 2
    ]
    drawn = [two_people(verdicts[0].better, item, seed) for item, verdicts in pairs.items()]
    people, others = [one for one, _ in drawn], [other for _, other in drawn]
    longest = [None if each.lengths is None else longer(each.lengths) for each in first]

    def agreement(said: list[Winner]) -> WithPeople | None:
        return with_people(said, people, (0, 1), level=level, seed=seed)

    winners = [[each.winner for each in verdicts] for verdicts in all_verdicts]
    having = {
        "length": longest,
        "format": [None if each.formatted is None else only_formatted(each.formatted) for each in first],
        "family": [_own(each) for each in first],
    }
    judges = {name: trait_bias(winners, people, which, level=level) for name, which in having.items()}
    second = {
        name: trait_bias([[other] for other in others], people, which, level=level)
        for name, which in having.items()
    }
    return Audit(
        criterion=criteria.pop(),
        pairs=len(pairs),
        verdicts=sum(map(len, all_verdicts)),
        without_winner=sum(each.winner is None for verdicts in all_verdicts for each in verdicts),
        people=agreement([_drawn(item, verdicts, seed).winner for item, verdicts in pairs.items()]),
        ceiling=agreement(others),
        floor=agreement(longest),
        position=position_bias(*zip(*in_both, strict=True), level=level) if in_both else None,
        length=judges["length"],
        format=judges["format"],
        family=judges["family"],
        judge_family=families.pop() if families else None,
        second_person={name: found for name, found in second.items() if found is not None},
        repeats=consistency(list(map(_longest, all_verdicts)), (0, 1), level=level, seed=seed),
    )


def _own(each: Judgement) -> Winner:
    if each.families is None or each.judge_family is None:
        return None
    return own_family(each.families, each.judge_family)


def _in_order(verdicts: list[Judgement], *, swapped: bool) -> list[Judgement]:
    return [each for each in verdicts if each.swapped is swapped]


def _drawn(item: str, verdicts: list[Judgement], seed: int) -> Judgement:
    """The first verdict in the order drawn for the pair, so that a lean to a place favours neither answer."""
    swapped = orders(seed, "judge audit", item)[0] == (1, 0)
    return (_in_order(verdicts, swapped=swapped) or verdicts)[0]


def _longest(verdicts: list[Judgement]) -> list[Winner]:
    """The winners in the order with more verdicts: the pair's other order is not independent of it."""
    both = (_in_order(verdicts, swapped=swapped) for swapped in (False, True))
    return [each.winner for each in max(both, key=len)]
