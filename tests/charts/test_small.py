"""The drawings of a cell: whisker and sparkline."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.charts import share, shared, sparkline, whisker
from bakeoff.charts.scale import logarithmic
from bakeoff.charts.sparkline import HEIGHT, WIDTH, layout

numbers = st.floats(-1e6, 1e6)
missing = st.sampled_from([None, math.nan, math.inf, -math.inf])


@given(st.lists(numbers, min_size=3, max_size=3).map(sorted), st.lists(numbers))
def test_a_whisker_holds_its_point_and_stays_in_its_cell(ends, others):
    low, value, high = ends
    drawing = whisker(shared([*ends, *others]), value, low, high)
    start, end, at = map(int, re.search(r'd="M(\d+) 6H(\d+)M(\d+) 1v10"', drawing).groups())
    assert 0 < start <= at <= end < 200


@given(st.lists(st.one_of(numbers, missing), min_size=2))
def test_whiskers_keep_the_order_of_values(values):
    on = shared(values)
    known = sorted(value for value in values if value is not None and math.isfinite(value))
    places = [int(re.search(r"M(\d+) 1v", whisker(on, value)).group(1)) for value in known]
    assert places == sorted(places)


@given(missing, missing)
def test_what_is_missing_is_not_drawn(value, end):
    on = shared([0.0, 1.0], share)
    assert whisker(on, value, 0.0, 1.0) == ""
    assert "H" not in whisker(on, 0.5, end, 1.0).split("<path", 1)[1]
    assert 'd="M100 1v10"' in whisker(on, 0.5, 0.2, end)


def test_a_whisker_is_small_and_says_nothing_to_a_screen_reader():
    drawing = whisker(shared([0.0, 1.0], share), 0.5, 0.4, 0.6)
    assert len(drawing.encode()) < 125
    assert 'aria-hidden="true"' in drawing


def test_a_logarithmic_column_has_whiskers_too():
    on = logarithmic([1.0, 100.0])
    middle = re.search(r"M(\d+) 1v", whisker(on, 10.0)).group(1)
    assert int(middle) == 100


@given(st.lists(st.one_of(numbers, missing), max_size=50))
def test_a_sparkline_breaks_at_gaps_and_stays_inside(values):
    spots = layout(values)
    there = [value is not None and math.isfinite(value) for value in values]
    assert len(spots) == sum(there)
    starts = sum(here and not before for here, before in zip(there, [False, *there], strict=False))
    assert sum(spot.kind != "joined" for spot in spots) == starts
    assert all(0 <= spot.x <= WIDTH and 0 <= spot.y <= HEIGHT for spot in spots)
    assert [spot.x for spot in spots] == sorted(spot.x for spot in spots)


def test_a_value_between_gaps_is_a_dot():
    kinds = [spot.kind for spot in layout([1.0, None, 2.0, None, 3.0, 4.0])]
    assert kinds == [
        "alone",
        "alone",
        "first",
        "joined",
    ]
    assert 'd="M3 17h0M' in sparkline([1.0, None, 2.0, 3.0], "n")


def test_a_sparkline_says_in_words_what_it_draws_and_dots_its_last_value():
    drawing = sparkline([0.2, None, 0.4, 0.3], "Aurora", share)
    said = "Aurora: 3 values, from 20.0 % to 30.0 %, lowest 20.0 %, highest 40.0 %"
    assert f'aria-label="{said}"' in drawing.replace("\u00a0", " ")
    path, dot = re.findall(r' d="([^"]+)"', drawing)
    assert path.endswith(dot.removeprefix("M").removesuffix("h0"))
    assert dot.endswith("h0")


def test_equal_values_are_a_level_line_in_the_middle():
    assert {spot.y for spot in layout([7.0, 7.0, 7.0])} == {10}


@pytest.mark.parametrize("values", [[], [None], [math.nan]])
def test_no_values_are_a_sentence(values):
    assert sparkline(values, "A & B") == "A &amp; B: no values"
