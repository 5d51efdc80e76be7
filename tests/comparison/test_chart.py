from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.comparison.chart import (
    Label,
    Segment,
    Whisker,
    difference_scale,
    label,
    scale,
    score_scale,
    segments,
    sides,
    strips,
    whisker,
)
from bakeoff.stats import Interval

shares = st.floats(0, 1, allow_subnormal=False)
differences = st.floats(-1, 1, allow_subnormal=False)


@given(st.lists(shares, max_size=30))
def test_a_scale_holds_every_value_and_keeps_their_order(values):
    found = scale(values, within=(0.0, 1.0))
    places = [found.at(value) for value in sorted(values)]
    assert places == sorted(places)
    assert all(0 <= place <= 100 for place in places)
    assert 0 <= found.low < found.high <= 1


def test_values_outside_the_usual_range_are_still_on_the_scale():
    found = scale([0.9, 1.3], within=(0.0, 1.0))
    assert found.holds(1.3)
    assert found.at(1.3) <= 100


@given(st.lists(differences, max_size=30), st.none() | st.floats(0.001, 0.5))
def test_a_scale_of_differences_shows_zero_and_both_margins(values, margin):
    found = difference_scale(values, margin)
    assert all(found.holds(value) for value in (*values, 0.0, margin or 0.0, -(margin or 0.0)))


@given(st.floats(-1, 1), st.floats(1e-4, 2))
def test_ticks_are_few_round_and_evenly_apart(low, width):
    found = scale([low, low + width], within=(-10.0, 10.0))
    values = [tick.value for tick in found.ticks]
    assert 2 <= len(values) <= 5
    assert all(-0.01 <= tick.at <= 100.01 for tick in found.ticks)
    steps = [after - before for before, after in pairwise(values)]
    assert steps == pytest.approx([steps[0]] * len(steps), rel=1e-6)
    digits = f"{steps[0]:.6e}".split("e")[0].rstrip("0").rstrip(".")
    assert digits in ("1", "2", "2.5", "5")
    assert all(tick.at == pytest.approx(found.at(tick.value), abs=0.01) for tick in found.ticks)


def test_a_tick_at_zero_is_exactly_zero():
    assert 0.0 in [tick.value for tick in scale([-0.3, 0.3], within=(-1.0, 1.0)).ticks]


@pytest.mark.parametrize(
    ("values", "chance", "shown"),
    [
        ([0.53, 0.69], 0.25, True),  # 2.75 times as long
        ([0.80, 0.90], 0.25, False),  # 6.5 times
        ([0.21, 0.31], 0.25, True),
        ([], 0.25, True),
    ],
)
def test_chance_is_on_the_scale_unless_it_would_crowd_the_scores(values, chance, shown):
    assert score_scale(values, chance).holds(chance) is shown


def test_a_whisker_stands_where_its_interval_stands():
    on = scale([0.0, 1.0], within=(0.0, 1.0))
    assert whisker(on, 0.5, Interval(0.25, 0.75, 0.95, "wilson")) == Whisker(50.0, 25.0, 75.0)
    assert whisker(on, 0.5, None) == Whisker(50.0, None, None)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (0.5, Label(50.0, "middle")),
        (0.05, Label(5.0, "start")),
        (0.97, Label(97.0, "end")),
        (-3.0, Label(0.0, "start")),
        (3.0, Label(100.0, "end")),
    ],
)
def test_a_word_near_an_edge_is_written_inwards(value, found):
    assert label(scale([0.0, 1.0], within=(0.0, 1.0)), value) == found


def test_sides_have_room_for_a_word_only_away_from_the_edges():
    assert sides(scale([-0.1, 0.1], within=(-1.0, 1.0)), 0.0) == (True, True)
    assert sides(scale([-0.1, 0.0], within=(-1.0, 1.0)), 0.0) == (True, False)
    assert sides(scale([0.0, 0.1], within=(-1.0, 1.0)), 0.0) == (False, True)


def test_segments_stand_side_by_side_and_leave_out_what_is_unknown_or_nothing():
    parts = [("items", 0.6), ("variants", None), ("repeats", 0.0), ("interaction", 0.4)]
    assert segments(parts) == (Segment("items", 0.0, 60.0), Segment("interaction", 60.0, 40.0))


@given(st.lists(st.integers(0, 100), min_size=1).filter(any))
def test_segments_of_shares_that_add_up_to_one_fill_the_bar(weights):
    found = segments([(str(i), weight / sum(weights)) for i, weight in enumerate(weights)])
    assert found[-1].at + found[-1].width == pytest.approx(100, abs=0.02)
    for before, after in pairwise(found):
        assert after.at == pytest.approx(before.at + before.width, abs=0.02)


def test_a_strip_is_cut_where_a_row_between_is_no_member():
    assert strips("abcdef", "abcef") == ("first", "inner", "last", "", "first", "last")
    assert strips("abc", "b") == ("", "only", "")
    assert strips("", "") == ()


@given(st.text("abcdefgh", max_size=8))
def test_strips_mark_members_and_no_others_and_every_bar_ends(members):
    found = strips("abcdefgh", members)
    assert {row for row, strip in zip("abcdefgh", found, strict=True) if strip} == set(members)
    assert found.count("first") == found.count("last")
