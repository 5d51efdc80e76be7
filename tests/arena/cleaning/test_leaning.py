from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import nchypergeom_fisher

from bakeoff.arena.cleaning.leaning import Strata, leaning


def strata(*pairs: tuple[int, int, int, int, int, int]) -> Strata:
    """Pairs of (first, second, won, decided, all_won, all_decided)."""
    return Strata(*np.array(pairs, dtype=np.int64).reshape(-1, 6).T)


def chance(x: int, decided: int, all_won: int, all_decided: int, lean: float) -> float:
    """That x of so many are won by a group that leans so far."""
    return float(nchypergeom_fisher.pmf(x, all_decided, all_won, decided, np.exp(lean)))


def test_one_pair_against_the_noncentral_hypergeometric_of_scipy() -> None:
    """Ten votes of which the group cast four, and all for the first model; .2 is tolerated."""
    log_e, towards = leaning(strata((0, 1, 4, 4, 6, 10)), 0.2).log_e(2, set())
    expected = [
        chance(4, 4, 6, 10, sign * (0.2 + beyond)) / chance(4, 4, 6, 10, sign * 0.2)
        for sign in (1, -1)
        for beyond in (0.25, 0.5, 1, 2)
    ]
    assert np.exp(log_e) == pytest.approx([np.mean(expected)] * 2)
    assert towards.tolist() == [True, False]


PAIR = st.integers(2, 7).flatmap(
    lambda total: st.tuples(st.integers(0, total), st.integers(1, total - 1), st.just(total))
)


@given(st.lists(PAIR, min_size=1, max_size=3), st.floats(0, 1), st.floats(-1, 1))
def test_its_expectation_is_1_at_most_for_every_lean_that_is_tolerated(
    pairs: list[tuple[int, int, int]], tolerated: float, part: float
) -> None:
    """By all that the group may have voted, with the same lean in every pair."""
    lean, total = part * tolerated, 0.0
    for won in product(*(range(decided + 1) for _, decided, _ in pairs)):
        p = np.prod([chance(x, m, n, t, lean) for x, (n, m, t) in zip(won, pairs, strict=True)])
        if p > 0:
            rows = [(0, 1, x, m, n, t) for x, (n, m, t) in zip(won, pairs, strict=True)]
            total += float(p * np.exp(leaning(strata(*rows), tolerated).log_e(2, set())[0][0]))
    assert total <= 1 + 1e-9


def test_pairs_of_a_model_left_out_say_nothing() -> None:
    both = leaning(strata((0, 1, 9, 9, 12, 20), (1, 2, 9, 9, 12, 20)), 0.0)
    alone = leaning(strata((1, 2, 9, 9, 12, 20)), 0.0)
    assert both.log_e(3, {0})[0] == pytest.approx(alone.log_e(3, set())[0])
    assert both.log_e(3, {0})[0][0] == pytest.approx(0)
    assert both.log_e(3, {1})[0] == pytest.approx([0, 0, 0])


def test_a_lean_that_is_tolerated_is_no_evidence() -> None:
    """Of a thousand votes the group gave 600 of 1,000 to a model that the others gave 500 of 1,000."""
    lean = float(np.log(600 / 400))
    seen = strata((0, 1, 600, 1_000, 1_100, 2_000))
    assert leaning(seen, 0.0).log_e(2, set())[0][0] > 5
    assert leaning(seen, lean).log_e(2, set())[0][0] < 0


@pytest.mark.parametrize("tolerated", [-0.1, float("inf"), float("nan")])
def test_what_is_no_lean_is_refused(tolerated: float) -> None:
    with pytest.raises(ValueError, match="tolerated"):
        leaning(strata(), tolerated)


def test_nothing_says_nothing() -> None:
    log_e, _ = leaning(strata(), 0.3).log_e(2, set())
    assert log_e == pytest.approx([0, 0])
