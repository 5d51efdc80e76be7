import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats.interval import Interval
from bakeoff.stats.pair.equivalence import decide, equivalent, narrow_level, non_inferior, non_inferiority
from bakeoff.stats.pair.paired import tango
from bakeoff.stats.pair.unconditional import non_inferiority_p

counts = st.integers(1, 300).flatmap(
    lambda n: st.tuples(st.integers(0, n), st.integers(0, n), st.just(n)).filter(
        lambda t: t[0] + t[1] <= t[2]
    )
)
margins = st.floats(0.005, 0.5)
ends = st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(sorted)


def at(low, high, level=0.95):
    return Interval(low, high, level, "made up")


@pytest.mark.parametrize(
    ("wide", "narrow", "margin", "expected"),
    [
        (at(0.01, 0.05), None, None, "better"),
        (at(-0.05, -0.01), None, None, "worse"),
        (at(-0.01, 0.01), None, None, "cannot tell"),
        (at(-0.01, 0.01), None, 0.02, "equivalent"),
        (at(-0.01, 0.03), None, 0.02, "cannot tell"),
        # At the level of two one-sided tests, and only there, inside the margin.
        (at(-0.01, 0.021), at(-0.008, 0.019, 0.9), 0.02, "equivalent"),
        (at(-0.01, 0.021), at(-0.008, 0.020, 0.9), 0.02, "cannot tell"),
        (at(-0.01, 0.01), at(-0.008, 0.008, 0.9), None, "cannot tell"),
        # A shown difference is said, though it lies within the margin.
        (at(0.001, 0.009), at(0.002, 0.008, 0.9), 0.02, "better"),
        # An end at 0 leaves 0 in.
        (at(0, 0.05), None, None, "cannot tell"),
        (None, None, 0.02, "cannot tell"),
    ],
)
def test_a_decision_follows_its_three_rules(wide, narrow, margin, expected):
    assert decide(wide, margin=margin, narrow=narrow) == expected


@given(ends=ends, margin=margins)
def test_exchanging_the_two_exchanges_better_and_worse(ends, margin):
    low, high = ends
    exchanged = {"better": "worse", "worse": "better"}
    forth = decide(at(low, high), margin=margin)
    assert decide(at(-high, -low), margin=margin) == exchanged.get(forth, forth)


@given(ends=ends, margins=st.tuples(margins, margins).map(sorted))
def test_a_larger_margin_never_loses_equivalence_or_non_inferiority(ends, margins):
    interval = at(*ends, 0.9)
    small, large = margins
    assert equivalent(interval, small) <= equivalent(interval, large)
    assert non_inferior(interval, small) <= non_inferior(interval, large)
    assert equivalent(interval, small) <= non_inferior(interval, small)


@given(bcn=counts, margin=margins)
def test_non_inferiority_is_shown_by_the_exact_test_and_the_bound_together(bcn, margin):
    b, c, n = bcn
    found = non_inferiority(b, c, n, margin)
    assert found.shown == (found.p <= 0.05 and non_inferior(tango(b, c, n, 0.9), margin))
    assert found.shown == (found.bound > -margin)
    # Graded scores a trace away have the normal p of the bound alone.
    graded = non_inferiority(b + 1e-9, c, n, margin) if b + c < n else found
    assert found.p >= graded.p - 0.03


# Tango's bound alone would show each, and the exact test does not: its own bound is the loss it does reject.
@pytest.mark.parametrize(
    ("b", "c", "n", "margin", "level"), [(15, 15, 100, 0.05, 0.8), (0, 0, 52, 0.05, 0.95)]
)
def test_a_bound_that_the_exact_test_contradicts_gives_way_to_the_exact_one(b, c, n, margin, level):
    assert tango(b, c, n, narrow_level(level)).low > -margin
    found = non_inferiority(b, c, n, margin, level)
    assert not found.shown
    assert found.bound <= -margin
    assert non_inferiority_p(b, c, n, -found.bound) <= 1 - level
    assert non_inferiority_p(b, c, n, -found.bound - 0.001) > 1 - level


# Exact, from the definition: all right on both of n items, the chance of b = c = 0 under a difference of
# -margin is at most (1 - margin)^n, so that no test at 5 % shows what this one does not by far.
def test_agreement_on_few_items_shows_nothing_and_on_many_a_lot():
    assert not non_inferiority(0, 0, 15, 0.05).shown
    assert non_inferiority(0, 0, 100, 0.05).shown
    # Tango's bound without disagreement is z²/(n+z²) with the one-sided z.
    assert non_inferiority(0, 0, 100, 0.05).bound == pytest.approx(-(1.644854**2) / (100 + 1.644854**2))


def test_a_clear_loss_is_not_shown_to_be_none():
    found = non_inferiority(10, 60, 500, 0.03)
    assert not found.shown
    assert found.p > 0.99


def test_the_level_of_two_one_sided_tests():
    assert narrow_level(0.95) == pytest.approx(0.9)
    assert narrow_level(0.975) == pytest.approx(0.95)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: decide(at(0, 1), margin=0), "margin .* 0"),
        (lambda: decide(None, margin=-1), "-1"),
        (lambda: decide(at(0, 1), margin=0.1, narrow=at(0, 1, 0.95)), r"0\.9, got 0\.95"),
        (lambda: equivalent(at(0, 1), float("nan")), "nan"),
        (lambda: non_inferior(at(0, 1), -0.1), r"-0\.1"),
        (lambda: non_inferiority(1, 1, 10, 2), "2"),
        (lambda: non_inferiority(6, 6, 10, 0.1), "b=6 and c=6"),
        (lambda: non_inferiority(0, 0, 0, 0.1), "n=0"),
        (lambda: narrow_level(0.4), r"0\.4"),
        (lambda: narrow_level(95), "95"),
    ],
)
def test_bad_input_is_refused_with_its_value(call, named):
    with pytest.raises(ValueError, match=named):
        call()
