"""The e-value of a voter against exact enumeration, and what it finds."""

from dataclasses import replace
from itertools import product
from math import comb, exp, lgamma, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.arena.cleaning.crowd import cells
from bakeoff.arena.cleaning.likeness import KINDS, likeness
from bakeoff.arena.votes.battle import Battle
from bakeoff.arena.votes.pseudonym import pseudonym
from bakeoff.arena.votes.votes import Votes, votes_of
from tests.arena.cleaning.made import crowd

VOTER, OTHER = pseudonym("voter"), pseudonym("other")


def game(rows: list[tuple[str, str, str, str]]) -> Votes:
    """Votes of (voter, a, b, winner)."""
    return votes_of(
        Battle(str(n), a, b, "a" if winner == a else "b" if winner == b else "tie", voter=voter)  # type: ignore[arg-type]
        for n, (voter, a, b, winner) in enumerate(rows)
    )


def e_value(found: Votes, voter: str = VOTER) -> float:
    seen = cells(found)
    place = seen.voters.tolist().index(int(voter, 16))
    return exp(likeness(seen, len(found.models)).log_e[place])


@pytest.mark.parametrize(
    "bags",
    [
        {("m", "n"): (3, "mmn")},
        {("m", "n"): (2, "mmnnn")},
        {("m", "n"): (2, "mmm"), ("m", "o"): (1, "moo")},
        {("m", "n"): (1, "mn"), ("m", "o"): (2, "mmo"), ("n", "o"): (1, "nno")},
    ],
)
@pytest.mark.parametrize("swapped", [False, True])
def test_its_mean_over_all_orders_of_the_same_votes_is_at_most_one(
    bags: dict[tuple[str, str], tuple[int, str]], swapped: bool
) -> None:
    """Given how many votes of each pair are for whom, whose they are is chance: every choice is as likely."""
    total, weight = 0.0, 0
    options = []
    for (a, b), (mine, winners) in bags.items():
        n, for_a = len(winners), winners.count(a)
        rows = []
        for said in product((a, b), repeat=mine):
            used = said.count(a)
            left = comb(n - mine, for_a - used) if 0 <= for_a - used <= n - mine else 0
            rows.append((said, winners, left))
        options.append(((a, b), rows))
    for choice in product(*(rows for _, rows in options)):
        ways = int(np.prod([left for _, _, left in choice]))
        if not ways:
            continue
        votes = []
        for ((a, b), _), (said, winners, _) in zip(options, choice, strict=True):
            others = [a] * (winners.count(a) - said.count(a)) + [b] * (winners.count(b) - said.count(b))
            sides = (b, a) if swapped else (a, b)
            votes += [(VOTER, *sides, winner) for winner in said]
            votes += [(OTHER, *sides, winner) for winner in others]
        total += ways * e_value(game(votes))
        weight += ways
    assert weight == np.prod([comb(len(w), w.count(a)) for (a, _), (_, w) in bags.items()])
    assert 0 < total / weight <= 1 + 1e-9


def test_the_value_by_hand() -> None:
    """Ten others said m, the voter twice n: P = 2·1/(12·11), and n was shown first and second once each."""
    rows = [(OTHER, "m", "n", "m")] * 10 + [(VOTER, "m", "n", "n"), (VOTER, "n", "m", "n")]
    p = 2 / (12 * 11)
    chance, side = 0.25, 0.95 * 0.05
    contrary = (0.95 * 10 / 12 + 0.05 * 2 / 12) ** 2
    favour = 0.95**2 / 2 + 0.05**2 / 2  # for n, and for m, which it met as often
    expected = (chance + side + contrary + favour) / 4 / p
    assert e_value(game(rows)) == pytest.approx(expected, rel=1e-12)


def test_ties_say_nothing_and_votes_of_nobody_are_part_of_the_crowd() -> None:
    rows = [(OTHER, "m", "n", "m")] * 5 + [(VOTER, "m", "n", "n")] * 3
    base = e_value(game(rows))
    assert e_value(game([*rows, (VOTER, "m", "n", "tie"), (OTHER, "n", "m", "tie")])) == pytest.approx(base)
    nobody = [(None, *row[1:]) if row[0] == OTHER else row for row in rows]
    assert e_value(game(nobody)) == pytest.approx(base)  # type: ignore[arg-type]


