from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2

from bakeoff.arena.cleaning.anomalous_voters import AnomalousVoters, Method, _once, suspects
from bakeoff.arena.cleaning.published import fastchat, fisher
from bakeoff.arena.simulate.crowd import generator
from bakeoff.arena.simulate.stuffing import Stuffing
from bakeoff.arena.simulate.world import World
from bakeoff.arena.votes.importing.importing import read_battles
from bakeoff.arena.votes.pseudonym import pseudonym
from bakeoff.arena.votes.votes import Votes, votes_of
from tests.arena.cleaning.made import battle, crowd, shuffled, votes

BOTS = ("random", "first", "second", "stuff", "contrary")


@pytest.mark.slow
def test_bots_are_found_and_people_are_not() -> None:
    found = {kind: [] for kind in ("person", *BOTS)}  # type: ignore[var-annotated]
    for seed in range(12):
        simulated = crowd(seed, people=200, bots=BOTS * 3, each=120)
        mask = AnomalousVoters()(simulated.votes).mask
        for kind in found:
            found[kind].append(simulated.found(mask, kind))
    rates = {kind: float(np.mean(each)) for kind, each in found.items()}
    assert rates["person"] <= 0.002
    assert rates["first"] == rates["second"] == rates["stuff"] == 1
    assert rates["contrary"] >= 0.95
    assert rates["random"] >= 0.4, "the bot that is nearest to people who look at equal models"


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_the_share_of_people_among_the_flagged_is_kept(alpha: float) -> None:
    shares = []
    for seed in range(25):
        simulated = crowd(seed, people=100, bots=("random", "first", "contrary"), each=80, ties=0.3)
        mask = AnomalousVoters(alpha=alpha)(simulated.votes).mask
        flagged = np.unique(simulated.votes.voter[mask])
        wrong = sum(simulated.kinds[int(number) - 1] == "person" for number in flagged)
        shares.append(wrong / max(1, len(flagged)))
    assert np.mean(shares) <= alpha


@pytest.mark.slow
def test_careless_and_leaning_people_are_hardly_ever_flagged() -> None:
    rates = []
    for seed in range(12):
        simulated = crowd(seed, people=150, each=200, careless=0.6, lean=0.4)
        rates.append(simulated.found(AnomalousVoters()(simulated.votes).mask, "person"))
    assert np.mean(rates) <= 0.01


@pytest.mark.slow
def test_the_published_rules_find_less_or_flag_people_who_call_ties() -> None:
    """FastChat's martingale breaks its promise where people call ties, and Fisher's misses stuffing."""
    methods: tuple[Method, ...] = ("likeness", "fastchat", "fisher")
    rate = {method: dict.fromkeys(("person", *BOTS), 0.0) for method in methods}
    for seed in range(8):
        simulated = crowd(seed, people=100, bots=BOTS * 2, each=60, ties=0.3, models=20)
        for method in methods:
            mask = AnomalousVoters(method=method)(simulated.votes).mask
            for kind in rate[method]:
                rate[method][kind] += simulated.found(mask, kind) / 8
    assert rate["fastchat"]["person"] > 0.05 > 0.005 > rate["likeness"]["person"]
    assert rate["fisher"]["stuff"] < 0.2
    for kind in BOTS:
        assert rate["likeness"][kind] >= max(rate["fastchat"][kind], rate["fisher"][kind]), kind


@pytest.mark.slow
def test_bots_that_vote_about_as_often_do_not_hide_one_another() -> None:
    """Thirty stuff one model so often that half of its decisive votes are theirs: held against a crowd with
    them in it, none stands out."""
    caught, wrong, people = [], 0, 0
    for seed in range(8):
        scenario = Stuffing("stuffing", accounts=30, each=30)
        found = scenario.votes(World(gold=0.0), partial(generator, seed, "hiding", 0), attacked=True)
        bots = found.voter >= np.min(found.voter[-900:])
        mask = AnomalousVoters()(found).mask
        caught.append(mask[bots].mean())
        wrong += len(np.unique(found.voter[mask & ~bots]))
        people += len(np.unique(found.voter[~bots]))
    assert np.mean(caught) >= 0.95
    assert wrong / people <= 0.001


def test_those_who_are_left_are_looked_at_again() -> None:
    """The second time the crowd is without those found, so that more is known of the others."""
    simulated = crowd(1, people=40, bots=("first",) * 6 + ("random",) * 2, each=60).votes
    once = {each.voter: each for each in _once(simulated, 0.045, 10)}
    found = {each.voter: each for each in suspects(simulated)}
    assert once.keys() == found.keys()
    gone = {voter for voter, each in once.items() if each.flagged}
    assert gone
    assert all(found[voter] == once[voter] for voter in gone)
    left = simulated.where(~np.isin(simulated.voter, [int(voter, 16) for voter in gone]))
    again = {each.voter: each.log_e for each in _once(left, 0.0045, 10)}
    assert {voter: each.log_e for voter, each in found.items() if voter not in gone} == again


