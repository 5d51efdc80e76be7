import math
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bakeoff.charts import dollars, raw, share
from bakeoff.charts.letters import shortened, width
from bakeoff.charts.scale import NARROWEST, labelled, linear, logarithmic, round_values

numbers = st.floats(-1e12, 1e12)
amounts = st.floats(1e-9, 1e12)


def test_shares_get_air_but_stay_shares():
    scale = linear([0.2, 0.98], within=(0.0, 1.0))
    assert (scale.low, scale.high) == (pytest.approx(0.161), 1.0)
    assert scale.ticks == (0.2, 0.4, 0.6, 0.8, 1.0)


def test_ticks_are_round():
    assert round_values(0.0, 0.62) == (0.0, 0.2, 0.4, 0.6)
    assert round_values(0.27, 0.32) == (0.27, 0.28, 0.29, 0.3, 0.31, 0.32)
    assert round_values(-11.0, 7.0) == (-10.0, -5.0, 0.0, 5.0)
    assert round_values(1290, 1360) == (1300.0, 1320.0, 1340.0, 1360.0)


def test_no_values_get_the_whole_of_the_unit():
    assert (linear([], within=(0.0, 1.0)).low, linear([]).high) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([0.03, 12.0], (0.03, 0.1, 0.3, 1.0, 3.0, 10.0)),
        ([1.0, 1000.0], (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)),
        ([1e-6, 1e6], (1e-6, 1e-4, 1e-2, 1.0, 1e2, 1e4, 1e6)),
        ([4.0, 8.0], (4.0, 5.0, 6.0, 7.0, 8.0)),
    ],
)
def test_logarithmic_ticks_are_1_3_10_or_what_is_round(values, ticks):
    assert logarithmic(values).ticks == ticks


def test_zero_has_its_own_place_on_a_logarithmic_scale():
    scale = logarithmic([0.0, 1.0, 10.0])
    assert scale.at(0.0) == 0.0
    assert scale.at(1.0) >= 8
    assert scale.ticks[0] == 0.0
    assert scale.holds(0.0)
    assert not logarithmic([1.0, 10.0]).holds(0.0)


@pytest.mark.parametrize("value", [-1.0, 1e-300, 1e16])
def test_a_logarithmic_scale_refuses_what_it_cannot_hold(value):
    with pytest.raises(ValueError, match="holds"):
        logarithmic([1.0, value])


def test_a_linear_scale_refuses_what_no_axis_could_name():
    with pytest.raises(ValueError, match="larger unit"):
        linear([1e300])


@given(st.lists(numbers, min_size=1))
def test_a_linear_scale_holds_all_in_their_order(values):
    scale = linear(values)
    places = [scale.at(value) for value in sorted(values)]
    assert places == sorted(places)
    assert 0 <= places[0] <= places[-1] <= 100


@given(st.lists(st.one_of(amounts, st.just(0.0)), min_size=1))
def test_a_logarithmic_scale_holds_all_in_their_order(values):
    scale = logarithmic(values)
    places = [scale.at(value) for value in sorted(values)]
    assert places == sorted(places)
    assert 0 <= places[0] <= places[-1] <= 100
    assert all(scale.holds(tick) for tick in scale.ticks)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2).map(lambda half: [*half, *(-value for value in half)]))
def test_a_scale_of_symmetrical_values_is_symmetrical(values):
    assume(max(values) > 1e-6)
    scale = linear(values)
    for value in values:
        assert scale.at(value) + scale.at(-value) == pytest.approx(100, abs=0.02)
    assert {tick + 0.0 for tick in scale.ticks} == {-tick + 0.0 for tick in scale.ticks}


@given(numbers, st.floats(1e-6, 1e9))
def test_ticks_are_few_inside_and_written_short(low, span):
    assume(span > 1e-6 * abs(low))
    ticks = round_values(low, low + span)
    assert 2 <= len(ticks) <= 7
    slack = 1e-9 * max(span, abs(low))
    assert all(low - slack <= tick <= low + span + slack for tick in ticks)
    # A whole number of one step of one, two or five.
    step = ticks[1] - ticks[0]
    assert f"{step:.3e}"[0] in "125"
    assert all(tick / step == pytest.approx(round(tick / step), rel=1e-6) for tick in ticks)


@given(st.lists(amounts, min_size=1, max_size=30), st.booleans(), st.sampled_from([raw, dollars, share]))
def test_labels_of_ticks_never_touch_on_a_phone(values, log, unit):
    scale = logarithmic(values) if log else linear(values)
    kept = [tick for tick in labelled(scale, unit) if not tick.wide]
    assert kept
    ends = [
        (tick.at * NARROWEST / 100 - width(tick.text) / 2, tick.at * NARROWEST / 100 + width(tick.text) / 2)
        for tick in kept
    ]
    assert all(right < left for (_, right), (left, _) in pairwise(ends))


def test_a_thinned_axis_keeps_zero_and_powers_of_ten():
    narrow = [tick.text for tick in labelled(logarithmic([0.01, 8.0]), dollars) if not tick.wide]
    assert set(narrow) <= {"$0.01", "$0.1", "$1", "$10"}
    assert "0" in [tick.text for tick in labelled(linear([-1e8, 1e8]), raw) if not tick.wide]


@given(st.text(max_size=80), st.floats(20, 300))
def test_a_shortened_text_fits(text, most):
    short = shortened(text, most)
    assert short == text or (width(short) <= most and short.endswith("…"))
    assert math.isfinite(width(short))