@given(st.integers(0, 2**32), st.integers(1, 30))
def test_with_one_pair_it_is_below_the_martingale_of_laplace_by_the_stated_factor(seed: int, m: int) -> None:
    """P is Laplace's rule times (N + 1)/(N − m + 1), so every term is smaller than its Bayes factor."""
    rng = np.random.default_rng(seed)
    n1, n2 = rng.integers(0, 20, 2).tolist()
    m1 = int(rng.integers(0, m + 1))
    m2 = m - m1

    def rising(start: int, steps: int) -> float:
        return lgamma(start + steps) - lgamma(start)

    laplace = rising(n1 + 1, m1) + rising(n2 + 1, m2) - rising(n1 + n2 + 2, m)
    n = n1 + n2 + m
    exact = (
        lgamma(n1 + m1 + 1) - lgamma(n1 + 1) + lgamma(n2 + m2 + 1) - lgamma(n2 + 1)
        - lgamma(n + 1) + lgamma(n - m + 1)
    )  # fmt: skip
    assert exact == pytest.approx(laplace + log((n + 1) / (n - m + 1)), abs=1e-9)


def test_people_have_e_values_below_one_on_average() -> None:
    values = []
    for seed in range(40):
        simulated = crowd(seed, people=30, each=40)
        values += np.exp(likeness(cells(simulated.votes), 12).log_e).tolist()
    assert np.mean(values) < 1
    assert np.mean(np.array(values) >= 20) < 0.05, "Markov: 1/20"


@pytest.mark.slow
def test_looking_again_and_again_raises_no_more_false_alarms() -> None:
    """The last person of a crowd votes on, and is looked at after every fourth vote."""
    highest = []
    for seed in range(60):
        votes = crowd(seed, people=30, each=80).votes
        person = votes.voter == 30
        looks = []
        for seen in range(4, 81, 4):
            so_far = votes.where(~person | (np.cumsum(person) <= seen))
            looks.append(likeness(cells(so_far), 12).log_e[-1])
        highest.append(max(looks))
    assert np.mean(np.array(highest) >= log(20)) <= 0.05


@given(st.integers(0, 2**32))
def test_names_of_models_and_sides_change_nothing(seed: int) -> None:
    votes = crowd(seed, people=6, bots=("stuff", "first"), each=15, models=4).votes
    expected = likeness(cells(votes), 4)
    renamed = replace(votes, model_a=3 - votes.model_a, model_b=3 - votes.model_b)
    assert likeness(cells(renamed), 4).log_e == pytest.approx(expected.log_e)
    turned = np.where(votes.outcome < 2, 1 - votes.outcome, votes.outcome).astype(np.int8)
    swapped = replace(votes, model_a=votes.model_b, model_b=votes.model_a, outcome=turned)
    assert likeness(cells(swapped), 4).log_e == pytest.approx(expected.log_e)


@pytest.mark.parametrize(
    ("bot", "like"),
    [
        ("random", "at random"),
        ("first", "for the first answer"),
        ("second", "for the second answer"),
        ("stuff", "for one model"),
        ("contrary", "against the crowd"),
    ],
)
def test_a_bot_is_called_what_it_is(bot: str, like: str) -> None:
    simulated = crowd(1, bots=(bot,), each=300)
    found = likeness(cells(simulated.votes), 12)
    assert KINDS[found.kind[-1]] == like
    assert found.log_e[-1] > log(2000)
    assert found.log_e[-1] == found.log_e.max()
    assert (found.model[-1] >= 0) == (bot == "stuff")


@pytest.mark.parametrize("keen", [0.5, 1.0, 0.0])
def test_how_keen_a_bot_is_lies_between_chance_and_certainty(keen: float) -> None:
    with pytest.raises(ValueError, match="keen"):
        likeness(cells(crowd(0, people=2, each=3).votes), 12, keen)


def test_no_votes_are_no_voters() -> None:
    seen = cells(votes_of([]))
    assert len(likeness(seen, 0).log_e) == 0
    seen = cells(game([(VOTER, "m", "n", "tie")]))
    assert len(likeness(seen, 2).log_e) == 0
