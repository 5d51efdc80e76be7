from math import asin, pi, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.arena.policy.best_of import best_of, expected_maximum, haircut
from bakeoff.arena.policy.history import histories
from bakeoff.database.log import Event


# Closed forms: Jones 1948, Annals of Mathematical Statistics 19:270.
@pytest.mark.parametrize(
    ("k", "mean"),
    [
        (1, 0.0),
        (2, 1 / sqrt(pi)),
        (3, 3 / (2 * sqrt(pi))),
        (4, 3 / sqrt(pi) * (0.5 + asin(1 / 3) / pi)),
        (5, 5 / sqrt(pi) * (0.25 + 1.5 * asin(1 / 3) / pi)),
    ],
)
def test_the_mean_of_the_largest_is_exact_for_few(k, mean):
    assert expected_maximum(k) == pytest.approx(mean, abs=1e-13)


# Tippett 1925 and Harter 1961 have 1.53875 for 10, 1.86748 for 20, 2.24907 for 50 and 2.50759 for 100.
@pytest.mark.parametrize(
    ("k", "mean"), [(10, 1.53875), (20, 1.86748), (50, 2.24907), (100, 2.50759), (1000, 3.24144)]
)
def test_the_mean_of_the_largest_is_that_of_the_tables(k, mean):
    assert expected_maximum(k) == pytest.approx(mean, abs=6e-6)


def test_it_is_what_draws_have():
    draws = np.random.default_rng(1).standard_normal((40_000, 27)).max(axis=1)
    assert expected_maximum(27) == pytest.approx(draws.mean(), abs=5 * draws.std() / 200)


@given(st.integers(1, 5_000))
def test_more_variants_are_never_worth_less(k):
    assert expected_maximum(k) < expected_maximum(k + 1) < sqrt(2 * np.log(k + 1)) + 1e-9


# An arena's standard errors are about 295 / sqrt(votes) points: 50 variants of 3,000 votes gain 12.1 points.
@pytest.mark.parametrize(
    ("votes", "k", "points"),
    [(3_000, 50, 12.1), (250, 27, 37.3), (1_000, 10, 14.35), (10_000, 3, 2.5), (250, 1, 0)],
)
def test_the_haircut_is_in_points(votes, k, points):
    assert haircut(295 / sqrt(votes), k) == pytest.approx(points, abs=0.05)


@pytest.mark.parametrize(("se", "k"), [(-1.0, 2), (float("nan"), 2), (float("inf"), 2), (1.0, 0)])
def test_what_is_no_error_or_number_is_refused(se, k):
    with pytest.raises(ValueError, match=r"standard error|largest"):
        haircut(se, k)


@pytest.mark.slow
def test_the_corrected_score_of_a_chosen_variant_is_right_on_average():
    """Equal variants, the best by 1,000 votes each is shown: uncorrected it is 14 points too good."""
    se = 295 / sqrt(1_000)
    best = 1_000 + se * np.random.default_rng(2).standard_normal((20_000, 10)).max(axis=1)
    assert best.mean() - 1_000 > 13
    assert best.mean() - haircut(se, 10) == pytest.approx(1_000, abs=5 * best.std() / sqrt(20_000))


def history(*steps, family="orca"):
    """Each step is a name and a state; names that begin with `x` are of another family."""
    told = []
    for number, (name, state) in enumerate(steps, 1):
        facts = {"provider": "Acme", "family": "x" if name[0] == "x" else family, "access": "private"}
        told.append(Event(number, float(number), "a", f"variant {state}", f"variant chat/{name}", "", facts))
    return histories(told, "chat")


def entered(*names):
    return [(name, state) for name in names for state in ("registered", "testing")]


def test_all_that_were_tested_and_not_shown_count_and_withdrawing_them_does_not_help():
    there = history(
        *entered("a", "b", "c", "x1"), ("a", "withdrawn"), ("b", "withdrawn"), ("c", "provisional")
    )
    assert (best_of(there, "c").tested, best_of(there, "c").of_provider) == (3, 4)


def test_who_was_released_before_or_tested_after_is_no_rival():
    steps = [*entered("a", "b"), ("a", "provisional"), *entered("c"), ("b", "provisional"), *entered("d")]
    there = history(*steps, ("e", "registered"))
    assert [best_of(there, name).tested for name in "ab"] == [2, 2]  # b was chosen from itself and c
    assert best_of(there, "d").tested == 2  # of c and d, if it were released now
    assert best_of(there, "e").tested == 3


def test_a_release_of_another_does_not_wipe_out_the_count():
    steps = [*entered("a", "b", "c", "d"), ("a", "withdrawn"), ("b", "withdrawn"), ("c", "provisional")]
    there = history(*steps, ("d", "provisional"))
    assert [best_of(there, name).tested for name in "cd"] == [4, 3]


def test_a_model_that_is_public_from_the_start_was_chosen_from_none():
    there = history(("a", "registered"), ("a", "provisional"), ("b", "registered"), ("b", "provisional"))
    assert [best_of(there, name).tested for name in "ab"] == [1, 1]
