import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.charts import Difference, HeatMap, Link, heat_map
from bakeoff.charts.heat_map import LEVELS, layout

NAMES = tuple(Link(f"m{i}") for i in range(5))
places = st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda pair: pair[0] < pair[1])
differences = st.builds(Difference, st.floats(-1, 1), apart=st.booleans())


@given(st.dictionaries(places, differences))
def test_every_pair_is_there_twice_with_opposite_signs(pairs):
    view = layout(HeatMap("t", NAMES, pairs))
    assert view.missing == 10 - len(pairs)
    turned = {"ahead": "behind", "behind": "ahead", "": ""}
    for i in range(5):
        assert view.rows[i][i] is None
        for j in range(i):
            one, other = view.rows[i][j], view.rows[j][i]
            assert (one is None) == (other is None) == ((j, i) not in pairs)
            if one is not None:
                assert one.side == turned[other.side]
                assert one.level == other.level
                assert one.text.strip("+−") == other.text.strip("+−")


def test_sign_and_size_are_text_and_pattern_not_colour_alone():
    pairs = {
        (0, 1): Difference(0.2, 0.1, 0.3, True),
        (0, 2): Difference(0.04, -0.1, 0.2),
        (1, 2): Difference(-0.05, apart=True),
    }
    view = layout(HeatMap("t", NAMES[:3], pairs))
    assert [cell.text for cell in view.rows[0][1:]] == ["+20.0", "+4.0"]
    assert (view.rows[0][1].side, view.rows[1][0].side, view.rows[0][2].side) == ("ahead", "behind", "")
    assert (view.rows[0][1].level, view.rows[1][2].level, view.rows[0][2].level) == (LEVELS, 1, 0)
    assert view.rows[1][0].title == "m1 less m0: −20.0\u00a0points [−30.0\u00a0points, −10.0\u00a0points]"
    assert "cannot be told apart" in view.rows[0][2].title


@pytest.mark.parametrize(
    "pairs",
    [
        {(0, 0): Difference(0.0)},
        {(0, 9): Difference(0.1)},
        {(0, 1): Difference(0.1), (1, 0): Difference(-0.1)},
        {(0, 1): Difference(math.nan)},
        {(0, 1): Difference(math.inf)},
    ],
)
def test_pairs_that_cannot_be_are_refused(pairs):
    with pytest.raises(ValueError, match=r"pair|finite"):
        heat_map(HeatMap("t", NAMES, pairs), "k")