@pytest.mark.data
def test_three_workers_of_the_real_crowd_vote_like_bots(data_dir: Path) -> None:
    """Counted in the raw file: worker 15 chose one model in 106 of 109 decisive votes and worker 70 in 43 of
    45, which the others chose in 35 %; worker 32 chose the left answer in all of 21 votes."""
    battles, _ = read_battles(data_dir / "llmfao" / "crowd-comparisons.csv")
    found = suspects(votes_of(battles))
    flagged = {each.voter: (each.like, each.model, each.votes) for each in found if each.flagged}
    assert flagged == {
        pseudonym("15"): ("for one model", "Weaver 12k", 343),
        pseudonym("70"): ("for one model", "Weaver 12k", 168),
        pseudonym("32"): ("for the first answer", None, 21),
    }
    flags = AnomalousVoters()(votes_of(battles))
    assert flags.reasons.counts() == {
        "the voter votes for Weaver 12k": 511,
        "the voter votes for the first answer": 21,
    }
    assert flags.unjudged == 0


@pytest.mark.parametrize("method", ["likeness", "fastchat", "fisher"])
def test_the_order_of_votes_changes_nothing(method: Method) -> None:
    simulated = crowd(3, people=40, bots=BOTS, each=40).votes
    mixed, order = shuffled(simulated)
    rule = AnomalousVoters(method=method)
    flags, again = rule(simulated), rule(mixed)
    assert flags.reasons.names == again.reasons.names
    assert np.array_equal(flags.reasons.codes[order], again.reasons.codes)
    assert flags.mask.any() or method == "fisher"


@pytest.mark.parametrize("method", ["likeness", "fastchat", "fisher"])
def test_votes_of_nobody_and_voters_with_few_votes_stay(method: Method) -> None:
    rule = AnomalousVoters(method=method, at_least=10)
    many = [battle(f"c{n}", voter="crowd", outcome="b") for n in range(40)]
    few = [battle(f"f{n}", voter="few") for n in range(9)]
    nobody = [battle(f"n{n}") for n in range(50)]
    flags = rule(votes(*many, *few, *nobody))
    assert not flags.mask[40:].any()
    assert flags.unjudged == 50
    assert not rule(votes(*nobody)).mask.any()
    assert not rule(votes()).mask.any()


def test_fastchat_by_hand() -> None:
    """Of 4 decisive votes 3 are for m. Going against it counts 1/(2·¼) each, with it ½ or 1/(2·¾)."""
    rows = [battle(str(n), voter="crowd") for n in range(3)]
    rows.append(battle("3", voter="odd", outcome="b"))
    rows.append(battle("4", voter="odd", outcome="tie"))
    by_voter = dict(zip(sorted(("crowd", "odd"), key=pseudonym), fastchat(votes(*rows)), strict=True))
    assert by_voter["odd"] == pytest.approx(np.log(2 * 2))
    assert by_voter["crowd"] == pytest.approx(np.log(1 / 1.5))


def test_fisher_by_hand() -> None:
    """Nine others said m, whose answer came first: a vote for n has mid-p ½/10 on the side of too low."""
    rows = [battle(str(n), voter=f"crowd {n}") for n in range(9)] + [battle("x", voter="odd", outcome="b")]
    voters = [f"crowd {n}" for n in range(9)] + ["odd"]
    found = dict(zip(sorted(voters, key=pseudonym), fisher(votes(*rows)), strict=True))
    assert found["odd"] == pytest.approx(2 * chi2.sf(-2 * np.log(0.5 / 10), 2))
    # Of a person's nine others eight said the same and one less.
    high = (0 + (8 + 1) / 2) / 10
    expected = 2 * min(chi2.sf(-2 * np.log(high), 2), chi2.sf(-2 * np.log(1 - high), 2))
    assert found["crowd 0"] == pytest.approx(min(1, expected))


@pytest.mark.parametrize("method", ["fastchat", "fisher"])
def test_swapping_the_names_of_models_changes_nothing_published(method: str) -> None:
    """Which model of a pair comes first by name decides nothing."""

    def voted(one: str, other: str) -> Votes:
        sides = ((one, other), (other, one))
        rows = []
        for n in range(24):
            a, b = sides[n % 2]
            outcome = ("a", "b", "tie", "b")[n % 4]
            rows.append(battle(str(n), voter=f"v{n % 3}", outcome=outcome, model_a=a, model_b=b))
        return votes(*rows)

    rule = fastchat if method == "fastchat" else fisher
    assert rule(voted("k", "m")) == pytest.approx(rule(voted("m", "k")))


@pytest.mark.parametrize("wrong", [{"alpha": 0.0}, {"alpha": 1.0}, {"at_least": 0}])
def test_parameters_that_cannot_be_are_named(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        AnomalousVoters(**wrong)  # type: ignore[arg-type]
