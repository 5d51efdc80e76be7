import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.charts import dollars, points, raw, seconds, share
from bakeoff.charts.units import MISSING

UNITS = (share, points, raw, dollars, seconds)


@pytest.mark.parametrize(
    ("unit", "value", "text"),
    [
        (share, 0.6123, "61.2\u00a0%"),
        (share, 0.9996, "99.96\u00a0%"),
        (share, 0.0004, "0.04\u00a0%"),
        (share, 1.0, "100.0\u00a0%"),
        (share, 0.0, "0.0\u00a0%"),
        (points, 0.052, "+5.2\u00a0points"),
        (points, -0.0004, "−0.04\u00a0points"),
        (points, 0.0, "0.0\u00a0points"),
        (raw, 1432.13, "1,432"),
        (raw, 0.42134, "0.4213"),
        (raw, 0.5, "0.5"),
        (raw, -12.0, "−12"),
        (dollars, 3.7, "$3.70"),
        (dollars, 1234.5, "$1,234.50"),
        (dollars, 0.0000123, "$0.000012"),
        (dollars, 0, "$0.00"),
        (seconds, 0.4211, "0.421\u00a0s"),
        (seconds, 123.4, "123\u00a0s"),
    ],
)
def test_a_number_is_read_in_its_unit(unit, value, text):
    assert unit(value) == text


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("value", [None, math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_a_dash_and_no_unit(unit, value):
    assert unit(value) == unit.bare(value) == unit.between(value, 1.0) == MISSING


@pytest.mark.parametrize(
    ("unit", "value", "text"),
    [(share, 0.3, "30"), (raw, 0.1 + 0.2, "0.3"), (dollars, 3e-5, "$0.00003"), (raw, 25000.0, "25,000"),
     (points, -0.05, "−5"), (points, 0.05, "+5"), (raw, 0.0, "0"), (dollars, 1e6, "$1,000,000")],
)  # fmt: skip
def test_a_tick_has_no_more_digits_than_its_value(unit, value, text):
    assert unit.tick(value) == text


def test_the_name_of_an_axis_says_the_unit_once():
    assert share.axis("score") == "score, %"
    assert dollars.axis("cost") == "cost"


@given(st.sampled_from(UNITS), st.floats(1e-9, 1e9))
def test_a_reading_is_near_the_value_and_turns_its_sign_with_it(unit, value):
    plus, minus = unit.bare(value), unit.bare(-value)
    assert minus == "−" + plus.removeprefix("+")
    read = float(plus.replace(",", "").replace("$", "")) / unit.factor
    assert read == pytest.approx(value, rel=0.06, abs=0.0006 if unit.factor > 1 else 0.0051)
    assert read != 0
