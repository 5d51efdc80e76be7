import numpy as np
import pytest

from bakeoff.arena.battles.guessing import Guess, guesses, guessing
from bakeoff.database import reading
from tests.arena.battles.playing import MODELS

NAMES = ("a", "b", "c", "d", "e")


def drawn(seed, *, voters=40, each=6, knows=0.0, favourite=0.0):
    """Guesses of voters who know in a share of cases who answered, else name their favourite `a`, or any."""
    rng = np.random.default_rng(seed)
    share = np.array([0.4, 0.3, 0.1, 0.1, 0.1])
    found = []
    for number in range(voters * each):
        pair = rng.choice(NAMES, 2, replace=False, p=share)
        for truth in pair:
            free = "a" if rng.random() < favourite else str(rng.choice(NAMES))
            named = str(truth) if rng.random() < knows else free
            found.append(Guess(f"battle {number}", f"voter {number % voters}", named, str(truth)))
    return found


def test_guesses_in_the_database_are_of_the_side_they_name(live):
    for by, guessed in (("ann", {"left": MODELS[0], "right": MODELS[2]}), ("bob", {"right": MODELS[1]})):
        live.cast(live.ready(by=by), by=by, guesses=guessed)
    live.cast(live.ready())
    with reading(live.engine) as connection:
        found = guesses(connection, "chat")
        assert guesses(connection, "other") == ()
    told = {(each.voter, each.named, each.truth) for each in found}
    ann, bob = live.voter("ann"), live.voter("bob")
    assert told == {
        (ann, MODELS[0], MODELS[0]),
        (ann, MODELS[2], MODELS[1]),
        (bob, MODELS[1], MODELS[1]),
    }
    whole = guessing(found)
    assert (whole.guesses, whole.voters, whole.accuracy) == (3, 2, pytest.approx(2 / 3))
    # Of the other battle's answers: MODELS[0] 0 of 1, MODELS[2] 0 of 1; MODELS[1] 1 of 2.
    assert whole.chance == pytest.approx((0 + 0 + 1 / 2) / 3)


def test_one_battle_says_nothing_and_one_voter_has_no_interval():
    one = [Guess("1", "v", "a", "a"), Guess("1", "v", "b", "b")]
    assert guessing([]) is None
    assert guessing(one) is None
    found = guessing([*one, Guess("2", "v", "a", "b")])
    assert (found.interval, found.above) == (None, None)


@pytest.mark.parametrize("favourite", [0.0, 0.6])
def test_who_knows_nothing_is_seldom_found_to_know_whatever_they_like_to_name(favourite):
    results = [guessing(drawn(seed, favourite=favourite)) for seed in range(40)]
    # One-sided 2.5 %: of 40 more than 4 are as likely as 1 in 300.
    assert sum(found.above.low > 0 for found in results) <= 4
    assert np.mean([found.accuracy - found.chance for found in results]) == pytest.approx(0, abs=0.009)


def test_names_that_leak_in_a_part_of_the_answers_are_found():
    results = [guessing(drawn(seed, knows=0.25, favourite=0.5)) for seed in range(20)]
    assert all(found.above.low > 0 for found in results)
    # Who knows a quarter of the truths is above chance by that share of what chance leaves.
    assert np.mean([found.accuracy - found.chance for found in results]) == pytest.approx(
        0.25 * (1 - sum(each**2 for each in truths())), abs=0.02
    )


def truths():
    """The shares of the names among answers, by counting many."""
    found = [each.truth for each in drawn(1, voters=1000)]
    return [found.count(name) / len(found) for name in NAMES]
