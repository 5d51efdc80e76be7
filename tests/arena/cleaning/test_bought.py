"""Which of two groups is bought, by how votes of one voter hang together."""

import numpy as np
import pytest
from scipy.stats import t

from bakeoff.arena.cleaning.bought import Floats, Ints, Mask, may_be_bought, upper_bound

PEOPLE, OTHERS = 150, 60


def voted(seed: int, chance: Floats, each: int) -> tuple[Ints, Mask]:
    """Voters (V,) with these chances to choose the model, and so many votes each."""
    voter = np.repeat(np.arange(len(chance)), each)
    return voter, np.random.default_rng(seed).random(len(voter)) < chance[voter]


def asked(seed: int, group: Floats, others: Floats, each: int = 6) -> bool:
    """Of two groups of voters with these chances, whether the first may be the bought one."""
    voter, won = voted(seed, np.concatenate([group, others]), each)
    opponent = np.random.default_rng(seed).integers(0, 9, len(voter))
    return may_be_bought(voter, opponent, won, voter < len(group))


def hiding(share: float, chance: float, always: float, voters: int = PEOPLE) -> Floats:
    """People with one chance, and a share of accounts with another."""
    return np.where(np.arange(voters) < share * voters, always, chance)


def test_two_votes_of_one_voter_by_hand() -> None:
    """Two voters whose votes agree and two whose votes do not: the mean product is 0, the products ±1/4."""
    voter = np.array([0, 0, 1, 1, 2, 2, 3, 3])
    residual = np.array([1, 1, -1, -1, 1, -1, 1, -1]) / 2
    error = (4 / 3 * 4 * 0.5**2) ** 0.5 / 8
    assert upper_bound(voter, residual, 0.9) == pytest.approx(t(3).ppf(0.9) * error)
    assert upper_bound(voter[:4], residual[:4], 0.9) == pytest.approx(0.25), "no error where all agree alike"
    assert upper_bound(voter[:2], residual[:2], 0.9) == float("inf")


@pytest.mark.parametrize(("share", "people", "always"), [(0.3, 0.6, 1.0), (0.2, 0.6, 0.0), (0.0, 0.6, 1.0)])
def test_the_bound_is_above_what_a_bought_group_is_predicted_to_have(
    share: float, people: float, always: float
) -> None:
    """D (1 - q) for the model and D q against it, with D how far the share q is from the people's."""
    q = (1 - share) * people + share * always
    predicted = (q - people) * (1 - q) if q > people else (people - q) * q
    above = []
    for seed in range(400):
        chance = np.where(np.random.default_rng(10**6 + seed).random(PEOPLE) < share, always, people)
        voter, won = voted(seed, chance, 6)
        above.append(upper_bound(voter, won - won.mean(), 0.95) >= predicted - 1 / PEOPLE / 4)
    assert np.mean(above) > 0.93


@pytest.mark.parametrize("always", [1.0, 0.0])
@pytest.mark.parametrize("keen", [1.0, 0.85])
def test_accounts_of_one_mind_among_people_may_be_bought_and_people_who_agree_less_may_not(
    always: float, keen: float
) -> None:
    bought = hiding(0.4, 0.6, abs(1 - always - keen))
    people = hiding(0.0, 0.6, 0.6, OTHERS)
    other = hiding(0.0, 0.6, 0.6)
    assert all(asked(seed, bought, people) for seed in range(40))
    assert np.mean([asked(seed, other, hiding(0.4, 0.6, abs(1 - always - keen))) for seed in range(40)]) < 0.1


def test_a_group_that_likes_a_model_more_as_one_is_not_the_bought_one() -> None:
    assert not any(asked(seed, hiding(0, 0.8, 0), hiding(0, 0.5, 0)) for seed in range(40))


@pytest.mark.parametrize("always", [1.0, 0.0])
def test_a_group_without_people_may_be_the_bought_one(always: float) -> None:
    """Its votes are all alike, and vary no more than opponents do."""
    assert all(asked(seed, hiding(0, always, 0), hiding(0, 0.6, 0)) for seed in range(40))


def test_one_vote_each_tells_nothing() -> None:
    assert asked(0, hiding(0, 0.9, 0), hiding(0, 0.5, 0), each=1)


def test_where_only_those_with_one_vote_differ_nothing_is_told() -> None:
    """Of the group those with several votes like the model as the others do, or less."""
    single, several, others = (
        np.arange(300),
        np.repeat(np.arange(300, 350), 4),
        np.repeat(np.arange(350, 400), 4),
    )
    voter = np.concatenate([single, several, others])
    won = np.concatenate([single >= 0, np.arange(200) % 4 == 0, np.arange(200) % 2 == 0])
    group = voter < 350
    assert won[group].mean() > won[~group].mean() > won[300:500].mean()
    assert may_be_bought(voter, np.zeros_like(voter), won, group)
