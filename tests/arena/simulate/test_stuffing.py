"""Ballots that are stuffed, and what quarantine leaves of them."""

import numpy as np
import pytest

from bakeoff.arena.simulate.machine_pace import HIDDEN
from bakeoff.arena.simulate.report import simulate
from bakeoff.arena.simulate.scenario import NO_RULES
from bakeoff.arena.simulate.stuffing import QUARANTINE, Stuffing
from bakeoff.arena.simulate.world import World
from tests.arena.simulate.drawing import draws

WORLD = World(models=10, votes=10_000)


def _means(*scenarios, world=WORLD, replications=8):
    report = simulate(world, scenarios, replications=replications)
    return [{(line.attacked, line.rules): line.mean for line in each.lines} for each in report.played]


@pytest.fixture(scope="module")
def twenty():
    """20,000 votes of people on 20 models, 2,000 on each, and 1,000 that one model wins."""
    return _means(Stuffing("stuffing", accounts=20, each=50), world=World(), replications=6)[0]


def test_one_stuffed_vote_in_twenty_lifts_a_contender_by_a_hundred_points_of_which_quarantine_leaves_few(
    twenty,
):
    lifted = twenty[True, NO_RULES].error - twenty[False, NO_RULES].error
    left = twenty[True, QUARANTINE].error - twenty[False, QUARANTINE].error
    assert 80 < lifted < 140
    assert abs(left) < 0.1 * lifted
    assert twenty[True, QUARANTINE].caught > 0.95


def test_quarantine_gives_the_rank_back(twenty):
    assert twenty[True, NO_RULES].rank < twenty[True, QUARANTINE].rank - 0.5
    assert twenty[True, QUARANTINE].rank == pytest.approx(twenty[False, NO_RULES].rank, abs=0.3)


def test_quarantine_costs_honest_votes_little(twenty):
    honest = twenty[False, QUARANTINE]
    assert honest.lost < 0.03
    assert honest.alarms < 0.005
    assert honest.width < 1.05 * twenty[False, NO_RULES].width


def test_what_is_set_aside_of_peoples_votes_is_the_same_with_an_attack_or_nearly_so(twenty):
    assert abs(twenty[True, QUARANTINE].lost - twenty[False, QUARANTINE].lost) < 0.03


def test_many_accounts_with_few_votes_are_found_together_and_one_with_many_alone():
    few, more, one = _means(
        Stuffing("few votes each", accounts=100, each=5),
        Stuffing("some votes each", accounts=50, each=15),
        Stuffing("one account", accounts=1, each=500, days=20),
        replications=4,
    )
    for found in (few, more, one):
        left = found[True, QUARANTINE].error - found[False, QUARANTINE].error
        assert found[True, NO_RULES].error > 40
        assert abs(left) < 0.15 * found[True, NO_RULES].error
        assert found[True, QUARANTINE].caught > 0.95
    # Honest newcomers' votes on that model go as well.
    assert 0.005 < few[True, QUARANTINE].lost < 0.05
    assert few[False, QUARANTINE].lost < 0.01


def test_random_clicks_pull_the_leader_down_and_quarantine_gives_some_back():
    (found,) = _means(Stuffing("random", accounts=10, each=150, how="at random"))
    lost = found[True, NO_RULES].error - found[False, NO_RULES].error
    left = found[True, QUARANTINE].error - found[False, QUARANTINE].error
    assert lost < -15
    assert lost < left - 5


@pytest.mark.parametrize("how", ["for one model", "at random"])
def test_bots_cast_the_votes_that_they_are_said_to(how):
    scenario = Stuffing("bots", accounts=30, each=200, how=how, days=2)
    votes = scenario.stuffed(WORLD, draws()("bots"))
    counts = np.unique(votes.voter, return_counts=True)[1]
    assert counts.tolist() == [200] * 30
    on_models = votes.where(votes.gold < 0)
    with_model = (on_models.model_a == WORLD.models // 4) | (on_models.model_b == WORLD.models // 4)
    won = on_models.outcome == np.where(on_models.model_a == WORLD.models // 4, 0, 1)
    if how == "for one model":
        assert with_model.all()
        assert won.all()
    else:
        assert with_model.mean() == pytest.approx(0.2, abs=0.03)
        assert won[with_model].mean() == pytest.approx(0.5, abs=0.08)
    last = np.unique(votes.at.astype("datetime64[D]"))
    assert last.tolist() == [np.datetime64("2026-01-29").item(), np.datetime64("2026-01-30").item()]


def test_an_attack_is_added_to_the_same_votes_of_people():
    scenario = Stuffing("bots")
    honest, attacked = (scenario.votes(WORLD, draws(), attacked=each) for each in (False, True))
    assert np.array_equal(attacked.outcome[: len(honest)], honest.outcome)
    assert len(attacked) == len(honest) + 1_000


@pytest.mark.parametrize("name", ["accounts", "each", "days"])
def test_an_attack_without_votes_is_refused(name):
    with pytest.raises(ValueError, match=f"{name} must be 1 or more, got 0"):
        Stuffing("none", **{name: 0})


def test_the_sentence_says_who_is_not_judged():
    for each, said in ((9, True), (10, False)):
        (played,) = simulate(WORLD, [Stuffing("few", accounts=2, each=each)], replications=2).played
        assert ("Voters with fewer than 10 votes are judged together only" in played.sentence) == said


@pytest.fixture(scope="module")
def hidden():
    """Each of a hundred accounts has 10 votes for one model among 30 ordinary ones."""
    return _means(HIDDEN, world=World(), replications=4)[0]


def test_what_hides_among_ordinary_votes_still_passes(hidden):
    """Nobody should believe that the rules stop this; a rule that does will fail here."""
    assert hidden[True, QUARANTINE].caught < 0.15
    assert hidden[True, QUARANTINE].error > hidden[True, NO_RULES].error - 20 > 60


def test_where_voters_with_more_votes_are_bought_honest_newcomers_stay_and_the_attack_gains_nothing(hidden):
    assert hidden[False, QUARANTINE].lost < 0.005
    assert hidden[True, QUARANTINE].lost < 0.01
    assert hidden[True, QUARANTINE].error < hidden[True, NO_RULES].error + 5


def test_many_votes_of_one_account_are_found_among_as_many_ordinary_ones():
    (found,) = _means(Stuffing("hidden", accounts=10, each=50, days=30, camouflaged=100), replications=4)
    assert found[True, QUARANTINE].caught > 0.95
    assert abs(found[True, QUARANTINE].error - found[False, QUARANTINE].error) < 10


def test_camouflage_is_votes_on_other_models_as_people_cast_them():
    scenario = Stuffing("hidden", accounts=40, each=5, days=30, camouflaged=200)
    votes = scenario.stuffed(WORLD, draws()("bots"))
    wrong = scenario.wrong(WORLD, votes)
    model = scenario.model(WORLD)
    assert len(votes) == 40 * 205
    assert wrong.sum() == ((votes.gold < 0) & (np.arange(len(votes)) < 200)).sum()
    ordinary = votes.where(~wrong & (votes.gold < 0))
    assert not ((ordinary.model_a == model) | (ordinary.model_b == model)).any()
    stronger = np.where(ordinary.model_a < ordinary.model_b, 0, 1)
    decided = ordinary.outcome < 2
    assert (ordinary.outcome == stronger)[decided].mean() > 0.6
    assert (~decided).mean() == pytest.approx(0.25, abs=0.04)


def test_an_attack_with_less_than_no_camouflage_is_refused():
    with pytest.raises(ValueError, match="camouflaged must be 0 or more, got -1"):
        Stuffing("none", camouflaged=-1)
