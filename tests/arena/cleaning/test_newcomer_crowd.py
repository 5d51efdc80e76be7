from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bakeoff.arena.cleaning.newcomer_crowd import NewcomerCrowd
from bakeoff.arena.simulate.crowd import generator
from bakeoff.arena.simulate.stuffing import Stuffing
from bakeoff.arena.simulate.world import World
from bakeoff.arena.votes.importing.importing import read_battles
from bakeoff.arena.votes.votes import Mask, Votes, votes_of
from bakeoff.stats.ratings.scale import POINTS
from tests.arena.cleaning.made import battle, shuffled, votes

WORLD = World(models=10, votes=10_000, gold=0.0)
BOTS = 1 << 40
FEW = "voters with fewer than 10 votes vote for model 0003"


def cast(
    accounts: int, each: int, *, replication: int = 0, attacked: bool = True, world: World = WORLD
) -> Votes:
    """Votes of people, and of accounts that stuff the third model."""
    scenario = Stuffing("stuffed", accounts=accounts, each=each)
    return scenario.votes(world, partial(generator, 0, "newcomers", replication), attacked=attacked)


def on(found: Votes, model: int) -> Mask:
    return (found.model_a == model) | (found.model_b == model)


def test_many_accounts_with_few_votes_are_found_together() -> None:
    found = cast(150, 4)
    flags = NewcomerCrowd()(found)
    assert flags.reasons.names == (FEW,)
    assert flags.mask[found.voter >= BOTS].all()
    number, count = np.unique(found.voter, return_counts=True)
    few = np.isin(found.voter, number[count < 10])
    assert np.array_equal(flags.mask, few & on(found, 2)), (
        "and honest newcomers' votes on that model with them"
    )


def test_accounts_with_some_more_votes_are_a_group_of_their_own() -> None:
    found = cast(40, 15)
    flags = NewcomerCrowd()(found)
    assert flags.reasons.names == ("voters with 10 to 29 votes vote for model 0003",)
    assert flags.mask[found.voter >= BOTS].all()
    number, count = np.unique(found.voter, return_counts=True)
    assert not flags.mask[np.isin(found.voter, number[(count < 10) | (count >= 30)])].any()


def test_votes_against_a_model_are_found_and_no_other_model_pays_for_it() -> None:
    found = cast(150, 4)
    bots = found.voter >= BOTS
    found.outcome[bots] = 1 - found.outcome[bots]
    flags = NewcomerCrowd()(found)
    assert flags.reasons.names == (FEW.replace("for model", "against model"),)
    assert flags.mask[bots].all()


def test_a_second_model_is_found_behind_the_first() -> None:
    found = cast(300, 4)
    second = (found.voter >= BOTS) & (found.voter % 3 == 0)
    for of in (found.model_a, found.model_b):
        of[second] = np.where(of[second] == 2, 5, np.where(of[second] == 5, 2, of[second]))
    flags = NewcomerCrowd()(found)
    assert set(flags.reasons.names) == {FEW, FEW.replace("0003", "0006")}
    assert flags.mask[found.voter >= BOTS].all()


def test_newcomers_are_not_set_aside_where_those_with_more_votes_are_bought() -> None:
    """A hundred accounts, with forty votes each as people have, of which ten for the third model. Honest
    newcomers like it far less than these, and would be flagged as a crowd against it.
    """
    for replication in range(4):
        scenario = Stuffing("hidden", accounts=100, each=10, days=30, camouflaged=30)
        draw = partial(generator, 0, "hidden", replication)
        found = scenario.votes(World(gold=0.0), draw, attacked=True)
        assert not NewcomerCrowd()(found).mask.any()


def test_accounts_with_one_vote_each_and_half_hearted_ones_are_found_too() -> None:
    single = cast(600, 1)
    assert NewcomerCrowd()(single).mask[single.voter >= BOTS].all()
    found = cast(300, 4)
    bots = found.voter >= BOTS
    other = bots & (np.random.default_rng(0).random(len(found)) < 0.2)
    found.outcome[other] = 1 - found.outcome[other]
    flags = NewcomerCrowd()(found)
    assert flags.reasons.names == (FEW,)
    assert flags.mask[bots].all()


@pytest.mark.slow
@pytest.mark.parametrize("changed", [{}, {"taste": 0.0}, {"taste": 200.0}, {"zipf": 1.2}, {"per_voter": 5.0}])
def test_honest_newcomers_are_hardly_ever_flagged(changed: dict[str, float]) -> None:
    world = World(**{"models": 10, "votes": 10_000, "gold": 0.0} | changed)  # type: ignore[arg-type]
    alarms = [
        NewcomerCrowd()(cast(1, 1, replication=each, attacked=False, world=world)).mask.any()
        for each in range(60)
    ]
    assert np.mean(alarms) <= 0.05


def leaning_newcomers(points: float, replication: int) -> Votes:
    """Votes of people, each on its own, newcomers' log-odds for the third model higher by so many points."""
    rng = np.random.default_rng(replication)
    found = cast(1, 1, replication=replication, attacked=False)
    number, count = np.unique(found.voter, return_counts=True)
    for some, more in ((count < 30, points), (count >= 30, 0.0)):
        theirs = np.isin(found.voter, number[some]) & on(found, 2)
        wins = rng.random(len(found)) < 1 / (1 + np.exp(-(WORLD.strength[2] + more / POINTS)))
        found.outcome[theirs] = np.where((found.model_a == 2) == wins, 0, 1)[theirs]
    return found


@pytest.mark.slow
def test_newcomers_who_like_a_model_somewhat_more_are_left_alone_and_those_who_like_it_far_more_are_not() -> (
    None
):
    found = {
        points: np.mean([NewcomerCrowd()(leaning_newcomers(points, each)).mask.any() for each in range(40)])
        for points in (0.0, 50.0, 200.0)
    }
    assert found[0.0] <= 0.05
    assert found[50.0] <= 0.05
    assert found[200.0] >= 0.9


def test_the_order_of_votes_changes_nothing() -> None:
    found = cast(80, 4)
    mixed, order = shuffled(found)
    flags, again = NewcomerCrowd()(found), NewcomerCrowd()(mixed)
    assert flags.reasons.names == again.reasons.names
    assert np.array_equal(flags.reasons.codes[order], again.reasons.codes)


def test_votes_of_nobody_are_unjudged_and_without_others_nothing_is_said() -> None:
    nobody = [battle(f"n{n}") for n in range(50)]
    assert NewcomerCrowd()(votes(*nobody)).unjudged == 50
    alone = [battle(f"a{n}", voter=f"v{n}") for n in range(50)]
    flags = NewcomerCrowd()(votes(*nobody, *alone))
    assert (flags.mask.any(), flags.unjudged) == (False, 50)
    assert not NewcomerCrowd()(votes()).mask.any()


@pytest.mark.parametrize(
    "wrong",
    [
        {"alpha": 0.0},
        {"few": 1},
        {"few": 31},
        {"fewer_than": 9},
        {"tolerated": -1.0},
        {"tolerated": float("inf")},
    ],
)
def test_parameters_that_cannot_be_are_named(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        NewcomerCrowd(**wrong)


@pytest.mark.data
def test_newcomers_of_a_real_crowd_vote_as_the_others_do(data_dir: Path) -> None:
    """Of the 124 workers of LLMFAO 75 cast fewer than 30 votes."""
    battles, _ = read_battles(data_dir / "llmfao" / "crowd-comparisons.csv")
    found = votes_of(battles)
    assert (np.unique(found.voter, return_counts=True)[1] < 30).sum() == 75
    assert not NewcomerCrowd()(found).mask.any()
