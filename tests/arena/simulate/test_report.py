"""Replications, and what is said of them."""

from dataclasses import dataclass
from math import isnan

import numpy as np
import pytest

from bakeoff.arena.simulate.board import UNKNOWN, Seen
from bakeoff.arena.simulate.report import SCENARIOS, scenarios_of, simulate
from bakeoff.arena.simulate.scenario import NO_RULES, Case
from bakeoff.arena.simulate.silent_removal import SilentRemoval
from bakeoff.arena.simulate.style_hacking import StyleHacking
from bakeoff.arena.simulate.world import World
from bakeoff.errors import BakeoffError
from tests.arena.simulate.drawing import draws

SMALL = World(models=10, votes=1_000)


@dataclass(frozen=True)
class Normal:
    """A board whose error is normal, and that rates the model in all but `unrated` replications."""

    unrated: tuple[int, ...] = ()
    name: str = "normal"

    def boards(self, world, draw):
        error = draw("error").normal(3, 2)
        known = error not in [draws("normal", each)("error").normal(3, 2) for each in self.unrated]
        yield Case(True, NO_RULES), Seen(error, 2, 1, 1, 1, 5, 0, 5) if known else UNKNOWN

    def says(self, found):
        return f"{found[Case(True, NO_RULES)].error:.1f}"


def test_a_line_is_the_mean_of_its_replications_with_their_standard_error():
    (played,) = simulate(SMALL, [Normal()], replications=30).played
    (line,) = played.lines
    errors = [draws("normal", each)("error").normal(3, 2) for each in range(30)]
    assert line.mean.error == pytest.approx(np.mean(errors))
    assert line.error_se == pytest.approx(np.std(errors, ddof=1) / 30**0.5)
    assert (line.mean.rank, line.rated, played.sentence) == (2, 1, f"{np.mean(errors):.1f}")


def test_replications_that_cannot_rate_the_model_are_counted_and_enter_no_mean():
    (played,) = simulate(SMALL, [Normal(unrated=(0, 2, 3))], replications=8).played
    (line,) = played.lines
    errors = [draws("normal", each)("error").normal(3, 2) for each in (1, 4, 5, 6, 7)]
    assert line.mean.error == pytest.approx(np.mean(errors))
    assert line.rated == 5 / 8
    (played,) = simulate(SMALL, [Normal(unrated=(0, 1))], replications=2).played
    assert (played.lines[0].rated, isnan(played.lines[0].mean.error)) == (0, True)


def test_the_same_seed_gives_the_same_numbers_whatever_else_is_played_and_in_which_order():
    one, other = SilentRemoval(), StyleHacking()
    alone = simulate(SMALL, [one], replications=2, seed=5).played[0]
    last = simulate(SMALL, [other, one], replications=2, seed=5).played[1]
    assert repr(alone) == repr(last)  # NaN is not itself
    assert repr(alone) != repr(simulate(SMALL, [one], replications=2, seed=6).played[0])


def test_every_replication_is_told_of():
    told = []
    simulate(SMALL, [Normal(), Normal()], replications=2, watch=lambda *said: told.append(said))
    assert told == [("normal", done, 4) for done in range(4)]


@pytest.mark.parametrize("replications", [1, 0, -3])
def test_one_replication_is_too_few_for_a_standard_error(replications):
    with pytest.raises(BakeoffError, match=f"replications must be 2 or more, got {replications}"):
        simulate(SMALL, [Normal()], replications=replications)


def test_scenarios_are_chosen_by_name_in_one_order():
    assert scenarios_of([]) == SCENARIOS
    names = [each.name for each in scenarios_of(["silent-removal", "stuffing", "stuffing"])]
    assert names == ["stuffing", "silent-removal"]
    assert len({each.name for each in SCENARIOS}) == len(SCENARIOS)


def test_a_scenario_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(
        BakeoffError, match="there is no scenario 'bribes'\nthere are stuffing, many-accounts"
    ):
        scenarios_of(["stuffing", "bribes"])
