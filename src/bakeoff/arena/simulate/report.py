"""Scenarios played again and again, and what their boards show on average."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import partial

import numpy as np

from bakeoff.arena.simulate.best_of import BestOf
from bakeoff.arena.simulate.board import UNKNOWN, Seen
from bakeoff.arena.simulate.crowd import generator
from bakeoff.arena.simulate.identity_probing import IdentityProbing
from bakeoff.arena.simulate.machine_pace import HIDDEN, Paced
from bakeoff.arena.simulate.scenario import Case, Scenario
from bakeoff.arena.simulate.silent_removal import SilentRemoval
from bakeoff.arena.simulate.stuffing import Stuffing
from bakeoff.arena.simulate.style_hacking import StyleHacking
from bakeoff.arena.simulate.unequal_sampling import UnequalSampling
from bakeoff.arena.simulate.world import World
from bakeoff.errors import BakeoffError

SCENARIOS: tuple[Scenario, ...] = (
    Stuffing("stuffing"),
    Stuffing("many-accounts", accounts=250, each=4),
    HIDDEN,
    Paced(),
    IdentityProbing(),
    Stuffing("random-clickers", how="at random"),
    BestOf(),
    StyleHacking(),
    UnequalSampling(),
    SilentRemoval(),
)
Watch = Callable[[str, int, int], None]
"""Is told a scenario, how many of all replications are done, and how many there are."""


@dataclass(frozen=True, slots=True)
class Line:
    """What the boards of one case show: those of votes with or without the attack, under these rules.

    `mean` is over the share `rated` of replications in which the votes could rate the models at all;
    `error_se` is the Monte Carlo standard error of `mean.error`, in points.
    """

    attacked: bool
    rules: str
    mean: Seen
    error_se: float
    rated: float


@dataclass(frozen=True, slots=True)
class Played:
    """A scenario with its parameters: what was found in a sentence, and a line for each board."""

    scenario: Scenario
    sentence: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What was planted and what boards showed of it."""

    world: World
    replications: int
    seed: int
    played: tuple[Played, ...]


def simulate(
    world: World,
    scenarios: Sequence[Scenario] = SCENARIOS,
    *,
    replications: int = 20,
    seed: int = 0,
    watch: Watch | None = None,
) -> Report:
    """Play scenarios so many times. The same seed gives the same numbers, whatever else is played.

    Raises:
        BakeoffError: fewer than 2 replications: one has no standard error.
    """
    if replications < 2:
        raise BakeoffError(
            f"replications must be 2 or more, got {replications}", "one alone does not say how sure it is"
        )
    played, total = [], replications * len(scenarios)
    for place, scenario in enumerate(scenarios):
        boards: dict[Case, list[Seen]] = {}
        for replication in range(replications):
            if watch is not None:
                watch(scenario.name, place * replications + replication, total)
            for case, board in scenario.boards(world, partial(generator, seed, scenario.name, replication)):
                boards.setdefault(case, []).append(board)
        lines = {case: _line(case, of_case) for case, of_case in boards.items()}
        said = scenario.says({case: line.mean for case, line in lines.items()})
        played.append(Played(scenario, said, tuple(lines.values())))
    return Report(world, replications, seed, tuple(played))


def scenarios_of(names: Sequence[str]) -> tuple[Scenario, ...]:
    """The scenarios of these names, in the order of `SCENARIOS`; all for none.

    Raises:
        BakeoffError: there is none of a name.
    """
    there: Mapping[str, Scenario] = {each.name: each for each in SCENARIOS}
    if unknown := [name for name in names if name not in there]:
        raise BakeoffError(f"there is no scenario {unknown[0]!r}", f"there are {', '.join(there)}")
    return tuple(each for each in SCENARIOS if not names or each.name in names)


def _line(case: Case, boards: Sequence[Seen]) -> Line:
    table = np.array([astuple(board) for board in boards])
    rated = table[~np.isnan(table[:, 0])]
    if not len(rated):
        return Line(case.attacked, case.rules, UNKNOWN, float("nan"), 0.0)
    spread = float(rated[:, 0].std(ddof=1) / len(rated) ** 0.5) if len(rated) > 1 else float("nan")
    mean = Seen(*rated.mean(axis=0).tolist())
    return Line(case.attacked, case.rules, mean, spread, len(rated) / len(boards))
