import numpy as np
import pytest
from scipy.stats import binom

from bakeoff.arena.cleaning.gold_pairs import GoldPairs
from tests.arena.cleaning.made import battle, votes

FAILS, PAIR = "the voter fails known pairs", "a known pair"


def test_who_fails_loses_all_votes_and_known_pairs_do_not_count() -> None:
    rows = [battle(f"g{n}", voter="good", gold="a") for n in range(10)]
    rows += [battle(f"b{n}", voter="bad", gold="b") for n in range(8)]
    rows += [
        battle("b-own", voter="bad"),
        battle("g-own", voter="good"),
        battle("x", voter="other"),
        battle("y"),
    ]
    flags = GoldPairs()(votes(*rows))
    reasons = [flags.reasons[row] for row in range(len(rows))]
    assert reasons == [PAIR] * 10 + [FAILS] * 9 + [None, None, None]
    assert flags.unjudged == 2
    kept = GoldPairs(keep_pairs=True)(votes(*rows))
    assert kept.reasons.counts() == {FAILS: 9}


@pytest.mark.parametrize("failures", range(11))
def test_one_voter_is_held_against_the_binomial_tail(failures: int) -> None:
    rows = [battle(str(n), voter="v", gold="b" if n < failures else "a") for n in range(10)]
    flags = GoldPairs(allowed=0.3, alpha=0.05)(votes(*rows))
    assert (flags.reasons[0] == FAILS) == (binom.sf(failures - 1, 10, 0.3) <= 0.05)


def test_a_tie_fails_a_pair_whose_outcome_is_known() -> None:
    rows = [battle(str(n), voter="v", gold="a", outcome="tie") for n in range(10)]
    assert GoldPairs()(votes(*rows)).reasons.counts() == {FAILS: 10}


@pytest.mark.slow
def test_careful_voters_are_flagged_no_more_often_than_alpha_says() -> None:
    rng = np.random.default_rng(0)
    some = 0
    for _ in range(100):
        rows = [
            battle(f"{v}-{n}", voter=f"v{v}", gold="b" if rng.random() < 0.2 else "a")
            for v in range(20)
            for n in range(12)
        ]
        some += FAILS in GoldPairs(allowed=0.2, alpha=0.05)(votes(*rows)).reasons.counts()
    assert some <= 5 + 2 * (100 * 0.05 * 0.95) ** 0.5


@pytest.mark.parametrize("name", ["allowed", "alpha"])
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_shares_that_cannot_be_are_named(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=name):
        GoldPairs(**{name: value})  # type: ignore[arg-type]


def test_no_known_pair_is_no_verdict() -> None:
    flags = GoldPairs()(votes(battle("1", voter="v"), battle("2")))
    assert not flags.mask.any()
    assert flags.unjudged == 2
